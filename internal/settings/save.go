package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// follow returns the file that path stands for: a link's target, even one that
// does not exist yet.
func follow(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range 40 { // as many as the kernel follows
		fi, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && fi.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", errors.New("too many links")
}

// Save writes the edits, whole or not at all, with the mode that the file had;
// a link stays a link. A file whose edits were all taken back and that was not
// there before is removed. It fails with [ErrChanged] when the file is no longer
// the one that was opened.
func (f *File) Save() error {
	if !f.Changed() && (f.doc.text == nil) == (f.before == nil) {
		return nil
	}
	now, _, err := read(f.target)
	if err != nil {
		return fmt.Errorf("save settings %s: %w", f.Path, err)
	}
	if !bytes.Equal(now, f.before) || (now == nil) != (f.before == nil) {
		return fmt.Errorf("save settings %s: %w", f.Path, ErrChanged)
	}
	if f.doc.text == nil {
		err = os.Remove(f.target)
	} else {
		err = replace(f.target, f.doc.text, f.mode)
	}
	if err != nil {
		return fmt.Errorf("save settings %s: %w", f.Path, err)
	}
	f.before = f.doc.text
	return nil
}

// replace writes a file beside path and renames it, so that a client that reads
// meanwhile sees the old file or the new one.
func replace(path string, data []byte, mode fs.FileMode) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	t, err := os.CreateTemp(dir, ".winnow-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(t.Name())
		}
	}()
	_, err = t.Write(data)
	err = errors.Join(err, t.Chmod(mode), t.Sync(), t.Close())
	if err != nil {
		return err
	}
	return os.Rename(t.Name(), path)
}
