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
			if err := putOriginal(tx, it.Issue.Key, packed[i]); err != nil {
				return err
			}
			if err := putIssue(tx, it.Issue, now); err != nil {
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

// putOriginal stores one text. A text that is there already is compared, not
// trusted: this is the last moment at which a damaged copy can be made good.
func putOriginal(tx *bolt.Tx, k marker.Key, packed []byte) error {
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
			if err := count(tx, "pruned"); err != nil {
				return err
			}
		}
		if err := exp.Delete(key); err != nil {
			return err
		}
	}
	return b.Put(key, packed)
}

func putIssue(tx *bolt.Tx, is Issue, now time.Time) error {
	b, err := bucket(tx, bIssues)
	if err != nil {
		return err
	}
	v, err := json.Marshal(issued{is, now})
	if err != nil {
		return err
	}
	if err := makeRoom(b, []byte(is.Key)); err != nil {
		return err
	}
	seq, err := b.NextSequence()
	if err != nil {
		return err
	}
	if err := b.Put(binary.BigEndian.AppendUint64([]byte(is.Key), seq), v); err != nil {
		return err
	}
	if is.ToolUseID == "" {
		return nil
	}
	cuts, err := bucket(tx, bCuts)
	if err != nil {
		return err
	}
	return cuts.Put(part(loopKey(is.Session, is.Loop), is.ToolUseID), stamp(now))
}

// makeRoom deletes the oldest issuances of a key so that one more fits.
func makeRoom(b *bolt.Bucket, prefix []byte) error {
	var keys [][]byte
	for k := range scan(b, prefix) {
		keys = append(keys, bytes.Clone(k))
	}
	for len(keys) >= maxIssues {
		if err := b.Delete(keys[0]); err != nil {
			return err
		}
		keys = keys[1:]
	}
	return nil
}

// count adds one to a counter of the meta bucket.
func count(tx *bolt.Tx, name string) error {
	b, err := bucket(tx, bMeta)
	if err != nil {
		return err
	}
	return b.Put([]byte(name), binary.BigEndian.AppendUint64(nil, number(b.Get([]byte(name)))+1))
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
