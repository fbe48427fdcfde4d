package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
)

const content = "not much of a library"

// tarballOf writes an npm-like tarball and returns its path, integrity and pin.
func tarballOf(t *testing.T) (path, integrity string, p pin) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "p.tgz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	h := sha512.New()
	gz := gzip.NewWriter(f)
	tw := tar.NewWriter(gz)
	for name, body := range map[string]string{"package/README.md": "other", "package/lib.so": content} {
		if err := tw.WriteHeader(&tar.Header{Name: name, Size: int64(len(body)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	tw.Close()
	gz.Close()
	f.Close()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h.Write(all)
	sum := sha256.Sum256([]byte(content))
	return path, "sha512-" + base64.StdEncoding.EncodeToString(h.Sum(nil)), pin{"package/lib.so", hex.EncodeToString(sum[:])}
}

func TestPack(t *testing.T) {
	tgz, integrity, good := tarballOf(t)
	tests := []struct {
		name, integrity string
		pin             pin
		ok              bool
	}{
		{"as pinned", integrity, good, true},
		{"another tarball", "sha512-AAAA", good, false},
		{"another library", integrity, pin{good.member, good.sum[1:] + "0"}, false},
		{"no such member", integrity, pin{"package/none", good.sum}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lib := t.TempDir()
			dir := filepath.Join(lib, "linux_amd64")
			err := pack(tgz, tt.integrity, tt.pin, dir)
			if (err == nil) != tt.ok {
				t.Fatalf("pack = %v, want success %v", err, tt.ok)
			}
			if got := verify(dir, good.sum) == nil; got != tt.ok {
				t.Errorf("library in place = %v, want %v", got, tt.ok)
			}
		})
	}
}

func TestPackKeepsOnePlatform(t *testing.T) {
	tgz, integrity, p := tarballOf(t)
	lib := t.TempDir()
	if err := os.WriteFile(filepath.Join(lib, "README"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, platform := range []string{"linux_arm64", "darwin_arm64"} {
		if err := pack(tgz, integrity, p, filepath.Join(lib, platform)); err != nil {
			t.Fatal(err)
		}
	}
	left, _ := filepath.Glob(filepath.Join(lib, "*"))
	if len(left) != 2 || filepath.Base(left[1]) != "darwin_arm64" {
		t.Errorf("lib holds %q, want README and darwin_arm64", left)
	}
}

func TestVerifyDamaged(t *testing.T) {
	tgz, integrity, p := tarballOf(t)
	dir := filepath.Join(t.TempDir(), "linux_amd64")
	if err := pack(tgz, integrity, p, dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, packedName), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := verify(dir, p.sum); err == nil {
		t.Error("verify of a damaged library succeeded")
	}
}
