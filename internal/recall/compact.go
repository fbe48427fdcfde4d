package recall

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// A compaction copies the store into a new file while everybody goes on, in
// chunks that hold nobody up, follows what was written meanwhile, and swaps the
// files under the write lock. At every moment the file at the path is a whole
// store that holds everything that was acknowledged.

const (
	// chunkKeys and chunkBytes bound one piece of reading and copying, dropKeys and
	// dropBytes one transaction of removals: a Put waits for one of these, and its
	// sync for what was just copied. Removals are scattered over the whole file.
	chunkKeys  = 512
	chunkBytes = 1 << 20
	dropKeys   = 48
	dropBytes  = 1 << 20
	// fewDirty is what may be left to copy under the write lock.
	fewDirty = 32
	// spare is what a copy must leave free on the disk.
	spare = 1 << 20
)

func (s *Store) copyPath() string { return s.path + ".compact" }

// Compact writes the file anew without its free pages. Nothing waits for it but
// for the moment of the swap. When it fails, the store is as it was.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.take(ctx); err != nil {
		return fmt.Errorf("compact store: %w", err)
	}
	defer s.yield()
	return s.compact(ctx)
}

// take waits for the turn to do upkeep.
func (s *Store) take(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Store) yield() { <-s.turn }

func (s *Store) compact(ctx context.Context) error {
	c, err := s.beginCopy()
	if err == nil {
		err = c.run(ctx)
	}
	if err != nil {
		return fmt.Errorf("compact store: %w", err)
	}
	return nil
}

// copying is one compaction.
type copying struct {
	s        *Store
	old, new *file
	swapped  bool
}

// beginCopy makes the new file. From here on writes are noted.
func (s *Store) beginCopy() (*copying, error) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if err := s.refind(); err != nil {
		return nil, err
	}
	old, err := s.current()
	if err != nil {
		return nil, err
	}
	need := s.size() - s.free()
	if free, known := room(filepath.Dir(s.path)); known && free < need+need/4+spare {
		return nil, fmt.Errorf("%d bytes free, %d to copy: %w", free, need, errNoRoom)
	}
	if err := os.Remove(s.copyPath()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	f, err := newCopy(s.copyPath(), s.o)
	if err != nil {
		return nil, err
	}
	s.dirty.take()
	return &copying{s: s, old: old, new: f}, nil
}

var errNoRoom = errors.New("too little room on the disk")

// newCopy makes an empty store at path, which must not exist. It is locked from
// the start, so that after the swap nobody can take it first.
func newCopy(path string, o Options) (*file, error) {
	f := &file{}
	err := guard(func() error {
		db, err := bolt.Open(path, 0o600, &bolt.Options{
			Timeout: o.Timeout, NoSync: true, FreelistType: bolt.FreelistMapType,
			OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
				fd, err := os.OpenFile(name, flag|os.O_EXCL|noFollow, mode)
				f.fd = fd
				return fd, err
			},
		})
		if err != nil {
			return err
		}
		f.DB = db
		db.AllocSize = 1 << 20 // grows, and syncs, by that much
		return create(db)
	})
	if err != nil && f.fd != nil {
		_ = f.close()
		_ = os.Remove(path)
	}
	return f, err
}

func (c *copying) run(ctx context.Context) error {
	defer c.s.dirty.end()
	defer func() {
		if !c.swapped {
			_ = c.new.close()
			_ = os.Remove(c.s.copyPath())
		}
	}()
	c.at("begun")
	for _, name := range buckets {
		if err := c.bucket(ctx, name); err != nil {
			return err
		}
	}
	c.at("copied")
	if err := c.follow(ctx); err != nil {
		return err
	}
	if err := c.sync(); err != nil {
		return err
	}
	c.at("synced")
	err := c.swap()
	if c.swapped {
		c.at("swapped")
		err = errors.Join(err, c.old.close()) // waits for those who still read it
	}
	return err
}

func (c *copying) at(step string) {
	if c.s.step != nil {
		c.s.step(step, c)
	}
}

// pair is an entry and its value; nil: there is none any more.
type pair struct{ key, value []byte }

// bucket copies all of a bucket, a chunk at a time.
func (c *copying) bucket(ctx context.Context, name []byte) error {
	var after []byte
	for {
		began := time.Now()
		chunk, err := c.s.chunk(name, after)
		if err == nil {
			err = c.still()
		}
		if err != nil || len(chunk) == 0 {
			return err
		}
		if err := c.write(map[string][]pair{string(name): chunk}); err != nil {
			return err
		}
		after = chunk[len(chunk)-1].key
		if err := rest(ctx, time.Since(began)); err != nil {
			return err
		}
	}
}

// chunk reads the entries after a key, copied out of the mapped file.
func (s *Store) chunk(name, after []byte) (out []pair, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		out = nil
		b, err := bucket(tx, name)
		if err != nil {
			return err
		}
		cur, size := b.Cursor(), 0
		k, v := cur.Seek(after)
		if after != nil && string(k) == string(after) {
			k, v = cur.Next()
		}
		for ; k != nil && len(out) < chunkKeys && size < chunkBytes; k, v = cur.Next() {
			out = append(out, pair{slices.Clone(k), append([]byte{}, v...)})
			size += len(k) + len(v)
		}
		return nil
	})
	return out, err
}

// still reports, by an error, that the store's file is no longer the one that
// is being copied.
func (c *copying) still() error {
	if now, err := c.s.current(); err != nil || now != c.old {
		return errors.Join(errMoved, err)
	}
	return nil
}

// write puts entries into the copy. Those of one bucket are in order.
func (c *copying) write(entries map[string][]pair) error {
	return guard(func() error {
		return c.new.Update(func(tx *bolt.Tx) error {
			for name, pairs := range entries {
				b, err := bucket(tx, []byte(name))
				if err != nil {
					return err
				}
				b.FillPercent = 0.9 // they come in order, for the most part
				for _, p := range pairs {
					if p.value == nil {
						err = b.Delete(p.key)
					} else {
						err = b.Put(p.key, p.value)
					}
					if err != nil {
						return err
					}
				}
			}
			return nil
		})
	})
}

// follow copies what was written meanwhile, until little is left or it is clear
// that somebody writes as fast as this copies.
func (c *copying) follow(ctx context.Context) error {
	for range 8 {
		c.s.writeMu.Lock()
		changed := c.s.dirty.take()
		c.s.writeMu.Unlock()
		for part := range slices.Chunk(changed, fewDirty) {
			if err := c.again(part); err != nil {
				return err
			}
			if err := rest(ctx, 0); err != nil {
				return err
			}
		}
		if len(changed) <= fewDirty {
			return nil
		}
	}
	return nil
}

// again copies single entries as they are now.
func (c *copying) again(changed []entry) error {
	slices.SortFunc(changed, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	entries := map[string][]pair{}
	err := c.s.view(func(tx *bolt.Tx) error {
		clear(entries)
		for _, e := range changed {
			b, err := bucket(tx, []byte(e.bucket))
			if err != nil {
				return err
			}
			p := pair{key: []byte(e.key)}
			if v := b.Get(p.key); v != nil {
				p.value = append([]byte{}, v...)
			}
			entries[e.bucket] = append(entries[e.bucket], p)
		}
		return nil
	})
	if err == nil {
		err = c.still()
	}
	if err != nil {
		return err
	}
	return c.write(entries)
}

func (c *copying) sync() error {
	if c.s.o.NoSync {
		return nil
	}
	return guard(c.new.Sync)
}

// swap copies the last changes, puts the new file in the old one's place and
// goes on with it. A write waits meanwhile: for one small transaction and the
// syncs, no more.
func (c *copying) swap() error {
	s := c.s
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if err := s.refind(); err != nil { // the path may have got another file
		return err
	}
	if err := c.still(); err != nil {
		return err
	}
	if err := c.again(s.dirty.take()); err != nil {
		return err
	}
	if err := c.sequences(); err != nil {
		return err
	}
	if err := c.sync(); err != nil {
		return err
	}
	c.at("ready")
	if err := os.Rename(s.copyPath(), s.path); err != nil {
		return err
	}
	c.at("renamed")
	c.swapped = true
	// When this fails the new file is in place all the same; only a power cut could
	// bring the old one back, which is a whole store, too.
	err := syncDir(filepath.Dir(s.path))
	c.new.NoSync, c.new.AllocSize = s.o.NoSync, c.old.AllocSize
	s.dbMu.Lock()
	s.db = c.new
	s.dbMu.Unlock()
	return err
}

// sequences copies the buckets' counters, from which new keys are made.
func (c *copying) sequences() error {
	next := map[string]uint64{}
	err := c.s.view(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			b, err := bucket(tx, name)
			if err != nil {
				return err
			}
			next[string(name)] = b.Sequence()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return guard(func() error {
		return c.new.Update(func(tx *bolt.Tx) error {
			for name, n := range next {
				if err := tx.Bucket([]byte(name)).SetSequence(n); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// rest lets others have the disk for as long as the last piece of work took, so
// that upkeep takes half of it at most.
func rest(ctx context.Context, d time.Duration) error {
	if d = min(d, 100*time.Millisecond); d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-ctx.Done():
		case <-t.C:
		}
	}
	return ctx.Err()
}

// size is the file's length in bytes, free what a compaction would give back.
func (s *Store) size() int64 {
	if fi, err := os.Lstat(s.path); err == nil {
		return fi.Size()
	}
	return 0
}

func (s *Store) free() (n int64) {
	_ = s.view(func(tx *bolt.Tx) error {
		st := tx.DB().Stats()
		n = int64(st.FreePageN+st.PendingPageN) * int64(tx.DB().Info().PageSize)
		return nil
	})
	return n
}
