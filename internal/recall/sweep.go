package recall

import (
	"context"
	"time"

	bolt "go.etcd.io/bbolt"
)

// sweepAll drops what no longer says anything: sessions nobody has heard of for
// long, their cuts and offers, very old tombstones, and with All the log.
func (s *Store) sweepAll(ctx context.Context, l Limits) error {
	now := s.o.Now()
	old := func(v []byte, d time.Duration) bool { return now.Sub(unstamp(v)) > d }
	left := func(tx *bolt.Tx, k, v []byte) bool {
		return old(v, keepLoops) && now.Sub(s.lastHeard(tx, sessionOf(k), now)) > keepLoops
	}
	for _, w := range []struct {
		name  []byte
		stale func(tx *bolt.Tx, k, v []byte) bool
	}{
		{bCuts, left},
		{bOffers, left},
		{bSessions, left},
		{bExpired, func(_ *bolt.Tx, _, v []byte) bool { return old(v, keepExpired) }},
		{bRecalled, func(tx *bolt.Tx, k, v []byte) bool {
			return old(v, keepExpired) && tx.Bucket(bOriginals).Get(k) == nil
		}},
		{bLog, func(*bolt.Tx, []byte, []byte) bool { return l.All }},
	} {
		if err := s.sweep(ctx, w.name, w.stale); err != nil {
			return err
		}
	}
	return nil
}

// sweep deletes the stale entries of a bucket, a chunk at a time.
func (s *Store) sweep(ctx context.Context, name []byte, stale func(tx *bolt.Tx, k, v []byte) bool) error {
	var after []byte
	for {
		began := time.Now()
		chunk, err := s.chunk(name, after)
		if err != nil || len(chunk) == 0 {
			return err
		}
		after = chunk[len(chunk)-1].key
		if err := s.sweepChunk(name, chunk, stale); err != nil {
			return err
		}
		if err := rest(ctx, time.Since(began)); err != nil {
			return err
		}
	}
}

// sweepChunk looks without the write lock first: most often nothing is stale.
func (s *Store) sweepChunk(name []byte, chunk []pair, stale func(tx *bolt.Tx, k, v []byte) bool) error {
	some := false
	err := s.view(func(tx *bolt.Tx) error {
		some = false
		for _, p := range chunk {
			some = some || stale(tx, p.key, p.value)
		}
		return nil
	})
	if err != nil || !some {
		return err
	}
	return s.update(func(tx *bolt.Tx) error {
		b, err := bucket(tx, name)
		if err != nil {
			return err
		}
		for _, p := range chunk {
			if v := b.Get(p.key); v == nil || !stale(tx, p.key, v) {
				continue
			}
			if err := s.del(tx, name, p.key); err != nil {
				return err
			}
		}
		return nil
	})
}
