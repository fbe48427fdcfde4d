package settings

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// swap puts the file at path in the place of the old one. What was there is looked
// at after it was taken away: between a look and a rename somebody else's edit could
// come, and be lost. Where file systems cannot exchange names, that gap remains.
func (f *File) swap(path string) error {
	if f.before == nil {
		err := exchange(path, f.target, unix.RENAME_NOREPLACE)
		switch {
		case errors.Is(err, unix.EEXIST):
			return ErrChanged
		case unable(err):
			return f.rename(path)
		}
		return err
	}
	if err := f.unchanged(); err != nil {
		return err // without the moment in which ours stands there
	}
	err := exchange(path, f.target, unix.RENAME_EXCHANGE)
	switch {
	case unable(err):
		return f.rename(path)
	case errors.Is(err, unix.ENOENT):
		return ErrChanged
	case err != nil:
		return err
	}
	if took, _, err := read(path); err == nil && equal(took, f.before) {
		return nil
	}
	// Somebody wrote in the moment before: theirs goes back.
	if err := exchange(path, f.target, unix.RENAME_EXCHANGE); err != nil {
		return errors.Join(ErrChanged, err)
	}
	if now, _, err := read(path); err == nil && equal(now, f.doc.text) {
		return ErrChanged
	}
	// And once more in the moment between: that one is the newest.
	return errors.Join(ErrChanged, exchange(path, f.target, unix.RENAME_EXCHANGE))
}

func exchange(a, b string, how uint) error {
	if err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, how); err != nil {
		return &os.LinkError{Op: "rename", Old: a, New: b, Err: err}
	}
	return nil
}

// unable reports whether the system or the file system does not know how.
func unable(err error) bool {
	return errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.ENOTSUP)
}
