package recall

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// dump is all that a store holds, with the buckets' counters.
func dump(t testing.TB, db *bolt.DB) map[string]string {
	t.Helper()
	out := map[string]string{}
	do(t, db.View(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error {
			out[string(name)] = fmt.Sprint(b.Sequence())
			return b.ForEach(func(k, v []byte) error {
				out[fmt.Sprintf("%s/%x", name, k)] = string(v)
				return nil
			})
		})
	}))
	return out
}

// fat is a store of which most was deleted, and the items that are left.
func fat(t testing.TB, o Options) (*Store, []Item) {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), FileName), o)
	do(t, err)
	t.Cleanup(func() { _ = s.Close() })
	var items []Item
	for i := range 1200 {
		items = append(items, item(fmt.Sprint(i, noise(3000+i)), Issue{First: i, Session: fmt.Sprint("s", i%7), Loop: "main", ToolUseID: fmt.Sprint("t", i)}))
	}
	for chunk := range slices.Chunk(items, 100) {
		put(t, s, chunk...)
	}
	do(t, s.update(func(tx *bolt.Tx) error {
		for _, it := range items[200:] {
			if err := s.expire(tx, it.Issue.Key, stamp(s.o.Now())); err != nil {
				return err
			}
		}
		return nil
	}))
	s.dead(slices.Collect(maps.Keys(s.live))...)
	return s, items[:200]
}

func TestCompact(t *testing.T) {
	s, items := fat(t, Options{NoSync: true})
	before, whole := s.size(), dump(t, s.db.DB)
	do(t, s.Compact(t.Context()))
	if diff := cmp.Diff(whole, dump(t, s.db.DB)); diff != "" {
		t.Errorf("the compacted store differs (-want +got):\n%s", diff)
	}
	if s.size() > before/3 || s.free() > s.size()/4 {
		t.Errorf("%d bytes became %d, %d of them free", before, s.size(), s.free())
	}
	if fi, err := os.Lstat(s.path); err != nil || fi.Mode() != 0o600 {
		t.Errorf("the new file is %v (%v), want 0600", fi.Mode(), err)
	}
	put(t, s, item("after", Issue{Session: "s"}))
	do(t, s.Close())
	again, err := Open(s.path, Options{NoSync: true})
	do(t, err)
	defer again.Close()
	for _, it := range append(items, item("after", Issue{})) {
		if state(t, again, it) != "kept" {
			t.Fatalf("an original is %s after reopening", state(t, again, it))
		}
	}
}

// Everything goes on while the store is compacted over and over, and whatever
// was written is in the file that takes the old one's place.
func TestCompactUnderLoad(t *testing.T) {
	s, items := fat(t, Options{NoSync: true})
	swaps := 0
	s.step = func(step string, c *copying) {
		if step != "ready" {
			return
		}
		swaps++
		if diff := cmp.Diff(dump(t, c.old.DB), dump(t, c.new.DB)); diff != "" {
			t.Errorf("swap %d: the copy differs (-old +copy):\n%s", swaps, diff)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var stored sync.Map
	for g := range 2 {
		wg.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				it := item(fmt.Sprint(g, " ", i, noise(i%4000)), Issue{Session: fmt.Sprint("w", g), Loop: "main", ToolUseID: fmt.Sprint(i)})
				err := errors.Join(s.Put([]Item{it}), s.Put([]Item{items[i%100]}), s.Offer("w", fmt.Sprint(i)), s.Recalled(RecallEvent{Key: it.Issue.Key}))
				if i%3 == 0 {
					err = errors.Join(err, s.Expire(it.Issue.Key))
				} else {
					stored.Store(it.Issue.Key, it.Text)
				}
				if err != nil {
					t.Errorf("while compacting: %v", err)
					return
				}
			}
		})
	}
	wg.Go(func() {
		for i := 0; ctx.Err() == nil; i++ {
			if it := items[i%200]; state(t, s, it) != "kept" || !s.Live(it.Issue.Key) {
				t.Errorf("original %d is not to be had while compacting", i)
				return
			}
		}
	})
	for range 3 {
		do(t, s.Compact(t.Context()))
	}
	upkeep(t, s, Limits{MaxBytes: 10_000})
	cancel()
	wg.Wait()
	if swaps < 3 {
		t.Errorf("%d swaps, want at least 3", swaps)
	}
	n := 0
	stored.Range(func(k, text any) bool {
		n++
		if got, err := s.Get(k.(marker.Key)); err != nil || got != text {
			t.Errorf("Get(%s) after compacting = %d bytes, %v", k, len(got), err)
		}
		return true
	})
	if n == 0 {
		t.Error("nothing was written meanwhile")
	}
}

// A compaction that cannot end leaves the store as it was and no file behind.
func TestCompactGivesUp(t *testing.T) {
	for name, tc := range map[string]struct {
		at    string
		spoil func(s *Store, cancel func()) error
		want  error
	}{
		"told to stop": {"begun", func(_ *Store, cancel func()) error { cancel(); return nil }, context.Canceled},
		"closed":       {"begun", func(s *Store, _ func()) error { return s.Close() }, ErrClosed},
		"another file": {"synced", func(s *Store, _ func()) error { return os.Rename(s.path, s.path+".away") }, errMoved},
		"damaged":      {"begun", func(s *Store, _ func()) error { return os.Truncate(s.path, 0) }, nil},
		"no copy":      {"synced", func(s *Store, _ func()) error { return os.Remove(s.copyPath()) }, os.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			s, items := fat(t, Options{NoSync: true})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			s.step = func(step string, _ *copying) {
				if step == tc.at {
					do(t, tc.spoil(s, cancel))
				}
			}
			if err := s.Compact(ctx); err == nil || tc.want != nil && !errors.Is(err, tc.want) {
				t.Errorf("Compact = %v, want %v", err, tc.want)
			}
			if _, err := os.Lstat(s.copyPath()); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the half copy was left (%v)", err)
			}
			if name == "told to stop" || name == "no copy" {
				for _, it := range items {
					if state(t, s, it) != "kept" {
						t.Fatalf("an original is %s", state(t, s, it))
					}
				}
			}
			if name != "closed" {
				put(t, s, item("goes on", Issue{}))
			}
		})
	}
}

// steps of a compaction, at each of which the process of TestKilledAtStep ends.
var steps = []string{"begun", "copied", "synced", "ready", "renamed", "swapped"}

// TestKilledAtStep ends a process by SIGKILL at each step of a compaction: what
// it had acknowledged is there afterwards.
func TestKilledAtStep(t *testing.T) {
	for _, step := range steps {
		t.Run(step, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			cmd, keys := startWriter(t, path, "RECALL_TEST_STEP="+step)
			acked := read(t, keys)
			if err := cmd.Wait(); err == nil || len(acked) < 40 { // some of the 50 were not said yet
				t.Fatalf("the process ended with %v after %d keys, want it killed", err, len(acked))
			}
			reopened(t, path, acked)
		})
	}
}

// TestKilledCompacting kills a process that writes and compacts all the time.
func TestKilledCompacting(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	var acked []marker.Key
	for round := range 8 {
		cmd, keys := startWriter(t, path, "RECALL_TEST_STEP=all")
		for range 60 + round*17 {
			if !keys.Scan() {
				t.Fatalf("round %d: writer said no more: %v", round, keys.Err())
			}
			acked = append(acked, key(t, keys.Text()))
		}
		do(t, cmd.Process.Kill())
		_ = cmd.Wait()
		reopened(t, path, acked)
	}
}

func reopened(t *testing.T, path string, acked []marker.Key) {
	t.Helper()
	s, err := Open(path, Options{Timeout: 10 * time.Second})
	do(t, err)
	defer s.Close()
	if s.Damaged() != "" {
		t.Error("the file was damaged")
	}
	for _, k := range acked {
		if _, err := s.Get(k); err != nil {
			t.Errorf("Get(%s) = %v", k, err)
		}
	}
	if _, err := os.Lstat(s.copyPath()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the half copy was left (%v)", err)
	}
}
