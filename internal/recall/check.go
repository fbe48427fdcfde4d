package recall

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"

	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// errMoved says that the locked file is no longer the one at the path: another
// process set it aside while this one waited for the lock.
var errMoved = errors.New("store was replaced while it was being opened")

// precheck looks at the heads before bbolt does. A file without a freelist
// makes bbolt scan it in a goroutine that nothing can guard; this store never
// writes such a file, so it is not ours.
func precheck(fd *os.File, readOnly bool) error {
	fi, err := fd.Stat()
	if err != nil {
		return err
	}
	if !fi.Mode().IsRegular() {
		return fmt.Errorf("open store %s: not a regular file", fd.Name())
	}
	if fi.Mode().Perm() != 0o600 && !readOnly {
		if err := fd.Chmod(0o600); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
	}
	for at := int64(0); at <= 1<<24; at = max(1024, 2*at) {
		var head [80]byte
		if n, _ := fd.ReadAt(head[:], at); n < len(head) {
			break
		}
		const magic, freelist = 16, 48 // after a page head of 16 bytes
		if binary.NativeEndian.Uint32(head[magic:]) == 0xED0CDAED &&
			binary.NativeEndian.Uint64(head[freelist:]) == math.MaxUint64 {
			return errDamaged("no freelist")
		}
	}
	return nil
}

// check walks the whole index of a freshly opened file, under its lock, so
// that damage is found now and not in the middle of a request. The bytes of
// large originals are not read: [Store.Get] compares their hash.
func check(f *file, path string, existed, readOnly bool) error {
	at, err := os.Lstat(path)
	if err != nil {
		return errMoved
	}
	mine, err := f.fd.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(at, mine) {
		return errMoved
	}
	fresh, old := false, false
	err = f.View(func(tx *bolt.Tx) error {
		if tx.Size() > mine.Size() {
			return errDamaged(fmt.Sprintf("%d bytes of %d", mine.Size(), tx.Size()))
		}
		meta := tx.Bucket(bMeta)
		if meta == nil {
			fresh = true
			return nil
		}
		if v := string(meta.Get([]byte("version"))); v != version {
			if len(v) > len(version) || v > version {
				return fmt.Errorf("layout %q: %w", v, ErrNewer)
			}
			return errDamaged(fmt.Sprintf("layout %q", v))
		}
		old = tx.Bucket(bSessions) == nil
		return walk(tx)
	})
	switch {
	case err != nil:
		return err
	case fresh && existed:
		// An empty file is what a crash leaves; a bbolt file without our buckets
		// is somebody else's.
		return errDamaged("not a store")
	case readOnly:
		return nil
	case fresh, old:
		return create(f.DB)
	}
	return nil
}

// walk reads every key, and the head of every original.
func walk(tx *bolt.Tx) error {
	for _, name := range buckets {
		if &name[0] == &bSessions[0] && tx.Bucket(name) == nil {
			continue // a store of before upkeep; check makes the bucket
		}
		b, err := bucket(tx, name)
		if err != nil {
			return err
		}
		var last []byte
		err = b.ForEach(func(k, v []byte) error {
			switch {
			case v == nil:
				return errDamaged("a bucket in " + string(name))
			case last != nil && bytes.Compare(last, k) >= 0:
				return errDamaged("keys out of order in " + string(name))
			case &name[0] == &bOriginals[0] && (len(k) != marker.KeyLen || len(v) == 0 || v[0] > coderZstd):
				return errDamaged("an original")
			}
			last = k
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// create makes the buckets that are missing: all of a new store, or those that
// were added to the layout. Releases from before an addition pass over it, so
// that the version stays and going back to them works.
func create(db *bolt.DB) error {
	return db.Update(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			if _, err := tx.CreateBucketIfNotExists(name); err != nil {
				return err
			}
		}
		return tx.Bucket(bMeta).Put([]byte("version"), []byte(version))
	})
}
