package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/marker"
	"winnow/internal/recall"
	"winnow/internal/state"
)

// TestClean hides things in the past, which a script cannot.
func TestClean(t *testing.T) {
	dir := state.Dir(t.TempDir())
	now := time.Now()
	s, err := recall.Open(dir.Store(), recall.Options{NoSync: true, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	begin := now
	for i, ago := range []int{40, 20, 10, 1} {
		now = begin.AddDate(0, 0, -ago)
		text := fmt.Sprint("hidden ", ago) + strings.Repeat("\x00", i)
		it := recall.Item{Text: text, Issue: recall.Issue{Key: marker.KeyOf(text), Session: fmt.Sprint("s", ago)}}
		if err := s.Put([]recall.Item{it}); err != nil {
			t.Fatal(err)
		}
	}
	now = begin
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ args, want string }{
		{"--dry-run", "would remove 1 original (0.0 MB): older than 30d, or the oldest over 200MB\n" +
			"1 session with markers of these: a recall there says that they have expired\n" +
			"3 originals kept (0.0 MB); 3 sessions with markers of them\n"},
		{"", "removed 1 original (0.0 MB): older than 30d, or the oldest over 200MB\n" +
			"1 session with markers of these: a recall there says that they have expired\n" +
			"3 originals kept (0.0 MB); 3 sessions with markers of them\n"},
		{"--older 12h --size 1.1KB", "removed 2 originals (0.0 MB): older than 12h, or the oldest over 1.1KB\n" +
			"2 sessions with markers of these: a recall there says that they have expired\n" +
			"1 original kept (0.0 MB); 1 session with markers of them\n" +
			"1 of them over the limits, but shown by sessions of the last 7 days; --all removes them, too\n"},
		{"--all", "removed 1 original (0.0 MB): all there are\n" +
			"1 session with markers of these: a recall there says that they have expired\n"},
	} {
		var out bytes.Buffer
		cmd := root()
		cmd.SetOut(&out)
		cmd.SetArgs(append([]string{"clean", "--state", string(dir)}, strings.Fields(tc.args)...))
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("clean %s: %v", tc.args, err)
		}
		if diff := cmp.Diff(tc.want, out.String()); diff != "" {
			t.Errorf("clean %s (-want +got):\n%s", tc.args, diff)
		}
	}
}

func TestLimits(t *testing.T) {
	for size, want := range map[string]int64{"200MB": 200e6, "1.5 gb": 15e8, "7": 7, "0": 0, "12kb": 12000, "3B": 3, "": -1, "-1MB": -1, "MB": -1, "NaN": -1, "1e300": -1} {
		if got, err := parseSize(size); err == nil && got != want || (err != nil) != (want < 0) {
			t.Errorf("parseSize(%q) = %d, %v; want %d", size, got, err, want)
		}
	}
	for age, want := range map[string]time.Duration{"30d": 720 * time.Hour, "0.5d": 12 * time.Hour, "90m": 90 * time.Minute, "0": 0, "": -1, "3": -1, "-1h": -1, "xd": -1} {
		if got, err := parseAge(age); err == nil && got != want || (err != nil) != (want < 0) {
			t.Errorf("parseAge(%q) = %v, %v; want %v", age, got, err, want)
		}
	}
}
