package ortlib

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/klauspost/compress/zstd"
)

// packed returns a made-up platform's folder holding raw.
func packed(t testing.TB, raw []byte) fstest.MapFS {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	return fstest.MapFS{
		"lib/plan9_mips/onnxruntime.zst":    {Data: enc.EncodeAll(raw, nil)},
		"lib/plan9_mips/onnxruntime.sha256": {Data: []byte(hex.EncodeToString(sum[:]) + "  onnxruntime\n")},
	}
}

func mustLoad(t testing.TB, raw []byte) *library {
	t.Helper()
	l, err := load(packed(t, raw), "plan9_mips")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var raw = bytes.Repeat([]byte("a library, or so. "), 5000)

func TestLoadNone(t *testing.T) {
	if _, err := load(lib, "plan9_mips"); !errors.Is(err, ErrNone) {
		t.Errorf("load of an unknown platform = %v, want ErrNone", err)
	}
}

func TestUnpackOnce(t *testing.T) {
	l, root := mustLoad(t, raw), t.TempDir()
	path, err := l.unpack(root)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(root, "ort-"+l.sum[:8], fileName()); path != want {
		t.Errorf("unpack = %s, want %s", path, want)
	}
	checkFile(t, path)
	if st, _ := os.Stat(filepath.Dir(path)); st.Mode().Perm() != 0o700 {
		t.Errorf("mode of the folder = %v, want 0700", st.Mode().Perm())
	}
	before, _ := os.Stat(path)
	if _, err := l.unpack(root); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) {
		t.Error("the second call wrote the library again")
	}
}

func checkFile(t *testing.T, path string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, raw) {
		t.Errorf("%s holds %d bytes that are not the library", path, len(got))
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if len(left) != 1 {
		t.Errorf("folder holds %q, want the library alone", left)
	}
}

func TestUnpackRepairs(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(t *testing.T, path string)
	}{
		{"cut short", func(t *testing.T, p string) { must(t, os.Truncate(p, 100)) }},
		{"a link", func(t *testing.T, p string) {
			must(t, os.Remove(p))
			must(t, os.Symlink(os.Args[0], p))
		}},
		{"rest of a killed process", func(t *testing.T, p string) {
			must(t, os.Remove(p))
			tmp := filepath.Join(filepath.Dir(p), tempPrefix+"1")
			must(t, os.WriteFile(tmp, raw[:10], 0o600))
			old := time.Now().Add(-2 * staleAfter)
			must(t, os.Chtimes(tmp, old, old))
		}},
		{"an open folder", func(t *testing.T, p string) { must(t, os.Chmod(filepath.Dir(p), 0o777)) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, root := mustLoad(t, raw), t.TempDir()
			path, err := l.unpack(root)
			must(t, err)
			tt.spoil(t, path)
			path, err = l.unpack(root)
			must(t, err)
			checkFile(t, path)
			if st, _ := os.Stat(filepath.Dir(path)); st.Mode().Perm() != 0o700 {
				t.Errorf("mode of the folder = %v, want 0700", st.Mode().Perm())
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnpackWrongHash(t *testing.T) {
	l, root := mustLoad(t, raw), t.TempDir()
	l.sum = hex.EncodeToString(make([]byte, 32))
	if _, err := l.unpack(root); err == nil {
		t.Fatal("unpack of bytes with another hash succeeded")
	}
	left, _ := filepath.Glob(filepath.Join(root, "ort-*", "*"))
	if len(left) != 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestUnpackTogether(t *testing.T) {
	l, root := mustLoad(t, raw), t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := l.unpack(root); err != nil {
				t.Errorf("unpack = %v", err)
			}
		})
	}
	wg.Wait()
	checkFile(t, filepath.Join(root, "ort-"+l.sum[:8], fileName()))
}

func TestPathOverride(t *testing.T) {
	want := filepath.Join(t.TempDir(), "lib.so")
	t.Setenv(EnvPath, want)
	if got, err := Path(""); err != nil || got != want {
		t.Errorf("Path with %s = %q, %v, want %q", EnvPath, got, err, want)
	}
	t.Setenv(EnvPath, "lib.so")
	if _, err := Path(""); err == nil {
		t.Error("Path accepted a relative override: it would be looked up in system folders")
	}
}

func TestPathEmbedded(t *testing.T) {
	t.Setenv(EnvPath, "")
	dir := t.TempDir()
	path, err := Path(dir)
	if errors.Is(err, ErrNone) {
		t.Skip("no library fetched: run make build")
	}
	must(t, err)
	if rel, err := filepath.Rel(filepath.Join(dir, "winnow"), path); err != nil || rel[:4] != "ort-" {
		t.Errorf("Path(%q) = %q, want it below winnow/ort-*", dir, path)
	}
}

// A changed file of the right size is what the start does not notice.
func TestCheck(t *testing.T) {
	l, root := mustLoad(t, raw), t.TempDir()
	path, err := l.unpack(root)
	must(t, err)
	if err := l.check(path); err != nil {
		t.Error(err)
	}
	spoilt := append([]byte(nil), raw...)
	spoilt[0] ^= 1
	must(t, os.WriteFile(path, spoilt, 0o600))
	if err := l.check(path); err == nil {
		t.Error("check of a changed library = nil, want an error")
	}
	if err := l.check(filepath.Join(root, "none")); err == nil {
		t.Error("check of no library = nil, want an error")
	}
}
