package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// What is kept, and for how long.
const (
	// KeepFor is how long an original is kept after the last sign of its life.
	KeepFor = 30 * 24 * time.Hour
	// MaxBytes is what originals may take together; the oldest go first.
	MaxBytes = 200_000_000
	// LiveFor is how long a session counts as live after it was last heard of:
	// whatever it shows is kept, also over MaxBytes.
	LiveFor = 7 * 24 * time.Hour

	keepLoops   = 90 * 24 * time.Hour  // cuts and offers of sessions that are gone
	keepExpired = 365 * 24 * time.Hour // "expired" then becomes "never issued"
	keepDamaged = 30 * 24 * time.Hour
)

// Limits say what [Store.Upkeep] removes. The zero value is what the daemon
// keeps to.
type Limits struct {
	// Older than that may go. 0: [KeepFor].
	Older time.Duration
	// MaxBytes is what may stay. 0: [MaxBytes]; below 0: nothing but what is live.
	MaxBytes int64
	// All removes every original, also of live sessions, the log of recalls and
	// every damaged store that was set aside.
	All bool
	// DryRun only counts.
	DryRun bool
	// Patient expires nothing when the last patient upkeep lies further back than
	// [LiveFor]: whoever comes back after a long pause, or a clock that jumped, is
	// heard of before anything goes.
	Patient bool
}

// Report is what an upkeep did, or with DryRun would have done.
type Report struct {
	Removed      int   `json:"removed"`
	RemovedBytes int64 `json:"removed_bytes"`
	Kept         int   `json:"kept"`
	KeptBytes    int64 `json:"kept_bytes"`
	// Held would have gone, were it not for live sessions.
	Held int `json:"held"`
	// Sessions still hold markers of what was kept, Lost ones of what was removed.
	Sessions int `json:"sessions"`
	Lost     int `json:"lost"`
	// Damaged stores removed, and their bytes.
	Damaged      int   `json:"damaged"`
	DamagedBytes int64 `json:"damaged_bytes"`
	// Before and After are the file's length.
	Before int64 `json:"before"`
	After  int64 `json:"after"`
	// Compacted says that the file was written anew.
	Compacted bool `json:"compacted"`
	// Waited says that nothing was expired because of Patient.
	Waited bool `json:"waited"`
}

// Upkeep removes what is over the limits and gives the space back. It works in
// small pieces, with pauses, and stops when ctx is done: what it had done by
// then is done, and reported.
func (s *Store) Upkeep(ctx context.Context, l Limits) (Report, error) {
	var r Report
	if l.Older == 0 {
		l.Older = KeepFor
	}
	if l.MaxBytes == 0 {
		l.MaxBytes = MaxBytes
	}
	if err := s.take(ctx); err != nil {
		return r, fmt.Errorf("keep store: %w", err)
	}
	defer s.yield()
	r.Before = s.size()
	err := s.upkeep(ctx, l, &r)
	r.After = s.size()
	if err != nil {
		return r, fmt.Errorf("keep store: %w", err)
	}
	return r, nil
}

func (s *Store) upkeep(ctx context.Context, l Limits, r *Report) error {
	if !l.DryRun {
		if err := s.writeSessions(); err != nil {
			return err
		}
	}
	if l.Patient {
		r.Waited = s.wasAway()
	}
	if err := s.expireOver(ctx, l, r); err != nil {
		return err
	}
	err := s.dropDamaged(l, r)
	if l.DryRun {
		return err
	}
	err = errors.Join(err, s.sweepAll(ctx, l))
	if l.Patient && err == nil {
		now := stamp(s.o.Now())
		err = s.update(func(tx *bolt.Tx) error { return s.set(tx, bMeta, []byte("upkeep"), now) })
	}
	if err == nil && s.worthCompacting(l) {
		if err = s.compact(ctx); err == nil {
			r.Compacted = true
		}
	}
	return err
}

// wasAway reports whether the last patient upkeep lies far back, or ahead: then
// the times in the file say little.
func (s *Store) wasAway() bool {
	away := true
	_ = s.view(func(tx *bolt.Tx) error {
		if b := tx.Bucket(bMeta); b != nil {
			away = s.o.Now().Sub(unstamp(b.Get([]byte("upkeep")))).Abs() > LiveFor
		}
		return nil
	})
	return away
}

// worthCompacting: a quarter of the file and a megabyte are free, or whatever
// somebody removed by hand, who wants to see it gone.
func (s *Store) worthCompacting(l Limits) bool {
	free := s.free()
	if !l.Patient {
		return free > 1<<16
	}
	return free > max(s.size()/4, 1<<20)
}

// dropDamaged removes stores that were set aside long ago.
func (s *Store) dropDamaged(l Limits, r *Report) error {
	dir := filepath.Dir(s.path)
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), filepath.Base(s.path)+".damaged-") || !e.Type().IsRegular() {
			continue
		}
		fi, err := e.Info()
		if err != nil || !l.All && s.o.Now().Sub(fi.ModTime()) < keepDamaged {
			continue
		}
		if !l.DryRun {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		r.Damaged++
		r.DamagedBytes += fi.Size()
	}
	return errors.Join(errs...)
}
