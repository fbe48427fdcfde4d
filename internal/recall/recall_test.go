package recall

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/marker"
)

// openTest opens a store that is closed, opened again and walked at cleanup.
func openTest(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(path, Options{NoSync: true, Now: clock()})
	if err != nil {
		t.Fatalf("Open(%s): %v", path, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		again, err := Open(path, Options{NoSync: true})
		if err != nil {
			t.Fatalf("Open at cleanup: %v", err)
		}
		if d := again.Damaged(); d != "" {
			t.Errorf("store was left damaged, moved to %s", d)
		}
		if err := again.Close(); err != nil {
			t.Errorf("Close at cleanup: %v", err)
		}
	})
	return s
}

// clock ticks one second a reading.
func clock() func() time.Time {
	t := time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)
	return func() time.Time { t = t.Add(time.Second); return t }
}

func item(text string, is Issue) Item {
	is.Key = marker.KeyOf(text)
	return Item{Text: text, Issue: is}
}

func put(t testing.TB, s *Store, items ...Item) {
	t.Helper()
	if err := s.Put(items); err != nil {
		t.Fatalf("Put: %v", err)
	}
}

func TestRoundTrip(t *testing.T) {
	texts := map[string]string{
		"empty":           "",
		"short":           "one line",
		"crlf and escape": "a\r\n\x1b[31mred\x1b[0m\x00\r",
		"not UTF-8":       "\xff\xfe\x80 half \xc3",
		"compressible":    strings.Repeat("record 17 value=99\n", 5000),
		"one long line":   strings.Repeat("é", 400000),
		"incompressible":  noise(300000),
	}
	path := filepath.Join(t.TempDir(), FileName)
	s := openTest(t, path)
	var items []Item
	for _, text := range texts {
		items = append(items, item(text, Issue{Session: "s", Loop: "main"}))
	}
	put(t, s, items...)
	for name, text := range texts {
		if got, err := s.Get(marker.KeyOf(text)); err != nil || got != text {
			t.Errorf("%s: Get gave %d bytes (%v), want %d", name, len(got), err, len(text))
		}
	}
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode of %s = %v (%v), want 0600", path, fi.Mode(), err)
	}
}

// noise is n bytes that do not compress, always the same.
func noise(n int) string {
	b := make([]byte, n)
	x := uint64(88172645463325252)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
	return string(b)
}

func TestLargest(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MB of text")
	}
	s := openTest(t, filepath.Join(t.TempDir(), FileName))
	text := noise(8<<20) + strings.Repeat("0123456789abcdef", 56<<20/16)
	put(t, s, item(text, Issue{}))
	got, err := s.Get(marker.KeyOf(text))
	if err != nil || got != text {
		t.Fatalf("Get gave %d bytes (%v), want %d", len(got), err, len(text))
	}
}

func TestPutRefuses(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), FileName))
	good := item("good", Issue{})
	for name, tc := range map[string]struct {
		bad  Item
		want error
	}{
		"hash of another text": {Item{"b", Issue{Key: marker.KeyOf("a")}}, ErrKey},
		"upper case key":       {Item{"b", Issue{Key: marker.Key(strings.ToUpper(string(marker.KeyOf("b"))))}}, ErrKey},
		"no key":               {Item{"b", Issue{}}, ErrKey},
		"too large":            {item(strings.Repeat("x", MaxText+1), Issue{}), ErrTooLarge},
	} {
		if err := s.Put([]Item{good, tc.bad}); !errors.Is(err, tc.want) {
			t.Errorf("%s: Put = %v, want %v", name, err, tc.want)
		}
	}
	if _, err := s.Get(good.Issue.Key); !errors.Is(err, ErrNotFound) {
		t.Errorf("Get of the good half of a refused Put = %v, want %v", err, ErrNotFound)
	}
}

func TestMisses(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), FileName))
	old, fresh := item("old", Issue{Session: "s"}), item("fresh", Issue{Session: "s"})
	put(t, s, old, fresh)
	for _, k := range []marker.Key{old.Issue.Key, marker.KeyOf("never")} {
		if err := s.Expire(k); err != nil {
			t.Fatalf("Expire(%s): %v", k, err)
		}
	}
	for name, tc := range map[string]struct {
		key  marker.Key
		want error
		live bool
	}{
		"kept":     {fresh.Issue.Key, nil, true},
		"expired":  {old.Issue.Key, ErrExpired, false},
		"unknown":  {marker.KeyOf("never"), ErrNotFound, false},
		"no key":   {"../../etc/passwd", ErrNotFound, false},
		"a prefix": {fresh.Issue.Key[:12], ErrNotFound, false},
		"empty":    {"", ErrNotFound, false},
	} {
		if _, err := s.Get(tc.key); !errors.Is(err, tc.want) {
			t.Errorf("%s: Get = %v, want %v", name, err, tc.want)
		}
		if got := s.Live(tc.key); got != tc.live {
			t.Errorf("%s: Live = %v, want %v", name, got, tc.live)
		}
	}
	put(t, s, old)
	if _, err := s.Get(old.Issue.Key); err != nil || !s.Live(old.Issue.Key) {
		t.Errorf("after putting it again: Get = %v, Live = %v", err, s.Live(old.Issue.Key))
	}
	if pruned, _, err := s.Counts(); err != nil || pruned != 2 {
		t.Errorf("Counts = %d keys (%v), want 2", pruned, err)
	}
}

func TestIssued(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), FileName))
	a1 := item("text", Issue{First: 5, Last: 5, Session: "a", Loop: "main", Project: "/p", ToolUseID: "t1"})
	a2 := item("text", Issue{First: 9, Last: 9, Session: "a", Loop: "x1", ToolUseID: "t2"})
	b1 := item("text", Issue{First: 7, Last: 7, Session: "b"})
	put(t, s, a1)
	put(t, s, a2)
	put(t, s, b1)
	for session, want := range map[string]Issue{"a": a2.Issue, "b": b1.Issue, "": b1.Issue, "c": b1.Issue} {
		got, ok := s.Issued(a1.Issue.Key, session)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("Issued(session %q) = %v (-want +got):\n%s", session, ok, diff)
		}
	}
	if got, ok := s.Issued(marker.KeyOf("other"), "a"); ok {
		t.Errorf("Issued of an unknown key = %v", got)
	}
	if got, ok := s.Issued("", "a"); ok {
		t.Errorf("Issued of the empty key = %v", got)
	}
}

func TestIssuesAreBounded(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), FileName))
	for i := range maxIssues + 10 {
		put(t, s, item("again", Issue{First: i + 1, Session: "s"}))
	}
	n := 0
	for range keysOf(t, s, bIssues) {
		n++
	}
	got, _ := s.Issued(marker.KeyOf("again"), "s")
	if n != maxIssues || got.First != maxIssues+10 {
		t.Errorf("%d issuances kept, newest %d; want %d, newest %d", n, got.First, maxIssues, maxIssues+10)
	}
}

func TestLoopsSurviveRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	check := func(s *Store, when string) {
		t.Helper()
		for _, tc := range []struct {
			session, loop string
			want          map[string]bool
		}{
			{"s", "main", map[string]bool{"t1": true, "t2": true}},
			{"s", "mai", map[string]bool{}},
			{"s", "agent", map[string]bool{"t3": true}},
			{"", "", map[string]bool{}},
			{strings.Repeat("long", 20000), "main", map[string]bool{"t4": true}},
		} {
			for range 2 { // from the file, from memory
				if diff := cmp.Diff(tc.want, s.CutCalls(tc.session, tc.loop)); diff != "" {
					t.Errorf("%s: CutCalls(%.10q, %q) (-want +got):\n%s", when, tc.session, tc.loop, diff)
				}
			}
		}
		if !s.Offered("s", "main") || s.Offered("s", "agent") || s.Offered("sm", "ain") {
			t.Errorf("%s: Offered = %v, %v, %v", when, s.Offered("s", "main"), s.Offered("s", "agent"), s.Offered("sm", "ain"))
		}
	}
	s, err := Open(path, Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, item("a", Issue{Session: "s", Loop: "main", ToolUseID: "t1"}))
	s.CutCalls("s", "main")["mine"] = true // the caller's own copy
	put(t, s, item("b", Issue{Session: "s", Loop: "main", ToolUseID: "t2"}), item("c", Issue{Session: "s", Loop: "agent", ToolUseID: "t3"}),
		item("d", Issue{Session: strings.Repeat("long", 20000), Loop: "main", ToolUseID: "t4"}), item("e", Issue{Session: "s", Loop: "main"}))
	if err := s.Offer("s", "main"); err != nil {
		t.Fatal(err)
	}
	check(s, "before")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	check(openTest(t, path), "after")
}

func TestCounts(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	s := openTest(t, path)
	a, b := item("a", Issue{}), item("b", Issue{})
	put(t, s, a, b)
	put(t, s, a)
	if err := s.Expire(b.Issue.Key); err != nil {
		t.Fatal(err)
	}
	for _, k := range []marker.Key{a.Issue.Key, a.Issue.Key, b.Issue.Key, marker.KeyOf("unknown"), ""} {
		if err := s.Recalled(RecallEvent{Key: k, Session: "s", Loop: "main", Lines: "1-2"}); err != nil {
			t.Fatalf("Recalled(%q): %v", k, err)
		}
	}
	pruned, recalled, err := s.Counts()
	if pruned != 2 || recalled != 2 || err != nil {
		t.Errorf("Counts = %d, %d, %v; want 2, 2", pruned, recalled, err)
	}
	if n := len(keysOf(t, s, bLog)); n != 5 {
		t.Errorf("%d recalls logged, want 5", n)
	}
}
