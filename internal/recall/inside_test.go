package recall

import (
	"testing"

	bolt "go.etcd.io/bbolt"
)

// keysOf lists the keys of a bucket.
func keysOf(t testing.TB, s *Store, name []byte) (keys []string) {
	t.Helper()
	err := s.view(func(tx *bolt.Tx) error {
		return tx.Bucket(name).ForEach(func(k, _ []byte) error {
			keys = append(keys, string(k))
			return nil
		})
	})
	if err != nil {
		t.Fatalf("read %s: %v", name, err)
	}
	return keys
}
