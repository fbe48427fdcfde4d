package recall

import (
	"bytes"
	"encoding/json"
	"fmt"

	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// maxLive bounds the set of keys known to be live.
const maxLive = 1 << 16

// isKey reports whether k has the form of a key; nothing else is looked up.
func isKey(k marker.Key) bool {
	if len(k) != marker.KeyLen {
		return false
	}
	for i := range len(k) {
		if c := k[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Get returns the original bytes of k. It fails with [ErrNotFound] for a key
// that was never issued here (or is no key at all, or whose text is damaged)
// and with [ErrExpired] for one whose text is no longer kept.
func (s *Store) Get(k marker.Key) (string, error) {
	if !isKey(k) {
		return "", fmt.Errorf("%w: not a key", ErrNotFound)
	}
	var packed []byte
	expired := false
	err := s.view(func(tx *bolt.Tx) error {
		b, err := bucket(tx, bOriginals)
		if err != nil {
			return err
		}
		// Cloned here and unpacked later: a long transaction would hold up a Put
		// that has to grow the mapping.
		packed = bytes.Clone(b.Get([]byte(k)))
		if packed == nil {
			expired, err = has(tx, bExpired, []byte(k))
		}
		return err
	})
	switch {
	case err != nil:
		return "", fmt.Errorf("get %s: %w", k, err)
	case expired:
		return "", fmt.Errorf("get %s: %w", k, ErrExpired)
	case packed == nil:
		return "", fmt.Errorf("get %s: %w", k, ErrNotFound)
	}
	text, err := s.unpack(packed)
	if err == nil && marker.KeyOf(text) != k {
		err = fmt.Errorf("does not hash to its key")
	}
	if err != nil {
		return "", fmt.Errorf("get %s: stored text is damaged (%v): %w", k, err, ErrNotFound)
	}
	return text, nil
}

// Live reports whether k was issued here and its original is still kept.
func (s *Store) Live(k marker.Key) bool {
	if !isKey(k) {
		return false
	}
	s.cacheMu.Lock()
	_, ok := s.live[k]
	drops := s.drops
	s.cacheMu.Unlock()
	if ok {
		return true
	}
	err := s.view(func(tx *bolt.Tx) (err error) {
		ok, err = has(tx, bOriginals, []byte(k))
		return err
	})
	if err != nil || !ok {
		return false
	}
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	if drops == s.drops { // else it may have expired between reading and now
		s.addLive(k)
	}
	return true
}

// addLive needs cacheMu.
func (s *Store) addLive(k marker.Key) {
	if len(s.live) >= maxLive {
		clear(s.live)
	}
	s.live[k] = struct{}{}
}

func has(tx *bolt.Tx, name, key []byte) (bool, error) {
	b, err := bucket(tx, name)
	if err != nil {
		return false, err
	}
	return b.Get(key) != nil, nil
}

// Issued returns the newest issuance of k, of the session where it has one,
// and whether there is any.
func (s *Store) Issued(k marker.Key, session string) (Issue, bool) {
	if !isKey(k) {
		return Issue{}, false
	}
	var best Issue
	found := false
	err := s.view(func(tx *bolt.Tx) error {
		b, err := bucket(tx, bIssues)
		if err != nil {
			return err
		}
		for _, v := range scan(b, []byte(k)) {
			var is issued
			if json.Unmarshal(v, &is) != nil {
				continue
			}
			if !found || is.Session == session || best.Session != session {
				best, found = is.Issue, true
			}
		}
		return nil
	})
	if err != nil || !found {
		return Issue{}, false
	}
	best.Key = k
	return best, true
}

// Expire drops the original of k and leaves a small tombstone, so that a later
// recall can be told that the key existed. Unknown keys are left unknown.
func (s *Store) Expire(k marker.Key) error {
	err := s.update(func(tx *bolt.Tx) error { return s.expire(tx, k, stamp(s.o.Now())) })
	if err != nil {
		return fmt.Errorf("expire %s: %w", k, err)
	}
	s.dead(k)
	return nil
}

// dead takes keys out of the cache of live ones.
func (s *Store) dead(keys ...marker.Key) {
	s.cacheMu.Lock()
	defer s.cacheMu.Unlock()
	s.drops++
	for _, k := range keys {
		delete(s.live, k)
	}
}

// expire also drops the issuances: nobody is shown the key's lines any more.
func (s *Store) expire(tx *bolt.Tx, k marker.Key, at []byte) error {
	if ok, err := has(tx, bOriginals, []byte(k)); err != nil || !ok {
		return err
	}
	b, err := bucket(tx, bIssues)
	if err != nil {
		return err
	}
	var issues [][]byte
	for key := range scan(b, []byte(k)) {
		issues = append(issues, bytes.Clone(key))
	}
	for _, key := range issues {
		if err := s.del(tx, bIssues, key); err != nil {
			return err
		}
	}
	if err := s.del(tx, bOriginals, []byte(k)); err != nil {
		return err
	}
	return s.set(tx, bExpired, []byte(k), at)
}
