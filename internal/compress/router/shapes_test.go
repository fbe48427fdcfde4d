package router

import (
	"slices"
	"strings"
	"testing"

	"winnow/internal/prune/detect"
)

// What stands in the way of a kind is looked through, and comes back.
func TestLookedThrough(t *testing.T) {
	reminder := "<system-reminder>\nThe file was changed by the user since it was read last.\n</system-reminder>\n"
	tagged := lined(60) + reminder + lined(60) + reminder + "<tool_result>\n" + array(200) + "\n</tool_result>\n"
	for _, tc := range []struct {
		name, in string
		kind     detect.Kind
		by       string
		keep     []string
	}{
		{"a byte order mark", "\ufeff" + array(200), detect.JSON, "json", nil},
		{"a byte order mark before lines", "\ufeff" + strings.Repeat("{\"a\":1,\"b\":\"a longer text\"}\r\n", 60), detect.JSONL, "json", nil},
		{"a log inside one JSON string", quotePlain(strings.Repeat("2026-05-02T09:00:00Z INFO heartbeat of the worker ok\n", 60)), detect.Mixed, "unwrap", nil},
		{"tags inside a sure log", tagged, detect.Mixed, "json", []string{reminder + "2026", reminder + "<tool_result>\n", "\n</tool_result>\n"}},
	} {
		b := Block{Text: tc.in}
		res := property(t, b)
		if res.Kind != tc.kind || !slices.Contains(res.Accepted(), tc.by) {
			t.Errorf("%s: %s by %v, want %s by %s", tc.name, res.Kind, res.Accepted(), tc.kind, tc.by)
		}
		for _, s := range tc.keep {
			if !strings.Contains(res.Text, s) {
				t.Errorf("%s: %q is gone from\n%.2000s", tc.name, s, res.Text)
			}
		}
	}
}
