package main

import (
	"testing"
	"time"

	"winnow/internal/decisions"
)

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)
	for s, want := range map[string]time.Time{
		"":                     {},
		"24h":                  now.Add(-24 * time.Hour),
		"90m":                  now.Add(-90 * time.Minute),
		"7d":                   time.Date(2026, 11, 23, 12, 0, 0, 0, time.Local),
		"2026-11-01":           time.Date(2026, 11, 1, 0, 0, 0, 0, time.Local),
		"2026-11-01T10:00:00Z": time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC),
	} {
		if got, err := parseSince(s, now); err != nil || !got.Equal(want) {
			t.Errorf("parseSince(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	for _, s := range []string{"yesterday", "-24h", "-1d", "1.5d", "d", "2026-13-01", "24"} {
		if got, err := parseSince(s, now); err == nil {
			t.Errorf("parseSince(%q) = %v, want an error", s, got)
		}
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct {
		name, want string
		r          decisions.Record
	}{
		{"hidden", "32", decisions.Record{Mode: "active"}},
		{"would be hidden", "36", decisions.Record{Mode: "shadow"}},
		{"asked back", "33", decisions.Record{Event: decisions.Recall}},
		{"trouble", "31", decisions.Record{Mode: "active", Reason: "judge-error"}},
		{"left alone", "2", decisions.Record{Mode: "active", Reason: "small"}},
		{"of a later release", "2", decisions.Record{Event: "later"}},
	} {
		if got := colourOf(c.r); got != c.want {
			t.Errorf("%s: colour %s, want %s", c.name, got, c.want)
		}
	}
}
