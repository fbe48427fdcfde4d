package recall

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// maxPart bounds a name inside a key; bbolt refuses keys over 32 KB, and a
// strange session id must not make every Put fail.
const maxPart = 512

// part appends a name to a key so that no two lists of names give the same key
// and a shorter list is a prefix of a longer one.
func part(key []byte, name string) []byte {
	if len(name) > maxPart {
		sum := sha256.Sum256([]byte(name))
		name = string(sum[:])
	}
	return append(binary.AppendUvarint(key, uint64(len(name))), name...)
}

func loopKey(session, loop string) []byte { return part(part(nil, session), loop) }

// scan yields the entries whose keys begin with prefix, in order. The bucket
// must not be changed meanwhile.
func scan(b *bolt.Bucket, prefix []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(k, v []byte) bool) {
		c := b.Cursor()
		for k, v := c.Seek(prefix); k != nil && bytes.HasPrefix(k, prefix); k, v = c.Next() {
			if !yield(k, v) {
				return
			}
		}
	}
}
