//go:build linux || darwin

package recall

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNoRoom lets every write past a size fail, as on a full disk, in a process
// of its own (the limit is the process's).
func TestNoRoom(t *testing.T) {
	if os.Getenv("RECALL_TEST_NOROOM") == "" {
		exe, err := os.Executable()
		do(t, err)
		cmd := exec.Command(exe, "-test.run=^TestNoRoom$", "-test.v")
		cmd.Env = append(os.Environ(), "RECALL_TEST_NOROOM=1")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestNoRoom") {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	path := filepath.Join(t.TempDir(), FileName)
	s, err := Open(path, Options{Now: clock()})
	do(t, err)
	before := item("before\n"+noise(20000), Issue{Session: "s", Loop: "main", ToolUseID: "t0"})
	put(t, s, before)
	for round, room := range []uint64{0, 4096, 40000, 100000} {
		limit(t, room)
		var failed []Item
		for i := 0; len(failed) < 3 && i < 100; i++ {
			items := []Item{
				item(fmt.Sprintf("small %d %d", round, i), Issue{Session: "s", Loop: "main", ToolUseID: fmt.Sprint("small", round, i)}),
				item(fmt.Sprintf("large %d %d\n", round, i)+noise(30000), Issue{Session: "s", Loop: "main", ToolUseID: fmt.Sprint("large", round, i)}),
			}
			if err := s.Put(items); err != nil {
				failed = append(failed, items...)
			}
		}
		if len(failed) == 0 {
			t.Fatalf("no Put failed with room for %d bytes", room)
		}
		cuts := s.CutCalls("s", "main")
		for _, it := range failed {
			if _, err := s.Get(it.Issue.Key); !errors.Is(err, ErrNotFound) || s.Live(it.Issue.Key) || cuts[it.Issue.ToolUseID] {
				t.Errorf("after a failed Put: Get = %v, live %v, cut %v", err, s.Live(it.Issue.Key), cuts[it.Issue.ToolUseID])
			}
		}
		limit(t, 0xffffffff)
		put(t, s, failed...)
		for _, it := range append(failed, before) {
			if got, err := s.Get(it.Issue.Key); err != nil || got != it.Text {
				t.Errorf("after there was room again: Get = %d bytes, %v", len(got), err)
			}
		}
	}
	compactWithoutRoom(t, s, before)
	if s.Damaged() != "" {
		t.Errorf("a full disk was taken for damage: %s", s.Damaged())
	}
	do(t, s.Close())
	s, err = Open(path, Options{})
	do(t, err)
	if s.Damaged() != "" {
		t.Error("the file was left damaged")
	}
	do(t, s.Close())
}

// compactWithoutRoom: a copy that does not fit leaves everything as it was.
func compactWithoutRoom(t *testing.T, s *Store, kept Item) {
	t.Helper()
	size := s.size()
	limit(t, uint64(size/3))
	if err := s.Compact(t.Context()); err == nil {
		t.Error("Compact without room = nil, want an error")
	}
	limit(t, 0xffffffff)
	if _, err := os.Lstat(s.copyPath()); !errors.Is(err, os.ErrNotExist) || s.size() != size {
		t.Errorf("after a compaction without room: the copy %v, %d bytes of %d", err, s.size(), size)
	}
	if got, err := s.Get(kept.Issue.Key); err != nil || got != kept.Text {
		t.Errorf("after a compaction without room: Get = %d bytes, %v", len(got), err)
	}
	do(t, s.Compact(t.Context()))
	if got, err := s.Get(kept.Issue.Key); err != nil || got != kept.Text {
		t.Errorf("after a compaction with room: Get = %d bytes, %v", len(got), err)
	}
}

func limit(t *testing.T, n uint64) {
	t.Helper()
	var l syscall.Rlimit
	do(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l))
	l.Cur = min(n, l.Max)
	do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l))
}
