package decisions

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"winnow/internal/marker"
	"winnow/internal/metrics"
	"winnow/internal/prune"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var at = time.Date(2026, 11, 30, 9, 0, 0, 123456789, time.UTC)

func do(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// counted returns options whose counts the test can read.
func counted() (Options, *metrics.Counters) {
	c := &metrics.Counters{}
	return Options{Count: c.Add, Now: func() time.Time { return at }}, c
}

// read returns the records of a log and the number of its bad lines.
func read(t testing.TB, path string) (rs []Record, bad int) {
	t.Helper()
	for r, err := range All(path) {
		switch {
		case errors.Is(err, ErrLine):
			bad++
		case err != nil:
			t.Fatal(err)
		default:
			rs = append(rs, r)
		}
	}
	return rs, bad
}

func result(call string) Entry {
	return Entry{Record: Record{Session: "s", Loop: "main", Call: call, Tool: "Bash", Reason: "small", In: 10, Shown: 10, Out: 10}}
}

func TestRecordHoldsWhatItShould(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	o, _ := counted()
	l := Open(path, o)
	e := Entry{
		Record: Record{Door: "mod", Session: "s", Loop: "main", Call: "c3", Tool: "Read", Kind: "read", Mode: "active", In: 100, Shown: 100, Out: 40, Hidden: 90, Lines: 4},
		Task:   prune.Task{Request: "find the secret words", Intent: "looking"},
		Tool:   prune.Tool{Name: "Read", Input: json.RawMessage(`{"file_path":"/a/private.go"}`)},
		Calls: []prune.Call{
			{ID: "c1", Tool: "Edit", Args: "{}", Path: "/a/private.go"},
			{ID: "c2", Tool: "Bash", Args: `{"command":"ls"}`},
		},
		Scores: prune.Scores{Line: []float64{0, 0.0399, 0.04, 1, math.NaN(), 2}, Failure: 0.25},
		Judged: true,
		Keys:   []marker.Key{"0123456789abcdef01234567"},
	}
	l.Add(e)
	e.Call = "c4"
	e.Calls = append(e.Calls, prune.Call{ID: "c3", Tool: "Read", Args: "{}"})
	l.Add(e)
	l.Words(true)
	l.Add(Entry{Record: Record{Event: Recall, Session: "s", Out: 5}, Keys: e.Keys})
	l.Close()
	l.Add(e) // too late: no panic, no record

	rs, bad := read(t, path)
	if len(rs) != 3 || bad != 0 {
		t.Fatalf("%d records, %d bad lines, want 3 and 0", len(rs), bad)
	}
	quarter := 250
	want := Record{
		Time: at.Truncate(time.Millisecond), Door: "mod", Session: "s", Loop: "main", Call: "c3", Tool: "Read", Kind: "read", Mode: "active",
		In: 100, Shown: 100, Out: 40, Hidden: 90, Lines: 4, P: PerMille{0, 39, 40, 1000, -1, -1}, PFailure: &quarter,
		Keys: []string{"0123456789abcdef01234567"}, TaskHash: digest("find the secret words\x00looking"),
		ArgsHash: argsHash("Read", `{"file_path":"/a/private.go"}`), PathHash: digest("/a/private.go"),
		Prev: []Prev{{Call: "c1", Args: argsHash("Edit", "{}"), Path: digest("/a/private.go"), Edit: true}, {Call: "c2", Args: argsHash("Bash", `{"command":"ls"}`)}},
	}
	// Words was set before the writer came to the first record, or after it.
	rs[0].Request, rs[0].Intent = "", ""
	if diff := cmp.Diff(want, rs[0]); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if rs[1].Prev != nil {
		t.Errorf("Prev = %v, want none: all these calls are in the log", rs[1].Prev)
	}
	if rs[2].Event != Recall || rs[2].ArgsHash != "" || len(rs[2].Keys) != 1 {
		t.Errorf("recall = %+v", rs[2])
	}
}

func TestTasksWordsOnlyWhereAsked(t *testing.T) {
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprint(on), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			l := Open(path, Options{})
			l.Words(on)
			e := result("c")
			e.Task = prune.Task{Request: "find the secret words", Intent: "peering"}
			e.Tool = prune.Tool{Name: "Bash", Input: json.RawMessage(`{"command":"cat wallet"}`)}
			l.Add(e)
			l.Close()
			b, err := os.ReadFile(path)
			do(t, err)
			for _, word := range []string{"secret", "peering"} {
				if got := strings.Contains(string(b), word); got != on {
					t.Errorf("log holds %q: %v, want %v", word, got, on)
				}
			}
			if strings.Contains(string(b), "wallet") {
				t.Errorf("log holds a command: %s", b)
			}
		})
	}
}

func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	o, counts := counted()
	o.MaxBytes = 2000
	l := Open(path, o)
	const n = 100
	for i := range n {
		for counts.Snapshot()["decisions.written"] < int64(i-queued/2) { // never a full queue
		}
		l.Add(result(fmt.Sprintf("call-%03d", i)))
	}
	l.Close()
	var all int64
	for i := range kept + 1 {
		fi, err := os.Stat(older(path, i))
		do(t, err)
		if fi.Size() > o.MaxBytes || fi.Mode().Perm() != 0o600 {
			t.Errorf("%s: %d bytes, mode %v", fi.Name(), fi.Size(), fi.Mode())
		}
		all += fi.Size()
	}
	if _, err := os.Stat(older(path, kept+1)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an older file than the %d kept: %v", kept, err)
	}
	rs, bad := read(t, path)
	if bad != 0 || len(rs) == 0 || len(rs) == n {
		t.Fatalf("%d records in %d bytes, %d bad lines", len(rs), all, bad)
	}
	for i, r := range rs { // the newest, without a gap, in order
		if want := fmt.Sprintf("call-%03d", n-len(rs)+i); r.Call != want {
			t.Fatalf("record %d is %s, want %s", i, r.Call, want)
		}
	}
}

// A record larger than a file still gets one, alone.
func TestRotationOfOneLargeRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	o, _ := counted()
	o.MaxBytes = 100
	l := Open(path, o)
	l.Add(result("a"))
	l.Add(result("b"))
	l.Close()
	if rs, bad := read(t, path); len(rs) != 2 || bad != 0 {
		t.Errorf("%d records, %d bad lines, want 2 and 0", len(rs), bad)
	}
}

func TestTornLastLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	do(t, os.WriteFile(path, []byte(`{"t":"2026-11-30T08:00:00Z","call":"old","in":1,"shown":1,"out":1}`+"\n"+`{"t":"2026-11-30T08:00:01Z","call":"to`), 0o644))
	if rs, bad := read(t, path); len(rs) != 1 || bad != 0 {
		t.Errorf("before: %d records, %d bad lines, want 1 and none: the other may be on its way", len(rs), bad)
	}
	l := Open(path, Options{})
	l.Add(result("new"))
	l.Close()
	rs, bad := read(t, path)
	if len(rs) != 2 || bad != 1 || rs[1].Call != "new" {
		t.Errorf("after: %v, %d bad lines, want old and new, and one bad line", rs, bad)
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", fi.Mode(), err)
	}
}

// Somebody cleans while the daemon runs.
func TestRemovedFileComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	o, counts := counted()
	l := Open(path, o)
	l.Add(result("a"))
	for counts.Snapshot()["decisions.written"] == 0 {
	}
	do(t, os.Remove(path))
	l.Add(result("b"))
	l.Close()
	if rs, _ := read(t, path); len(rs) != 1 || rs[0].Call != "b" {
		t.Errorf("records = %v, want b", rs)
	}
}

func TestTwoReadersOfAGrowingLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	o, counts := counted()
	o.MaxBytes = 4000
	l := Open(path, o)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				last := ""
				for r, err := range All(path) {
					if err != nil {
						t.Error(err)
					} else if r.Call <= last {
						t.Errorf("%s after %s", r.Call, last)
					}
					last = r.Call
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for i := range 300 {
		for counts.Snapshot()["decisions.written"] < int64(i-queued/2) {
		}
		l.Add(result(fmt.Sprintf("call-%03d", i)))
	}
	l.Close()
	close(stop)
	wg.Wait()
	if got := counts.Snapshot(); got["decisions.written"] != 300 || got["decisions.dropped"] != 0 {
		t.Errorf("counts = %v, want 300 written", got)
	}
}

// With the disk stuck, Add still returns and says what it drops.
func TestFullQueue(t *testing.T) {
	o, counts := counted()
	l := &Log{o: o, queue: make(chan Entry, 2)}
	for i := range 5 {
		l.Add(result(fmt.Sprint(i)))
	}
	if got := counts.Snapshot()["decisions.dropped"]; got != 3 {
		t.Errorf("dropped = %d, want 3", got)
	}
}

func TestNilLog(t *testing.T) {
	var l *Log
	l.Words(true)
	l.Add(result("c"))
	l.Close()
}

// Of a file that is larger than any of ours only the end is read.
func TestOnlyTheEndOfAGiantIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	do(t, err)
	line := `{"t":"2026-11-30T09:00:00Z","event":"result","call":"%s"}` + "\n"
	_, err = fmt.Fprintf(f, line, "first")
	do(t, err)
	do(t, f.Truncate(3*maxRead)) // holes
	_, err = f.Seek(0, 2)
	do(t, err)
	_, err = fmt.Fprintf(f, "\n"+line, "last")
	do(t, errors.Join(err, f.Close()))
	rs, _ := read(t, path)
	if len(rs) != 1 || rs[0].Call != "last" {
		t.Errorf("records = %v, want the last one", rs)
	}
	if rs, err := Last(path, 5); err != nil || len(rs) != 1 || rs[0].Call != "last" {
		t.Errorf("Last = %v, %v, want the last one", rs, err)
	}
}
