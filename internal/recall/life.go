package recall

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"time"

	bolt "go.etcd.io/bbolt"
)

// An original's life is the newest sign that somebody may still look at it: when
// a marker for it was shown, when it was recalled, when a session that was shown
// one was last heard of.

// sessionEvery is how stale a session's time in the file may be.
const sessionEvery = time.Hour

// noteSession remembers that a session was heard of just now. A nameless one
// is nobody's.
func (s *Store) noteSession(session string) {
	if session == "" {
		return
	}
	s.seenMu.Lock()
	defer s.seenMu.Unlock()
	s.seen[string(part(nil, session))] = s.o.Now()
}

// heard returns when a session, named by its key, was last heard of in this
// process, as the clock now stands.
func (s *Store) heard(key []byte, now time.Time) (time.Time, bool) {
	s.seenMu.Lock()
	defer s.seenMu.Unlock()
	at, ok := s.seen[string(key)]
	return now.Add(-now.Sub(at)), ok
}

// putSession writes a session's time along with something else of it.
func (s *Store) putSession(tx *bolt.Tx, session string, now time.Time) error {
	if session == "" {
		return nil
	}
	s.noteSession(session)
	return s.setSession(tx, part(nil, session), now)
}

func (s *Store) setSession(tx *bolt.Tx, key []byte, at time.Time) error {
	b, err := bucket(tx, bSessions)
	if err != nil {
		return err
	}
	// Only a much later time is worth a page; one that lies ahead is a clock's error.
	if d := at.Sub(unstamp(b.Get(key))); d >= 0 && d < sessionEvery {
		return nil
	}
	return s.set(tx, bSessions, key, stamp(at))
}

// writeSessions writes the times that are only in memory, and forgets there
// those that have no say any more.
func (s *Store) writeSessions() error {
	now := s.o.Now()
	s.seenMu.Lock()
	times := make(map[string]time.Time, len(s.seen))
	for k, at := range s.seen {
		times[k] = now.Add(-now.Sub(at))
		if now.Sub(at) > 2*LiveFor {
			delete(s.seen, k)
		}
	}
	s.seenMu.Unlock()
	if len(times) == 0 {
		return nil
	}
	err := s.update(func(tx *bolt.Tx) error {
		for k, at := range times {
			if err := s.setSession(tx, []byte(k), at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("note sessions: %w", err)
	}
	return nil
}

// lastHeard returns when a session was last heard of, here or before.
func (s *Store) lastHeard(tx *bolt.Tx, key []byte, now time.Time) time.Time {
	var at time.Time
	if b := tx.Bucket(bSessions); b != nil {
		at = unstamp(b.Get(key))
	}
	if t, ok := s.heard(key, now); ok && t.After(at) {
		return t
	}
	return at
}

// shown is the part of an issuance that an original's life depends on.
type shown struct {
	Session string    `json:"session"`
	Time    time.Time `json:"time"`
}

// shownBy reads it; one that cannot be read counts as nobody's.
func shownBy(v []byte) (is shown) {
	_ = json.Unmarshal(v, &is)
	return is
}

// life returns the life of an original and the sessions that show it.
func (s *Store) life(tx *bolt.Tx, key []byte, now time.Time) (at time.Time, sessions []string, err error) {
	issues, err := bucket(tx, bIssues)
	if err != nil {
		return at, nil, err
	}
	recalled, err := bucket(tx, bRecalled)
	if err != nil {
		return at, nil, err
	}
	at = unstamp(recalled.Get(key))
	for _, v := range scan(issues, key) {
		is := shownBy(v)
		at = later(at, is.Time)
		if is.Session != "" {
			at = later(at, s.lastHeard(tx, part(nil, is.Session), now))
			sessions = append(sessions, is.Session)
		}
	}
	return at, sessions, nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// unstamp undoes stamp; what is no stamp is the beginning of time.
func unstamp(v []byte) time.Time {
	if n := number(v); n != 0 && n <= math.MaxInt64 {
		return time.Unix(0, int64(n))
	}
	return time.Unix(0, 0)
}

// sessionOf cuts the session's part off a key that begins with one.
func sessionOf(key []byte) []byte {
	n, size := binary.Uvarint(key)
	if size <= 0 || n > uint64(len(key)-size) {
		return nil
	}
	return bytes.Clone(key[:size+int(n)])
}
