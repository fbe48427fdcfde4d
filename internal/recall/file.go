package recall

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

// version is the layout of the buckets. A higher one is not ours to touch.
const version = "1"

// lockGrace is how much longer than the lock's own time-out an opening may
// take: on a network file system the lock call itself can hang.
const lockGrace = time.Second

// damage marks an error as one of the file's content, not of the machine.
type damage struct{ what string }

func (d damage) Error() string { return "damaged store: " + d.what }

func errDamaged(what string) error { return damage{what} }

// file is an open bbolt database and its descriptor, which bbolt loses when it
// panics while opening.
type file struct {
	*bolt.DB
	fd *os.File
	// broken is set before anyone may use a database that panicked: its locks
	// are in an unknown state, so it is abandoned, not closed.
	broken bool
}

// close releases the database, or only its descriptor (and so its lock) when
// the database itself cannot be trusted to return.
func (f *file) close() error {
	if f.DB == nil || f.broken {
		return f.fd.Close()
	}
	err := guard(f.DB.Close)
	if isDamage(err) {
		_ = f.fd.Close() // a second close is harmless
	}
	return err
}

// guard runs fn and turns a panic, also one of a fault in the mapped file
// (which is otherwise fatal to the process), into a damage error.
func guard(fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	defer func() {
		if p := recover(); p != nil {
			err = errDamaged(fmt.Sprint(p))
		}
	}()
	return fn()
}

func isDamage(err error) bool {
	if _, ok := errors.AsType[damage](err); ok {
		return true
	}
	return errors.Is(err, berrors.ErrInvalid) || errors.Is(err, berrors.ErrVersionMismatch) ||
		errors.Is(err, berrors.ErrChecksum)
}

// openFile opens and checks the database at path, once. It fails with a damage
// error (and a file that still holds the lock) when the content is bad.
func openFile(path string, o Options) (f *file, err error) {
	f = &file{}
	_, statErr := os.Lstat(path)
	existed := statErr == nil
	bo := &bolt.Options{
		Timeout:      o.Timeout,
		NoSync:       o.NoSync,
		ReadOnly:     o.ReadOnly,
		FreelistType: bolt.FreelistMapType,
		// A freelist in the file, always: without one bbolt scans the file in a
		// goroutine of its own, where a bad page would end the process.
		NoFreelistSync: false,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			fd, err := os.OpenFile(name, flag|noFollow, mode)
			if err != nil {
				return nil, err
			}
			f.fd = fd
			return fd, precheck(fd, o.ReadOnly)
		},
	}
	err = guard(func() error {
		db, err := bolt.Open(path, 0o600, bo)
		if err != nil {
			return err
		}
		f.DB = db
		return check(f, path, existed, o.ReadOnly)
	})
	if err == nil {
		return f, nil
	}
	if f.fd == nil {
		return nil, err
	}
	if errors.Is(err, berrors.ErrTimeout) {
		err = ErrLocked
	}
	if strings.Contains(err.Error(), "file size too small") { // bbolt has no name for it
		err = errDamaged("too short")
	}
	return f, err
}

// openWithin runs open for at most d. An opening that comes later is undone by
// its own goroutine, which is the only one that a hanging lock call can keep.
func openWithin(d time.Duration, open func() (*file, error)) (*file, error) {
	type answer struct {
		f   *file
		err error
	}
	done := make(chan answer)
	late := make(chan struct{})
	go func() {
		f, err := open()
		select {
		case done <- answer{f, err}:
		case <-late:
			if f != nil && f.fd != nil {
				_ = f.close()
			}
		}
	}()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case a := <-done:
		return a.f, a.err
	case <-t.C:
		close(late)
		return nil, fmt.Errorf("no answer from the file system: %w", ErrLocked)
	}
}

// setAside renames the damaged file of f and releases it. The rename comes
// first, under the lock, so that nobody else can take the bad file for good;
// where an open file cannot be renamed it comes after.
func setAside(path string, f *file) (string, error) {
	to, err := freeName(path)
	if err != nil {
		return "", err
	}
	err = os.Rename(path, to)
	_ = f.close()
	if err != nil {
		err = os.Rename(path, to)
	}
	if err != nil {
		return "", fmt.Errorf("set damaged store aside: %w", err)
	}
	// From now on it is kept for [keepDamaged]; when it was last written does not matter.
	now := time.Now()
	_ = os.Chtimes(to, now, now)
	return to, nil
}

func freeName(path string) (string, error) {
	for n := 1; n < 10000; n++ {
		to := fmt.Sprintf("%s.damaged-%d", path, n)
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return to, nil
		} else if err != nil {
			return "", fmt.Errorf("set damaged store aside: %w", err)
		}
	}
	return "", fmt.Errorf("set damaged store aside: too many in %s", filepath.Dir(path))
}
