package ortlib

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/klauspost/compress/zstd"
)

// tempPrefix begins the names of half-written libraries.
const tempPrefix = "tmp-"

// staleAfter is the age at which a half-written library can only be the rest
// of a process that was killed: unpacking takes well under a second.
const staleAfter = 10 * time.Minute

// fileName is the name of the unpacked library; some loaders look at its ending.
func fileName() string {
	switch runtime.GOOS {
	case "darwin":
		return "libonnxruntime.dylib"
	case "windows":
		return "onnxruntime.dll"
	}
	return "libonnxruntime.so"
}

// unpack returns the path of the library below root, writing it when it is
// missing or of the wrong size. The hash is checked on the bytes as they are
// written, not at every start: reading 45 MB costs more than loading them.
func (l *library) unpack(root string) (string, error) {
	dir := filepath.Join(root, "ort-"+l.sum[:8])
	if err := privateDir(dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, fileName())
	if st, err := os.Lstat(path); err == nil && st.Mode().IsRegular() && st.Size() == l.size {
		return path, nil
	}
	removeStale(dir)
	if err := l.write(dir, path); err != nil {
		return "", fmt.Errorf("unpack onnxruntime: %w", err)
	}
	return path, nil
}

// write unpacks into a file of its own and renames it, so that several
// processes may do this at once and each sees nothing or the whole.
func (l *library) write(dir, path string) (err error) {
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	src, err := l.fsys.Open(l.name)
	if err != nil {
		return err
	}
	defer src.Close()
	dec, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer dec.Close()
	h := sha256.New()
	// One byte more than expected tells a longer file from a right one.
	if _, err = io.Copy(io.MultiWriter(f, h), io.LimitReader(dec, l.size+1)); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != l.sum {
		return fmt.Errorf("library has hash %s, want %s", got, l.sum)
	}
	// Without this a power loss could leave a file of the right size and wrong
	// content, which would then be loaded at every start.
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// privateDir makes dir and its parent for this user alone: what lies in it is
// loaded as code.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make cache folder: %w", err)
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("look at cache folder: %w", err)
	}
	if !st.IsDir() {
		return fmt.Errorf("cache folder %s is a link", dir)
	}
	if st.Mode().Perm()&0o077 == 0 {
		return nil
	}
	// Fails, rightly, when the folder is somebody else's.
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("make cache folder private: %w", err)
	}
	return nil
}

// removeStale removes what killed processes left half-written.
func removeStale(dir string) {
	left, _ := filepath.Glob(filepath.Join(dir, tempPrefix+"*"))
	for _, p := range left {
		if st, err := os.Lstat(p); err == nil && time.Since(st.ModTime()) > staleAfter {
			os.Remove(p)
		}
	}
}

// Check compares a file that [Path] gave with the hash of the library in this
// binary. [Path] looks at its size only. With [EnvPath] set there is nothing to
// compare with.
func Check(path string) error {
	l, err := load(lib, Platform())
	if err != nil {
		return err
	}
	return l.check(path)
}

func (l *library) check(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("check library: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return fmt.Errorf("check library: %w", err)
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != l.sum {
		return fmt.Errorf("%s has hash %.12s, want %.12s", path, got, l.sum)
	}
	return nil
}
