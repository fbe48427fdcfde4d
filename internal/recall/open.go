package recall

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"winnow/internal/marker"
)

// maxHeals bounds how often one open store replaces its file: a disk that
// damages each new file must not fill up with them.
const maxHeals = 3

// Open opens the store at path, making it and its folder when missing. A
// damaged file is renamed to path.damaged-N and a new one made, see
// [Store.Damaged]. It fails with [ErrLocked] when another process holds the
// file for longer than the time-out.
func Open(path string, o Options) (*Store, error) {
	if o.Timeout <= 0 {
		o.Timeout = time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if !o.ReadOnly {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("open store %s: %w", path, err)
		}
	}
	s := &Store{path: path, o: o, seen: map[string]time.Time{}, turn: make(chan struct{}, 1)}
	s.forget()
	if err := s.codec.init(); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, err)
	}
	if !o.ReadOnly {
		// What a compaction left that was ended half way: its maker held our lock.
		_ = os.Remove(s.copyPath())
	}
	return s, nil
}

// open sets s.db, setting a damaged file aside at most twice.
func (s *Store) open() error {
	var last error
	for range 4 {
		f, err := openWithin(s.o.Timeout+lockGrace, func() (*file, error) { return openFile(s.path, s.o) })
		switch {
		case err == nil:
			s.db = f
			return nil
		case f == nil:
			return err
		case isDamage(err) && s.o.ReadOnly:
			_ = f.close()
			return err
		case isDamage(err):
			to, aerr := setAside(s.path, f)
			if aerr != nil {
				return errors.Join(err, aerr)
			}
			s.damaged = to
		default:
			_ = f.close()
			if !errors.Is(err, errMoved) {
				return err
			}
		}
		last = err
	}
	return last
}

// forget empties the caches.
func (s *Store) forget() {
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	s.live = map[marker.Key]struct{}{}
	s.cuts = map[string]map[string]bool{}
	s.offers = map[string]struct{}{}
}

// current returns the open file.
func (s *Store) current() (*file, error) {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	if s.closed || s.db == nil {
		return nil, ErrClosed
	}
	return s.db, nil
}

// view reads. A compaction may close the file between finding it and reading
// it: then there is a new one.
func (s *Store) view(fn func(*bolt.Tx) error) error {
	for {
		f, err := s.current()
		if err != nil {
			return err
		}
		err = s.run(f, func(db *bolt.DB) error { return db.View(fn) })
		if now, _ := s.current(); !errors.Is(err, ErrClosed) || now == nil || now == f {
			return err
		}
	}
}

func (s *Store) update(fn func(*bolt.Tx) error) error {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if err := s.refind(); err != nil {
		return err
	}
	f, err := s.current()
	if err != nil {
		return err
	}
	return s.run(f, func(db *bolt.DB) error { return db.Update(fn) })
}

// refind opens the file at the path again when the open one is no longer it:
// somebody removed or replaced it, and what is written now would be lost with
// the process.
func (s *Store) refind() error {
	f, err := s.current()
	if err != nil {
		return err
	}
	if s.inPlace(f) {
		return nil
	}
	return s.replace(f, false)
}

// inPlace reports whether f is the file at the path.
func (s *Store) inPlace(f *file) bool {
	mine, err := f.fd.Stat()
	if err != nil {
		return false
	}
	at, err := os.Lstat(s.path)
	return err == nil && os.SameFile(at, mine)
}

// run runs one transaction. When it shows that the file is damaged or the
// mapping lost, the file is replaced or opened again for the transactions to
// come; this one fails all the same, as its caller must not hide anything.
func (s *Store) run(f *file, fn func(*bolt.DB) error) error {
	err := guard(func() error { return fn(f.DB) })
	switch {
	case isDamage(err):
		return errors.Join(err, s.replace(f, true))
	case errors.Is(err, berrors.ErrInvalidMapping):
		return errors.Join(err, s.replace(f, false))
	case errors.Is(err, berrors.ErrDatabaseNotOpen):
		return ErrClosed
	}
	return err
}

// replace swaps the file old for a new opening of it, or for a new file when it
// is damaged. The old database is abandoned with its mapping: transactions that
// still read it must not fault, and its locks may be held for ever.
func (s *Store) replace(old *file, bad bool) error {
	s.dbMu.Lock()
	defer s.dbMu.Unlock()
	if s.closed || s.db != old {
		return nil
	}
	s.db = nil
	old.broken = true
	if s.healed++; s.healed > maxHeals {
		_ = old.close()
		return fmt.Errorf("given up after %d replacements: %w", maxHeals, ErrClosed)
	}
	s.forget()
	if !bad || s.o.ReadOnly {
		_ = old.close()
		return s.open()
	}
	to, err := setAside(s.path, old)
	if err != nil {
		return err
	}
	s.damaged = to
	return s.open()
}
