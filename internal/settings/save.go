package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// Save writes the edits, whole or not at all, with the mode and owner that the
// file had; a link stays a link. A file whose edits were all taken back and that
// was not there before is removed. It fails with [ErrChanged] when the file is no
// longer the one that was opened.
func (f *File) Save() error {
	if !f.Changed() && (f.doc.text == nil) == (f.before == nil) {
		return nil
	}
	err := f.unchanged()
	switch {
	case err != nil:
	case f.doc.text == nil:
		err = f.remove()
	default:
		err = f.replace()
	}
	if err != nil {
		return fmt.Errorf("save settings %s: %w", f.Path, err)
	}
	f.before = f.doc.text
	return nil
}

// unchanged fails when somebody else wrote the file.
func (f *File) unchanged() error {
	now, _, err := read(f.target)
	if err == nil && !equal(now, f.before) {
		err = ErrChanged
	}
	return err
}

// equal tells a file that is not there from an empty one.
func equal(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }

// replace writes a file beside the old one and puts it in its place, so that a
// client that reads meanwhile sees the old file or the new one.
func (f *File) replace() error {
	dir := filepath.Dir(f.target)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f.sweep()
	t, err := os.CreateTemp(dir, f.tempPrefix()+"*")
	if err != nil {
		return err
	}
	_, err = t.Write(f.doc.text)
	err = errors.Join(err, t.Chmod(f.mode))
	keepOwner(t, f.target)
	err = errors.Join(err, t.Sync(), t.Close())
	if err == nil {
		err = f.swap(t.Name())
	}
	os.Remove(t.Name()) // the old file, or a new one that nobody wants
	return err
}

// remove takes the file away and looks at what it took: somebody may have written
// it a moment ago.
func (f *File) remove() error {
	f.sweep()
	aside := filepath.Join(filepath.Dir(f.target), f.tempPrefix()+"old")
	if err := os.Rename(f.target, aside); err != nil {
		return err
	}
	took, _, err := read(aside)
	if err != nil || !equal(took, f.before) {
		return errors.Join(ErrChanged, err, f.putBack(aside))
	}
	return os.Remove(aside)
}

// putBack undoes a removal, unless another file stands in the place by now.
func (f *File) putBack(aside string) error {
	if err := os.Link(aside, f.target); err != nil {
		return err
	}
	return os.Remove(aside)
}

// tempPrefix begins the names of the files that stand beside this one for a moment.
func (f *File) tempPrefix() string { return "." + filepath.Base(f.target) + ".winnow-" }

// sweep removes what a writer that was killed left there: copies of what the
// person may hold dear. It keeps what a removal took and could not put back.
func (f *File) sweep() {
	dir := filepath.Dir(f.target)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), f.tempPrefix()) && e.Type().IsRegular() && e.Name() != f.tempPrefix()+"old" {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// rename is the plain way to put a file in place, right after a last look.
func (f *File) rename(path string) error {
	if err := f.unchanged(); err != nil {
		return err
	}
	return os.Rename(path, f.target)
}
