package recall

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

const day = 24 * time.Hour

// dial is a clock that a test turns.
type dial struct {
	mu sync.Mutex
	t  time.Time
}

func newDial() *dial { return &dial{t: time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)} }

func (d *dial) now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.t
}

func (d *dial) turn(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.t = d.t.Add(by)
}

func openDial(t testing.TB, path string, d *dial) *Store {
	t.Helper()
	s, err := Open(path, Options{NoSync: true, Now: d.now})
	do(t, err)
	t.Cleanup(func() { do(t, s.Close()) })
	return s
}

func upkeep(t testing.TB, s *Store, l Limits) Report {
	t.Helper()
	r, err := s.Upkeep(t.Context(), l)
	if err != nil {
		t.Fatalf("Upkeep(%+v): %v", l, err)
	}
	return r
}

func state(t testing.TB, s *Store, it Item) string {
	t.Helper()
	switch got, err := s.Get(it.Issue.Key); {
	case err == nil && got == it.Text:
		return "kept"
	case errors.Is(err, ErrExpired):
		return "expired"
	case errors.Is(err, ErrNotFound):
		return "never issued"
	default:
		t.Fatalf("Get = %d bytes, %v", len(got), err)
		return ""
	}
}

// TestUpkeep hides one text in each of some sessions, some days apart, and says
// what is left at the end of the last day.
func TestUpkeep(t *testing.T) {
	type showing struct {
		session string
		day     int // when it was hidden
		seen    int // when the session was last heard of, if later
		size    int
		recall  int // when it was recalled, if it was
	}
	for name, tc := range map[string]struct {
		showings []showing
		today    int
		limits   Limits
		want     string // k kept, x expired, in the order of showings
		held     int
		lost     int
	}{
		"young":                     {[]showing{{session: "a"}}, 29, Limits{}, "k", 0, 0},
		"old":                       {[]showing{{session: "a"}}, 31, Limits{}, "x", 0, 1},
		"old, but its session came": {[]showing{{session: "a", seen: 20}}, 45, Limits{}, "k", 0, 0},
		"both are old":              {[]showing{{session: "a", seen: 20}}, 51, Limits{}, "x", 0, 1},
		"old, but recalled":         {[]showing{{session: "a", recall: 10}, {session: "b"}}, 35, Limits{}, "kx", 0, 1},
		"nobody's":                  {[]showing{{}, {day: 20}}, 31, Limits{}, "xk", 0, 0},
		"the oldest go first for room": {
			[]showing{{session: "b", day: 3, size: 400}, {session: "a", day: 1, size: 400}, {session: "c", day: 5, size: 400}},
			20, Limits{MaxBytes: 2000}, "kxk", 0, 1},
		"never for room what a live session shows": {
			[]showing{{session: "a", seen: 15, size: 9000}, {session: "b", day: 2, size: 400}, {session: "c", day: 14, size: 9000}},
			20, Limits{MaxBytes: 1000}, "kxk", 2, 1},
		"nor for age": {
			[]showing{{session: "a", seen: 19}, {session: "b"}}, 20, Limits{Older: time.Hour}, "kx", 1, 1},
		"all":            {[]showing{{session: "a", day: 20}, {session: "b"}}, 20, Limits{All: true}, "xx", 0, 2},
		"no room at all": {[]showing{{session: "a", day: 20}, {session: "b"}}, 20, Limits{MaxBytes: -1}, "kx", 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			clock := newDial()
			s := openDial(t, path, clock)
			var items []Item
			for i, sh := range tc.showings {
				items = append(items, item(fmt.Sprint(i, noise(sh.size)), Issue{Session: sh.session, Loop: "main", ToolUseID: fmt.Sprint("t", i)}))
			}
			for d := range tc.today + 1 {
				if d > 0 {
					clock.turn(day)
				}
				for i, sh := range tc.showings {
					if sh.day == d {
						put(t, s, items[i])
					}
					if sh.seen == d && d > 0 {
						s.Offered(sh.session, "main")
					}
					if sh.recall == d && d > 0 {
						do(t, s.Recalled(RecallEvent{Key: items[i].Issue.Key}))
					}
				}
				if d%10 == 0 { // what is known of sessions must outlive the process
					do(t, s.Close())
					s = openDial(t, path, clock)
				}
			}
			dry := tc.limits
			dry.DryRun = true
			would := upkeep(t, s, dry)
			for _, it := range items {
				if state(t, s, it) != "kept" {
					t.Fatalf("a dry run removed something")
				}
			}
			did := upkeep(t, s, tc.limits)
			if diff := cmp.Diff(would, did, cmpopts.IgnoreFields(Report{}, "Before", "After", "Compacted")); diff != "" {
				t.Errorf("the dry run promised something else (-dry +did):\n%s", diff)
			}
			got := ""
			for _, it := range items {
				got += map[string]string{"kept": "k", "expired": "x", "never issued": "?"}[state(t, s, it)]
			}
			if got != tc.want || did.Held != tc.held || did.Lost != tc.lost || did.Removed != strings.Count(tc.want, "x") {
				t.Errorf("left %s, %+v; want %s, held %d, lost %d", got, did, tc.want, tc.held, tc.lost)
			}
			for i, it := range items {
				if s.Live(it.Issue.Key) != (tc.want[i] == 'k') {
					t.Errorf("Live(%d) = %v, want the contrary", i, s.Live(it.Issue.Key))
				}
			}
			if state(t, s, item("never", Issue{})) != "never issued" {
				t.Error("a key that was never issued is called something else")
			}
		})
	}
}

// The text that two sessions show lives as long as either.
func TestSharedOriginal(t *testing.T) {
	clock := newDial()
	s := openDial(t, filepath.Join(t.TempDir(), FileName), clock)
	it := item("shared", Issue{Session: "a"})
	put(t, s, it)
	for i := range maxIssues + 5 { // another session that shows it again and again
		it.Issue.Session, it.Issue.ToolUseID = "b", fmt.Sprint(i)
		put(t, s, it)
	}
	clock.turn(29 * day)
	s.CutCalls("a", "main")
	clock.turn(5 * day)
	if r := upkeep(t, s, Limits{}); r.Removed != 0 || r.Sessions != 2 {
		t.Errorf("Upkeep = %+v, want nothing removed and two sessions", r)
	}
	clock.turn(31 * day)
	if r := upkeep(t, s, Limits{}); r.Removed != 1 || r.Lost != 2 || r.Sessions != 0 {
		t.Errorf("later: Upkeep = %+v, want one removed that two sessions show", r)
	}
	if n := len(keysOf(t, s, bIssues)); n != 0 {
		t.Errorf("%d issuances left of nothing", n)
	}
}

// After a long pause, or with a clock that jumped, the first upkeep of a daemon
// leaves everything to be seen again.
func TestPatience(t *testing.T) {
	for name, away := range map[string]time.Duration{"forward": 400 * day, "back and no further": -400 * day} {
		t.Run(name, func(t *testing.T) {
			clock := newDial()
			s := openDial(t, filepath.Join(t.TempDir(), FileName), clock)
			a, b := item("comes back", Issue{Session: "a"}), item("does not", Issue{Session: "b"})
			put(t, s, a, b)
			upkeep(t, s, Limits{Patient: true})
			clock.turn(away)
			if r := upkeep(t, s, Limits{Patient: true}); !r.Waited || r.Removed != 0 {
				t.Errorf("Upkeep after %v = %+v, want it to wait", away, r)
			}
			s.Offered("a", "main")
			clock.turn(6 * time.Hour)
			r := upkeep(t, s, Limits{Patient: true})
			if r.Waited || state(t, s, a) != "kept" || (state(t, s, b) == "kept") != (away < 0) {
				t.Errorf("the one after it = %+v, %s, %s", r, state(t, s, a), state(t, s, b))
			}
		})
	}
}

func TestDamagedStoresGo(t *testing.T) {
	dir := t.TempDir()
	clock := newDial()
	path := filepath.Join(dir, FileName)
	do(t, os.WriteFile(path, []byte("no store"), 0o600))
	s := openDial(t, path, clock)
	old, other := path+".damaged-7", filepath.Join(dir, "else.damaged-1")
	for _, p := range []string{old, other} {
		do(t, os.WriteFile(p, []byte("12345"), 0o600))
		do(t, os.Chtimes(p, clock.now(), clock.now().Add(-31*day)))
	}
	do(t, os.Chtimes(s.Damaged(), clock.now(), clock.now()))
	do(t, os.Mkdir(path+".damaged-8", 0o700))
	if r := upkeep(t, s, Limits{DryRun: true}); r.Damaged != 1 || r.DamagedBytes != 5 {
		t.Errorf("dry run: %+v, want one damaged store of 5 bytes", r)
	}
	upkeep(t, s, Limits{})
	for p, want := range map[string]bool{s.Damaged(): true, old: false, other: true, path + ".damaged-8": true} {
		if _, err := os.Lstat(p); (err == nil) != want {
			t.Errorf("%s: %v, want there %v", filepath.Base(p), err, want)
		}
	}
	if r := upkeep(t, s, Limits{All: true}); r.Damaged != 1 {
		t.Errorf("all: %+v, want the younger one gone, too", r)
	}
}

func TestSetAsideIsDated(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	do(t, os.WriteFile(path, []byte("no store"), 0o600))
	long := time.Now().Add(-300 * day)
	do(t, os.Chtimes(path, long, long))
	s, err := Open(path, Options{NoSync: true})
	do(t, err)
	defer s.Close()
	if r := upkeep(t, s, Limits{}); r.Damaged != 0 {
		t.Error("a store that was set aside just now is gone: its age was taken for the time since")
	}
}

func TestSweep(t *testing.T) {
	clock := newDial()
	s := openDial(t, filepath.Join(t.TempDir(), FileName), clock)
	gone, stays := item("x", Issue{Session: "gone", Loop: "main", ToolUseID: "t1"}), item("y", Issue{Session: "stays", Loop: "main", ToolUseID: "t2"})
	put(t, s, gone, stays)
	do(t, errors.Join(s.Offer("gone", "main"), s.Offer("stays", "main"), s.Recalled(RecallEvent{Key: gone.Issue.Key})))
	for range 5 {
		clock.turn(20 * day)
		s.Offered("stays", "main")
		upkeep(t, s, Limits{})
	}
	s.forget()
	if s.Offered("gone", "main") || len(s.CutCalls("gone", "main")) > 0 {
		t.Error("a session that was gone for 100 days is still known")
	}
	if !s.Offered("stays", "main") || !s.CutCalls("stays", "main")["t2"] || state(t, s, stays) != "kept" {
		t.Error("a session that comes back again and again was forgotten")
	}
	if state(t, s, gone) != "expired" {
		t.Errorf("the other's original is %s", state(t, s, gone))
	}
	clock.turn(400 * day)
	upkeep(t, s, Limits{})
	if n := len(keysOf(t, s, bExpired)) + len(keysOf(t, s, bRecalled)); n != 1 || state(t, s, gone) != "never issued" {
		t.Errorf("%d tombstones and recalls after more than a year, want the one of just now", n)
	}
	if upkeep(t, s, Limits{All: true}); len(keysOf(t, s, bLog)) != 0 {
		t.Error("removing all leaves the log of recalls")
	}
}

// layout1.db was written before there was upkeep.
func TestOldStore(t *testing.T) {
	old, err := os.ReadFile("testdata/layout1.db")
	do(t, err)
	path := filepath.Join(t.TempDir(), FileName)
	do(t, os.WriteFile(path, old, 0o600))
	clock := newDial()
	s := openDial(t, path, clock)
	raw := item("short, so kept raw", Issue{})
	packed := item(strings.Repeat("a line that compresses\n", 400), Issue{})
	gone := item("gone", Issue{})
	check := func(when, want string) {
		t.Helper()
		if got := fmt.Sprint(state(t, s, raw), " ", state(t, s, packed), " ", state(t, s, gone)); got != want || s.Damaged() != "" {
			t.Errorf("%s: %s, damaged %q; want %s", when, got, s.Damaged(), want)
		}
	}
	check("opened", "kept kept expired")
	if is, ok := s.Issued(raw.Issue.Key, "old"); !ok || is.First != 3 || !s.Offered("old", "main") || !s.CutCalls("old", "main")["t2"] {
		t.Errorf("Issued = %+v, %v; the old store's loops are lost", is, ok)
	}
	do(t, s.Compact(t.Context()))
	check("compacted", "kept kept expired")
	clock.turn(31 * day)
	s.seen = map[string]time.Time{} // Offered above was a sign of life
	upkeep(t, s, Limits{})
	check("31 days later", "expired expired expired")
}

func TestCheck(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), FileName))
	var items []Item
	for i := range 1500 {
		items = append(items, item(fmt.Sprint("text ", i), Issue{Session: "s"}))
	}
	put(t, s, items...)
	h, err := s.Check(t.Context())
	if err != nil || h.Originals != 1500 || len(h.Bad) != 0 || h.File == 0 {
		t.Errorf("Check = %+v, %v; want 1500 good ones", h, err)
	}
	bad := map[marker.Key][]byte{items[3].Issue.Key: {coderRaw, 'x'}, items[9].Issue.Key: {coderZstd, 1, 2, 3}}
	do(t, s.update(func(tx *bolt.Tx) error {
		for k, v := range bad {
			if err := tx.Bucket(bOriginals).Put([]byte(k), v); err != nil {
				return err
			}
		}
		return nil
	}))
	h, err = s.Check(t.Context())
	if err != nil || len(h.Bad) != 2 || bad[h.Bad[0]] == nil || bad[h.Bad[1]] == nil {
		t.Errorf("Check = %+v, %v; want the two bad ones", h, err)
	}
}

// A session that comes back between the choice and the removal keeps what it
// shows, and what is shown once more meanwhile stays, too.
func TestSignsOfLifeAtTheLastMoment(t *testing.T) {
	clock := newDial()
	s := openDial(t, filepath.Join(t.TempDir(), FileName), clock)
	back, again, gone := item("x", Issue{Session: "back"}), item("y", Issue{Session: "a"}), item("z", Issue{Session: "a"})
	put(t, s, back, again, gone)
	clock.turn(40 * day)
	sv, err := s.survey(t.Context())
	do(t, err)
	chosen, _ := sv.choose(Limits{Older: KeepFor, MaxBytes: MaxBytes}, clock.now())
	if len(chosen) != 3 {
		t.Fatalf("%d chosen, want all three", len(chosen))
	}
	s.Offered("back", "main")
	put(t, s, Item{Text: again.Text, Issue: Issue{Key: again.Issue.Key, Session: "new"}})
	var done []marker.Key
	do(t, s.drop(t.Context(), chosen, Limits{}, func(a aged) { done = append(done, a.key) }))
	if diff := cmp.Diff([]marker.Key{gone.Issue.Key}, done); diff != "" {
		t.Errorf("removed (-want +got):\n%s", diff)
	}
	if got := state(t, s, back) + state(t, s, again) + state(t, s, gone); got != "keptkeptexpired" {
		t.Errorf("left: %s", got)
	}
}
