package prune

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/internal/marker"
	"winnow/internal/text"
)

func savedInput(s string) Input {
	in := plain()
	in.Text = s
	in.Saved = &Saved{Path: "/home/dev/.claude/projects/p/s/tool-results/x.txt", Size: int64(len(s)), Preview: 2000}
	return in
}

func TestSaved(t *testing.T) {
	filler := rows(3000)
	for _, tc := range []struct {
		name     string
		text     string
		s        Scorer
		partial  bool
		want     []string
		wantLess []string
	}{
		{
			name: "failures first, with their numbers and counts",
			text: filler + "a.ts(1,2): error TS2322: bad\r\n" + filler + strings.Repeat("retry failed\n", 40) + filler + "Found 1 error.\n",
			s:    Fake{},
			want: []string{
				"Output too large (387.3KB, 9042 lines). Full output saved to: /home/dev/.claude/projects/p/s/tool-results/x.txt\n",
				"3 distinct failure lines, 42 in all.",
				"\n  3001: a.ts(1,2): error TS2322: bad\r\n",
				"\n  6002: retry failed\n",
				"\n  9042: Found 1 error.\n",
			},
			wantLess: []string{"\n  6003:"},
		},
		{
			name: "no failure", text: filler + "done in 3 s\n", s: Fake{},
			want:     []string{"Selected lines", "\n  3001: done in 3 s\n", "\n     1: row 0000"},
			wantLess: []string{"failure"},
		},
		{
			name: "the judge's best lines", text: filler, s: keepOnly(1234),
			want: []string{"\n  1235: row 1234"},
		},
		{
			name: "a report of failure is no reason to say nothing", text: filler + "failed\n",
			s: scorer(func(_ context.Context, _ Query, d text.Doc) (Scores, error) {
				return Scores{Line: make([]float64, d.Len()), Failure: 1}, nil
			}),
			want: []string{"\n  3001: failed\n"},
		},
		{
			name: "fewer scores than lines", text: filler + "failed\n",
			s:    scorer(func(context.Context, Query, text.Doc) (Scores, error) { return Scores{Line: []float64{0, 0.9}}, nil }),
			want: []string{"\n     2: row 0001", "\n  3001: failed\n"},
		},
		{
			name: "only the beginning was read", text: filler + "failed\n\xe4\xb8", s: Fake{}, partial: true,
			want: []string{"Output too large (128.9KB). Full", "Only its first 128.9KB (3002 lines) were read.", "\n  3001: failed\n"},
		},
		{
			name: "a line that does not fit is left out whole", text: "error " + strings.Repeat("x", 5000) + "\n" + filler + "failed\n", s: Fake{},
			want:     []string{"2 distinct failure lines", "\n  3002: failed\n"},
			wantLess: []string{"xxx"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := savedInput(tc.text)
			in.Saved.Partial = tc.partial
			res := New(tc.s, Options{}).Prune(context.Background(), in)
			if res.Reason != Pruned {
				t.Fatalf("reason = %q", res.Reason)
			}
			checkSaved(t, in, res)
			for _, s := range tc.want {
				if !strings.Contains(res.Text, s) {
					t.Errorf("%q is missing in\n%s", s, res.Text)
				}
			}
			for _, s := range tc.wantLess {
				if strings.Contains(res.Text, s) {
					t.Errorf("%q is in\n%s", s, res.Text)
				}
			}
		})
	}
}

var shownLine = regexp.MustCompile(`^ *(\d+): `)

// checkSaved checks what holds for every view: its size, one marker for the
// whole, and each line byte for byte under its number, in order.
func checkSaved(t testing.TB, in Input, res Result) {
	t.Helper()
	checkResult(t, in, res)
	n := strings.Count(in.Text, "\n") + 1
	if len(res.Hidden) != 1 || res.Hidden[0].Text != in.Text || res.Hidden[0].First != 1 || res.Hidden[0].Last != n {
		t.Errorf("hidden = %v", hiddenRanges(res))
	}
	if !strings.Contains(res.Text, marker.Tag(marker.KeyOf(in.Text), n)+" lines 1-"+strconv.Itoa(n)) {
		t.Errorf("no marker for the whole in\n%s", res.Text)
	}
	source := strings.Split(in.Text, "\n")
	var numbers []int
	_, shown, _ := strings.Cut(res.Text, "by number:\n")
	for _, l := range strings.Split(shown, "\n") {
		if m := shownLine.FindStringSubmatch(l); m != nil {
			i, _ := strconv.Atoi(m[1])
			numbers = append(numbers, i)
			if got := l[len(m[0]):]; got != source[i-1] {
				t.Errorf("line %d = %q, want %q", i, got, source[i-1])
			}
		}
	}
	if len(numbers) == 0 || !slices.IsSorted(numbers) {
		t.Errorf("numbers = %v", numbers)
	}
}

func TestSavedGate(t *testing.T) {
	p := New(Fake{}, Options{AllowNothing: true})
	in := savedInput("short\n")
	if res := p.Prune(context.Background(), in); res.Reason == Small {
		t.Error("a saved output is never small")
	}
	in = savedInput("[" + strings.Repeat("1,\n", 20000) + "1]")
	if res := p.Prune(context.Background(), in); res.Reason != JSON {
		t.Errorf("reason = %q, want %q", res.Reason, JSON)
	}
	in = savedInput(rows(100) + strings.Repeat("\x00", 10))
	if res := p.Prune(context.Background(), in); res.Reason != Binary {
		t.Errorf("reason = %q, want %q", res.Reason, Binary)
	}
	in = savedInput(strings.Repeat(strings.Repeat("giant ", 2000)+"\n", 50))
	if res := p.Prune(context.Background(), in); res.Reason != TooLittle {
		t.Errorf("giant lines only: reason = %q, want %q", res.Reason, TooLittle)
	}
}

// As many distinct failures as fit are shown, of different shapes first, and
// there is always room for the last verdict.
func TestSavedManyFailures(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, "src/file%d.c:%d:3: error: undeclared identifier\n", i, i)
	}
	b.WriteString("ld: cannot find -lrates\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "src/file%d.c:%d:3: error: undeclared identifier\n", i, i)
	}
	b.WriteString("make: done, 5000 files\n")
	in := savedInput(b.String())
	res := New(Fake{}, Options{}).Prune(context.Background(), in)
	checkSaved(t, in, res)
	for _, s := range []string{"5001 distinct failure lines, 10001 in all", "cannot find -lrates", "done, 5000 files"} {
		if !strings.Contains(res.Text, s) {
			t.Errorf("%q is missing in\n%s", s, res.Text)
		}
	}
	if n := text.Chars(res.Text); n < MaxView-200 {
		t.Errorf("only %d of %d characters are used", n, MaxView)
	}
}

// A large saved output is not shown to the judge, and is read in one pass.
func TestSavedLarge(t *testing.T) {
	line := "2026-05-02T09:00:00Z INFO worker 0001 finished a batch of rows in 12 ms\n"
	in := savedInput(strings.Repeat(line, (8<<20)/len(line)) + "fatal: the end\n")
	start := time.Now()
	res := New(scorer(func(context.Context, Query, text.Doc) (Scores, error) {
		t.Error("the judge was asked")
		return Scores{}, nil
	}), Options{}).Prune(context.Background(), in)
	checkSaved(t, in, res)
	if !strings.Contains(res.Text, "fatal: the end") {
		t.Errorf("the failure is missing in\n%s", res.Text)
	}
	t.Logf("8 MB in %v", time.Since(start))
}
