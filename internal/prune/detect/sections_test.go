package detect

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/text"
)

// show writes sections as "first-last what".
func show(sections []Section) []string {
	var out []string
	for _, s := range sections {
		what := string(s.Kind)
		switch {
		case s.Fixed:
			what = "fixed"
		case s.Quoted:
			what = "quoted"
		case what == "":
			what = "open"
		}
		out = append(out, fmt.Sprintf("%d-%d %s", s.First, s.Last, what+s.Language))
	}
	return out
}

func TestSections(t *testing.T) {
	value := `{"a":"` + strings.Repeat("x", minValue) + `"}`
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"nothing to cut", "a\nb\n", nil},
		{"a fence", "text\n```go\nx := 1\n```\nmore", []string{"0-0 open", "1-1 fixed", "2-2 codego", "3-3 fixed", "4-4 open"}},
		{"a longer fence holds a shorter", "````\n```\nx\n```\n````", []string{"0-0 fixed", "1-3 open", "4-4 fixed"}},
		{"an empty fence", "a\n```\n```", []string{"0-0 open", "1-1 fixed", "2-2 fixed"}},
		{"a fence that never ends is text", "a\n```\nb", nil},
		{"a reminder", "a\n<system-reminder>\nb\n</system-reminder>\nc", []string{"0-0 open", "1-3 fixed", "4-4 open"}},
		{"a reminder that never ends", "a\n<system-reminder>\nb", []string{"0-0 open", "1-2 fixed"}},
		{"workflow tags stay, what they hold is cut", "<tool_result>\na\n</tool_result>", []string{"0-0 fixed", "1-1 open", "2-2 fixed"}},
		{"html's do not", "<div>\na\n</div>", nil},
		{"JSON on one line", "a\n" + value + "\nb", []string{"0-0 open", "1-1 json", "2-2 open"}},
		{"JSON over lines", "a\n[\n" + value + "\n]\nb", []string{"0-0 open", "1-3 json", "4-4 open"}},
		{"text behind JSON", "a\n" + value + " b\n", nil},
		{"broken JSON", "a\n{" + value + "\nb", nil},
		{"a quoted text", "a\n\"" + strings.Repeat(`x\n`, 80) + "\"\nb", []string{"0-0 open", "1-1 quoted", "2-2 open"}},
		{"only a quoted text", "\"" + strings.Repeat(`x\n`, 80) + "\"", []string{"0-0 quoted"}},
		{"a shell's separators", "=== a ===\nx\n--- b ---\ny", []string{"0-0 fixed", "1-1 open", "2-2 fixed", "3-3 open"}},
		{"a diff and its end", "x\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n a\n-b\n+c\ndone", []string{"0-0 open", "1-7 diff", "8-8 open"}},
	} {
		if diff := cmp.Diff(tc.want, show(Sections(text.Split(tc.in)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

// The search for ends is bounded by twice the text however many begin.
func TestSectionsAreLinear(t *testing.T) {
	for _, unit := range []string{"{\n", "[", "{\"a\":\n", "```\n", "~~~~x\n", "<system-reminder>\n", "\"\n", "diff --git a b\n", "diff --git a b\n@@ -1,999 +1,999 @@\n"} {
		d := text.Split(strings.Repeat(unit, 1<<17/len(unit)))
		c := cutter{d: d, budget: 2*len(d.Src) + 1024}
		for i := 0; i < d.Len(); i = max(i+1, c.block(i)) {
		}
		if c.budget < 0 {
			t.Errorf("%q: budget %d", unit, c.budget)
		}
	}
}

func FuzzSections(f *testing.F) {
	for _, s := range []string{"", "```\na\n```", "<system-reminder>", "{\n}", "\"\\n\"", "diff --git a b\n@@ -1 +1 @@\n+x", "=== a ==="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := text.Split(s)
		sections := Sections(d)
		next := 0
		for _, x := range sections {
			if x.First != next || x.Last < x.First {
				t.Fatalf("Sections(%q) = %v", s, show(sections))
			}
			next = x.Last + 1
		}
		if sections != nil && next != d.Len() {
			t.Fatalf("Sections(%q) = %v, %d lines", s, show(sections), d.Len())
		}
	})
}
