package recall

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"

	bolt "go.etcd.io/bbolt"
)

// Bounds of what is kept of loops in memory and of recalls in the log.
const (
	maxLoops = 512
	maxLog   = 10000
)

// remember adds stored items to the caches.
func (s *Store) remember(items []Item) {
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	s.puts++
	for _, it := range items {
		s.addLive(it.Issue.Key)
		if it.Issue.ToolUseID == "" {
			continue
		}
		// A loop that is not cached is read from the file when it is asked for.
		if m := s.cuts[string(loopKey(it.Issue.Session, it.Issue.Loop))]; m != nil {
			m[it.Issue.ToolUseID] = true
		}
	}
}

// CutCalls returns the tool_use_ids whose results were cut in this loop. The
// map is the caller's own.
func (s *Store) CutCalls(session, loop string) map[string]bool {
	s.noteSession(session)
	key := loopKey(session, loop)
	s.cacheMu.Lock()
	m, ok := s.cuts[string(key)]
	if ok {
		defer s.cacheMu.Unlock()
		return maps.Clone(m)
	}
	puts := s.puts
	s.cacheMu.Unlock()

	m, err := s.readCuts(key)
	if err != nil {
		return map[string]bool{}
	}
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	if puts == s.puts { // else a Put came between reading and now: read again next time
		if len(s.cuts) >= maxLoops {
			clear(s.cuts)
		}
		s.cuts[string(key)] = maps.Clone(m)
	}
	return m
}

func (s *Store) readCuts(key []byte) (map[string]bool, error) {
	m := map[string]bool{}
	err := s.view(func(tx *bolt.Tx) error {
		b, err := bucket(tx, bCuts)
		if err != nil {
			return err
		}
		for k := range scan(b, key) {
			n, size := binary.Uvarint(k[len(key):])
			if id := k[len(key)+max(size, 0):]; size > 0 && n == uint64(len(id)) {
				m[string(id)] = true
			}
		}
		return nil
	})
	return m, err
}

// Offer notes, for good, that this loop was offered the recall tool.
func (s *Store) Offer(session, loop string) error {
	if s.Offered(session, loop) {
		return nil
	}
	key := loopKey(session, loop)
	err := s.update(func(tx *bolt.Tx) error { return s.set(tx, bOffers, key, stamp(s.o.Now())) })
	if err != nil {
		return fmt.Errorf("note offer: %w", err)
	}
	s.addOffer(key)
	return nil
}

// Offered reports whether this loop was ever offered the recall tool.
func (s *Store) Offered(session, loop string) bool {
	s.noteSession(session)
	key := loopKey(session, loop)
	s.cacheMu.Lock()
	_, ok := s.offers[string(key)]
	s.cacheMu.Unlock()
	if ok {
		return true
	}
	err := s.view(func(tx *bolt.Tx) (err error) {
		ok, err = has(tx, bOffers, key)
		return err
	})
	if err != nil || !ok {
		return false
	}
	s.addOffer(key)
	return true
}

func (s *Store) addOffer(key []byte) {
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	if len(s.offers) >= maxLoops {
		clear(s.offers)
	}
	s.offers[string(key)] = struct{}{}
}

// Recalled logs a recall. Only keys that were issued here count towards
// [Store.Counts].
func (s *Store) Recalled(e RecallEvent) error {
	if e.Time.IsZero() {
		e.Time = s.o.Now()
	}
	s.noteSession(e.Session)
	v, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("log recall: %w", err)
	}
	err = s.update(func(tx *bolt.Tx) error {
		b, err := bucket(tx, bLog)
		if err != nil {
			return err
		}
		seq, err := b.NextSequence()
		if err != nil {
			return err
		}
		if seq > maxLog {
			if err := s.del(tx, bLog, binary.BigEndian.AppendUint64(nil, seq-maxLog)); err != nil {
				return err
			}
		}
		if err := s.set(tx, bLog, binary.BigEndian.AppendUint64(nil, seq), v); err != nil {
			return err
		}
		return s.countRecall(tx, e)
	})
	if err != nil {
		return fmt.Errorf("log recall: %w", err)
	}
	return nil
}

func (s *Store) countRecall(tx *bolt.Tx, e RecallEvent) error {
	key := []byte(e.Key)
	for _, name := range [][]byte{bOriginals, bExpired} {
		ok, err := has(tx, name, key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		again, err := has(tx, bRecalled, key)
		if err != nil {
			return err
		}
		if !again {
			if err := s.count(tx, "recalled"); err != nil {
				return err
			}
		}
		return s.set(tx, bRecalled, key, stamp(e.Time))
	}
	return nil
}

// Counts returns how many distinct keys were issued and how many of them were
// recalled. Their quotient is the regret.
func (s *Store) Counts() (pruned, recalled int64, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		b, err := bucket(tx, bMeta)
		if err != nil {
			return err
		}
		pruned = int64(number(b.Get([]byte("pruned"))))
		recalled = int64(number(b.Get([]byte("recalled"))))
		return nil
	})
	if err != nil {
		return 0, 0, fmt.Errorf("count keys: %w", err)
	}
	return pruned, recalled, nil
}
