package decisions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// kept is how many older files stay beside the present one.
const kept = 2

// older returns the name of the n-th older file; 0 is the present one.
func older(path string, n int) string {
	if n == 0 {
		return path
	}
	return fmt.Sprintf("%s.%d", path, n)
}

// file is the present file, opened when it is needed. Its size is bounded by
// setting it aside, also when another process has written to it.
type file struct {
	path string
	max  int64
	f    *os.File
	// torn says that the file does not end with "\n": a line was not finished,
	// by us on a full disk or by a process that was killed.
	torn bool
}

// write appends one line. A line that did not fit is ended by the next one, so
// it spoils no other.
func (f *file) write(line []byte) error {
	if err := f.ready(int64(len(line))); err != nil {
		return err
	}
	if f.torn {
		line = append([]byte{'\n'}, line...)
	}
	n, err := f.f.Write(line)
	if err != nil {
		f.torn = f.torn || n > 0
		return fmt.Errorf("write decisions: %w", err)
	}
	f.torn = false
	return nil
}

// ready opens the file, anew where somebody removed it, and sets a full one aside.
func (f *file) ready(more int64) error {
	if f.f != nil && !f.same() {
		f.close()
	}
	if f.f == nil {
		if err := f.open(); err != nil {
			return fmt.Errorf("open decisions: %w", err)
		}
	}
	fi, err := f.f.Stat()
	if err != nil {
		return fmt.Errorf("check decisions: %w", err)
	}
	if fi.Size() == 0 || fi.Size()+more <= f.max {
		return nil
	}
	f.close()
	for n := kept; n > 0; n-- { // what cannot be set aside may not grow either
		err := os.Rename(older(f.path, n-1), older(f.path, n))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("set decisions aside: %w", err)
		}
	}
	if err := f.open(); err != nil {
		return fmt.Errorf("open decisions: %w", err)
	}
	return nil
}

// same reports whether the path still leads to the open file.
func (f *file) same() bool {
	at, err := os.Lstat(f.path)
	if err != nil {
		return false
	}
	fi, err := f.f.Stat()
	return err == nil && os.SameFile(at, fi)
}

func (f *file) open() error {
	h, err := openPlain(f.path, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	if err != nil {
		return err
	}
	fi, err := h.Stat()
	if err == nil && fi.Mode().Perm() != 0o600 {
		err = h.Chmod(0o600)
	}
	f.torn = false
	if err == nil && fi.Size() > 0 {
		var last [1]byte
		_, err = h.ReadAt(last[:], fi.Size()-1)
		f.torn = last[0] != '\n'
	}
	if err != nil {
		h.Close()
		return err
	}
	f.f = h
	return nil
}

func (f *file) close() {
	if f.f != nil {
		f.f.Close()
		f.f = nil
	}
}

// ErrNotPlain reports something else than a file of its own in the log's place.
var ErrNotPlain = errors.New("not a plain file of one name")

// openPlain opens a plain file; a link in its place, of either kind, or a pipe is
// refused. No name at all is no link: another file has just taken its place.
func openPlain(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	fi, err := f.Stat()
	if err == nil && (!fi.Mode().IsRegular() || links(fi) > 1) {
		err = fmt.Errorf("%s: %w", path, ErrNotPlain)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}
