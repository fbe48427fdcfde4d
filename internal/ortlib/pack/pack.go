package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// The names package ortlib looks for.
const (
	packedName = "onnxruntime.zst"
	sumName    = "onnxruntime.sha256"
)

// verify reports whether dir holds the library with this hash, by unpacking it.
func verify(dir, sum string) error {
	got, err := os.ReadFile(filepath.Join(dir, sumName))
	if err != nil {
		return err
	}
	if fields := strings.Fields(string(got)); len(fields) == 0 || fields[0] != sum {
		return fmt.Errorf("%s is not for %s", sumName, sum)
	}
	f, err := os.Open(filepath.Join(dir, packedName))
	if err != nil {
		return err
	}
	defer f.Close()
	dec, err := zstd.NewReader(f)
	if err != nil {
		return err
	}
	defer dec.Close()
	h := sha256.New()
	if _, err := io.Copy(h, dec); err != nil {
		return fmt.Errorf("unpack %s: %w", packedName, err)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != sum {
		return fmt.Errorf("%s holds %s, want %s", packedName, got, sum)
	}
	return nil
}

// pack writes p's library from the tarball to dir.
func pack(tarball, integrity string, p pin, dir string) error {
	if err := checkIntegrity(tarball, integrity); err != nil {
		return err
	}
	raw, err := member(tarball, p)
	if err != nil {
		return err
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	defer enc.Close()
	packed := enc.EncodeAll(raw, nil)
	if err := onlyFolder(dir); err != nil {
		return err
	}
	// The hash goes last: without it the library counts as missing.
	if err := writeFile(filepath.Join(dir, packedName), packed); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, sumName), []byte(p.sum+"  onnxruntime\n"))
}

func checkIntegrity(tarball, integrity string) error {
	f, err := os.Open(tarball)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha512.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("read %s: %w", tarball, err)
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(h.Sum(nil)); got != integrity {
		return fmt.Errorf("%s has integrity %s, want %s", tarball, got, integrity)
	}
	return nil
}

// member returns the bytes of one file of the tarball, its hash checked.
func member(tarball string, p pin) ([]byte, error) {
	f, err := os.Open(tarball)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", tarball, err)
	}
	tr := tar.NewReader(gz)
	for {
		h, err := tr.Next()
		if err != nil {
			return nil, fmt.Errorf("look for %s in %s: %w", p.member, tarball, err)
		}
		if h.Name != p.member {
			continue
		}
		var b bytes.Buffer
		if _, err := io.Copy(&b, tr); err != nil {
			return nil, fmt.Errorf("read %s: %w", p.member, err)
		}
		sum := sha256.Sum256(b.Bytes())
		if got := hex.EncodeToString(sum[:]); got != p.sum {
			return nil, fmt.Errorf("%s has hash %s, want %s", p.member, got, p.sum)
		}
		return b.Bytes(), nil
	}
}

// onlyFolder leaves dir, empty, as the only platform folder beside README: ortlib
// embeds the whole folder, and one binary needs one library.
func onlyFolder(dir string) error {
	others, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*_*"))
	if err != nil {
		return err
	}
	for _, o := range others {
		if err := os.RemoveAll(o); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// writeFile writes through a temporary name, so that the file is whole or absent.
func writeFile(path string, data []byte) error {
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		os.Remove(tmp)
		return err
	}
	return os.Rename(tmp, path)
}
