package recall

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// maxIssues bounds the issuances kept for one key, newest kept: the same text
// may be hidden again for ever.
const maxIssues = 64

// issued is the stored form of an [Issue].
type issued struct {
	Issue
	Time time.Time `json:"time"`
}

// Put stores the originals and their issuances in one transaction, synced
// before it returns. When it fails, nothing of it is stored and nothing may be
// hidden.
func (s *Store) Put(items []Item) error {
	if len(items) == 0 {
		return nil
	}
	packed := make([][]byte, len(items))
	for i, it := range items {
		if len(it.Text) > MaxText {
			return fmt.Errorf("store %s: %d bytes: %w", it.Issue.Key, len(it.Text), ErrTooLarge)
		}
		if it.Issue.Key != marker.KeyOf(it.Text) {
			return fmt.Errorf("store %q: %w", it.Issue.Key, ErrKey)
		}
		packed[i] = s.pack(it.Text)
	}
	now := s.o.Now()
	err := s.update(func(tx *bolt.Tx) error {
		for i, it := range items {
			if err := s.putOriginal(tx, it.Issue.Key, packed[i]); err != nil {
				return err
			}
			if err := s.putIssue(tx, it.Issue, now); err != nil {
				return err
			}
			if err := s.putSession(tx, it.Issue.Session, now); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("store %d originals: %w", len(items), err)
	}
	s.remember(items)
	return nil
}

// Try writes about as much as a usual original takes, and takes it out again: it
// says whether the store can be written.
func (s *Store) Try() error {
	key := []byte("try")
	err := s.update(func(tx *bolt.Tx) error { return s.set(tx, bMeta, key, make([]byte, 64<<10)) })
	if err == nil {
		err = s.update(func(tx *bolt.Tx) error { return s.del(tx, bMeta, key) })
	}
	if err != nil {
		return fmt.Errorf("try store: %w", err)
	}
	return nil
}

// putOriginal stores one text. A text that is there already is compared, not
// trusted: this is the last moment at which a damaged copy can be made good.
func (s *Store) putOriginal(tx *bolt.Tx, k marker.Key, packed []byte) error {
	b, err := bucket(tx, bOriginals)
	if err != nil {
		return err
	}
	exp, err := bucket(tx, bExpired)
	if err != nil {
		return err
	}
	key := []byte(k)
	old := b.Get(key)
	if bytes.Equal(old, packed) {
		return nil
	}
	if old == nil {
		if exp.Get(key) == nil {
			if err := s.count(tx, "pruned"); err != nil {
				return err
			}
		}
		if err := s.del(tx, bExpired, key); err != nil {
			return err
		}
	}
	return s.set(tx, bOriginals, key, packed)
}

func (s *Store) putIssue(tx *bolt.Tx, is Issue, now time.Time) error {
	b, err := bucket(tx, bIssues)
	if err != nil {
		return err
	}
	v, err := json.Marshal(issued{is, now})
	if err != nil {
		return err
	}
	if err := s.makeRoom(tx, b, []byte(is.Key), is.Session); err != nil {
		return err
	}
	seq, err := b.NextSequence()
	if err != nil {
		return err
	}
	if err := s.set(tx, bIssues, binary.BigEndian.AppendUint64([]byte(is.Key), seq), v); err != nil {
		return err
	}
	if is.ToolUseID == "" {
		return nil
	}
	return s.set(tx, bCuts, part(loopKey(is.Session, is.Loop), is.ToolUseID), stamp(now))
}

// makeRoom deletes the oldest issuances of a key so that one more fits: those
// of the session that gets a newer one before those of others, which may be all
// that says that the others still show it.
func (s *Store) makeRoom(tx *bolt.Tx, b *bolt.Bucket, prefix []byte, session string) error {
	var own, others [][]byte
	for k, v := range scan(b, prefix) {
		if shownBy(v).Session == session {
			own = append(own, bytes.Clone(k))
		} else {
			others = append(others, bytes.Clone(k))
		}
	}
	keys := append(own, others...)
	for len(keys) >= maxIssues {
		if err := s.del(tx, bIssues, keys[0]); err != nil {
			return err
		}
		keys = keys[1:]
	}
	return nil
}

// count adds one to a counter of the meta bucket.
func (s *Store) count(tx *bolt.Tx, name string) error {
	b, err := bucket(tx, bMeta)
	if err != nil {
		return err
	}
	return s.set(tx, bMeta, []byte(name), binary.BigEndian.AppendUint64(nil, number(b.Get([]byte(name)))+1))
}

func number(v []byte) uint64 {
	if len(v) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(v)
}

func stamp(t time.Time) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(t.UnixNano()))
}
