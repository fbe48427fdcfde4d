package recall

import (
	"sync"

	bolt "go.etcd.io/bbolt"
)

// entry names one key of one bucket.
type entry struct{ bucket, key string }

// dirty collects what is written while a compaction copies, so that the copy
// can follow. It is filled under the store's writeMu; mu is for those who look
// at it without.
type dirty struct {
	mu  sync.Mutex
	set map[entry]struct{} // nil: nobody copies
}

func (d *dirty) note(name, key []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.set != nil {
		d.set[entry{string(name), string(key)}] = struct{}{}
	}
}

// take returns what was noted and begins anew. The caller holds writeMu: what is
// noted is then either in the file or was given up.
func (d *dirty) take() []entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]entry, 0, len(d.set))
	for e := range d.set {
		out = append(out, e)
	}
	d.set = map[entry]struct{}{}
	return out
}

func (d *dirty) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set = nil
}

// set and del are the only ways in which this package writes to a bucket once
// it is made: a compaction has to hear of each write.
func (s *Store) set(tx *bolt.Tx, name, key, value []byte) error {
	b, err := bucket(tx, name)
	if err != nil {
		return err
	}
	s.dirty.note(name, key)
	return b.Put(key, value)
}

func (s *Store) del(tx *bolt.Tx, name, key []byte) error {
	b, err := bucket(tx, name)
	if err != nil {
		return err
	}
	s.dirty.note(name, key)
	return b.Delete(key)
}
