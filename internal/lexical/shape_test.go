package lexical

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/text"
)

func table(tb testing.TB, request, src string) *Table {
	tb.Helper()
	t, err := NewTable(tb.Context(), ask(request, "Read", `{"file_path":"a.go"}`), text.Split(src))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestShape(t *testing.T) {
	src := `package a

func one() {
	if x {
		y()

	}
}

func two() {
	z()
}
diff --git a/x b/x
--
c.go:1:x`
	var got []string
	for i, l := range table(t, "", src).lines {
		got = append(got, fmt.Sprint(i, ": block ", l.block, ", within ", l.within, ", define ", l.define))
	}
	want := strings.Split(`0: block 0, within -1, define -1
1: block 0, within 0, define -1
2: block 1, within -1, define 2
3: block 1, within 2, define 2
4: block 1, within 3, define 2
5: block 1, within 4, define 2
6: block 1, within 2, define 2
7: block 1, within -1, define 2
8: block 1, within -1, define 2
9: block 2, within -1, define 9
10: block 2, within 9, define 9
11: block 2, within -1, define 9
12: block 3, within -1, define 9
13: block 4, within -1, define 9
14: block 4, within -1, define 9`, "\n")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shape differs:\n%s", diff)
	}
}

// value returns a feature of a line by its name.
func value(t *Table, i int, name string) float32 {
	return t.Rows(i, i+1, nil)[slices.Index(known.Lines, name)]
}

func TestSignals(t *testing.T) {
	src := "import os\n\ndef parse_timeout(s):\n    units = read_units(s)\n    return units\n\ndef other():\n    pass\n\nunits = 3"
	tab := table(t, "parse_timeout is wrong", src)
	for _, tt := range []struct {
		line   int
		name   string
		lo, hi float32
	}{
		{2, "rel_request", 1, 1},
		{2, "exact_request", 0.33, 0.34},
		{3, "rel_request", 0, 0},
		{3, "relblock_request", 1, 1},
		{3, "within_rel", 1, 1},
		{4, "headline", 1, 1},
		{4, "define_rel", 1, 1},
		{3, "rel2_request", 0.19, 0.21}, // one of five lines
		{6, "relblock_request", 0, 0},
		{7, "define_rel", 0, 0},
		{3, "feedback", 0.05, 1}, // "s" stands in the line that was asked for
		{7, "feedback", 0, 0},
		{2, "prev_blank", 1, 1},
		{2, "next_blank", 0, 0},
		{0, "pos", 0, 0},
		{9, "pos", 1, 1},
		{9, "tail", 1, 1},
		{0, "read", 1, 1},
		{0, "request_fix", 1, 1},
		{0, "request_add", 0, 0},
	} {
		if got := value(tab, tt.line, tt.name); got < tt.lo || got > tt.hi {
			t.Errorf("%s of line %d = %v, want %v to %v", tt.name, tt.line, got, tt.lo, tt.hi)
		}
	}
}

// Sums may wrap around; a window's mean must not.
func TestAroundWraps(t *testing.T) {
	s := signals{of: make([][sigCount]float32, 10_000)}
	for i := range s.of {
		s.of[i][sigRel] = 1
	}
	s.sum()
	for _, i := range []int{0, 4095, 4096, 9999} {
		if got := s.around(sigRel, i, 12); got != 1 {
			t.Errorf("mean around line %d = %v, want 1", i, got)
		}
	}
}

func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, n := range known.Lines {
		if seen[n] {
			t.Errorf("two features are called %q", n)
		}
		seen[n] = true
	}
	if got := len(table(t, "", "x").Rows(0, 1, nil)); got != LineDim {
		t.Errorf("a line has %d features, %d have names", got, LineDim)
	}
}

func TestFacts(t *testing.T) {
	for _, tt := range []struct {
		tool, input string
		set         []string
	}{
		{"Read", `{"file_path":"/a/b_test.go","offset":3,"limit":500}`, []string{"read", "own_tool", "has_offset", "has_limit", "limit", "file_test"}},
		{"Bash", `{"command":"git diff --stat | head -5"}`, []string{"shell", "run_diff", "run_part"}},
		{"Grep", `{"pattern":"x","path":"docs/a.md"}`, []string{"search", "own_tool", "file_docs"}},
		{"Bash", `{"command":"cat conf/a.yaml"}`, []string{"read", "file_config"}},
		{"WebFetch", `[]`, []string{"own_tool"}},
	} {
		tab, err := NewTable(t.Context(), ask("", tt.tool, tt.input), text.Split("x"))
		if err != nil {
			t.Fatal(err)
		}
		var set []string
		from := slices.Index(known.Lines, "shell")
		for _, name := range known.Lines[from:slices.Index(known.Lines, "doc_size")] {
			if value(tab, 0, name) != 0 {
				set = append(set, name)
			}
		}
		if diff := cmp.Diff(tt.set, set); diff != "" {
			t.Errorf("%s %s sets other features:\n%s", tt.tool, tt.input, diff)
		}
	}
}
