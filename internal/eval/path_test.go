package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// log makes a shell result of sixty lines that no rule protects but its edges.
func log(id string) Case {
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "%02d copied another part of the archive to its place\n", i)
	}
	return Case{ID: id, Group: "g", Task: prune.Task{Request: "What was copied?"},
		Tool: prune.Tool{Name: "Bash", Input: []byte(`{"command":"make copy"}`)}, Output: strings.TrimSuffix(b.String(), "\n")}
}

func seq(cases ...Case) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		for _, c := range cases {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// scored gives every line 0.01 and the listed ones 0.9.
func scored(n int, high ...int) prune.Scores {
	s := prune.Scores{Line: make([]float64, n)}
	for i := range s.Line {
		s.Line[i] = 0.01
	}
	for _, i := range high {
		s.Line[i] = 0.9
	}
	return s
}

// label reads ranges.
func label(t testing.TB, needed string) Label {
	t.Helper()
	rs, err := parseRanges(needed)
	if err != nil {
		t.Fatal(err)
	}
	return Label{Needed: rs}
}

func TestPath(t *testing.T) {
	hides := scored(60, 5) // lines 0-7 stay with line 5, 58-59 as edges
	c := log("c")
	gap := text.Chars(text.Split(c.Output).Run(8, 57))
	unclear := scored(60, 5)
	unclear.Line[30] = 0.2
	without := scored(60, 5)
	without.Line[30] = nan
	failure := scored(60, 5)
	failure.Failure = 0.9
	read := c
	read.Tool = prune.Tool{Name: "Read", Input: []byte(`{"file_path":"/x.txt","offset":3,"limit":60}`)}
	other := c
	other.Tool.Name = "Task"
	for _, tc := range []struct {
		name           string
		c              Case
		s              prune.Scores
		needed, second string
		want           outcome // saved is looked at apart
		wantNeeded     int
	}{
		{"a needed line lost", c, hides, "5,20", "", outcome{reason: prune.Pruned, judged: true, hidden: gap, lost: 1}, 2},
		{"three lost", c, hides, "7-10", "", outcome{reason: prune.Pruned, judged: true, hidden: gap, lost: 3}, 4},
		{"none lost", c, hides, "0-7,58", "", outcome{reason: prune.Pruned, judged: true, hidden: gap}, 9},
		{"empty needed", c, hides, "", "", outcome{reason: prune.Pruned, judged: true, hidden: gap}, 0},
		{"all needed", c, hides, "0-59", "", outcome{reason: prune.Pruned, judged: true, hidden: gap, lost: 50}, 60},
		{"only what both call needed can be lost", c, hides, "5,20,30", "5,30,40", outcome{reason: prune.Pruned, judged: true, hidden: gap, lost: 1}, 2},
		{"uncertain line stays", c, unclear, "30", "", outcome{reason: prune.Pruned, judged: true, uncertain: 1,
			hidden: text.Chars(text.Split(c.Output).Run(8, 27)) + text.Chars(text.Split(c.Output).Run(33, 57))}, 1},
		{"a line without a judgement stays", c, without, "30", "", outcome{reason: prune.Pruned, judged: true,
			hidden: text.Chars(text.Split(c.Output).Run(8, 27)) + text.Chars(text.Split(c.Output).Run(33, 57))}, 1},
		{"nothing relevant", c, scored(60), "20", "", outcome{reason: prune.NothingFound, judged: true}, 1},
		{"reports a failure", c, failure, "20", "", outcome{reason: prune.Failure, judged: true}, 1},
		{"aimed read is not judged", read, hides, "20", "", outcome{reason: prune.Aimed}, 1},
		{"other tool is not judged", other, hides, "20", "", outcome{reason: prune.OtherTool}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := Options{Labels: Labels{"c": label(t, tc.needed)}, Prune: prune.Options{Drop: 0.1, Keep: 0.5}}
			if tc.second != "" {
				o.Second = Labels{"c": label(t, tc.second)}
			}
			m := newMeter(Recorded(map[string]prune.Scores{"c": tc.s}), o)
			if err := m.add(t.Context(), tc.c); err != nil {
				t.Fatal(err)
			}
			r := m.records[0]
			got := r.out[0]
			if (got.saved > 0) != (got.hidden > 0) || got.saved > got.hidden {
				t.Errorf("saved %d of %d hidden characters", got.saved, got.hidden)
			}
			got.saved = 0
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if r.sure != tc.wantNeeded || r.second != (tc.second != "") {
				t.Errorf("needed lines = %d, graded twice %v, want %d, %v", r.sure, r.second, tc.wantNeeded, tc.second != "")
			}
		})
	}
}

func TestBlankNeededLinesCountForNothing(t *testing.T) {
	c := log("c")
	c.Output = strings.Replace(c.Output, "20 copied another part of the archive to its place", " \t", 1)
	m := newMeter(Recorded(map[string]prune.Scores{"c": scored(60, 5)}), Options{Labels: Labels{"c": label(t, "5,20,21")}})
	if err := m.add(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if r := m.records[0]; r.sure != 2 || r.out[0].lost != 1 || len(r.lines) != 59 {
		t.Errorf("%d needed, %d lost, %d lines, want 2, 1, 59", r.sure, r.out[0].lost, len(r.lines))
	}
}

func TestCurveIsThePathAtEachThreshold(t *testing.T) {
	s := scored(60, 5)
	for i := 20; i < 60; i++ {
		s.Line[i] = 0.2
	}
	scores := map[string]prune.Scores{"a": s, "b": scored(60, 7)}
	run := func(drop float64, drops ...float64) *Report {
		r, err := Run(t.Context(), seq(log("a"), log("b")), Recorded(scores), Options{
			Labels: Labels{"a": label(t, "25"), "b": label(t, "30-31")}, Resamples: 50, Seed: 1,
			Prune: prune.Options{Drop: drop, Keep: 0.5}, Drops: drops,
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	curve := run(0.1, 0.005, 0.1, 0.3).All.Curve
	for i, drop := range []float64{0.005, 0.1, 0.3} {
		want := run(drop).All.Path
		want.Reasons = nil
		if diff := cmp.Diff(want, curve[i], cmp.Comparer(near)); diff != "" {
			t.Errorf("at %g (-path +curve):\n%s", drop, diff)
		}
	}
	if got := []int{curve[0].Lost, curve[1].Lost, curve[2].Lost}; !cmp.Equal(got, []int{0, 2, 3}) {
		t.Errorf("lost = %v, want 0, 2, 3", got)
	}
}

func TestFamily(t *testing.T) {
	for tool, want := range map[string]string{
		"Bash": "Bash", "exec_command": "Bash", "PowerShell": "Bash", "Read": "Read", "view": "Read", "Grep": "Grep", "grep": "Grep",
		"Glob": "other", "WebFetch": "other", "mcp__github__search": "other", "mcp__winnow__recall": "other", "Task": "other", "": "other",
	} {
		if got := family(tool); got != want {
			t.Errorf("family(%q) = %q, want %q", tool, got, want)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	broken := errors.New("broken")
	ok := Recorded(map[string]prune.Scores{"c": scored(60)})
	one := Labels{"c": Label{}}
	for _, tc := range []struct {
		name  string
		cases iter.Seq2[Case, error]
		judge Judge
		o     Options
		want  string
	}{
		{"no graded case", seq(log("other")), ok, Options{Labels: one}, "no case has a grade"},
		{"a case twice", seq(log("c"), log("c")), ok, Options{Labels: one}, "case c: given twice"},
		{"no scores", seq(log("c")), Recorded(nil), Options{Labels: one}, "case c: no scores"},
		{"too few scores", seq(log("c")), Recorded(map[string]prune.Scores{"c": scored(59)}), Options{Labels: one}, "case c: 59 scores for 60 lines"},
		{"a grade outside the text", seq(log("c")), ok, Options{Labels: Labels{"c": label(t, "58-60")}}, "case c: grade of line 60 in a text of 60 lines"},
		{"a second grade outside it", seq(log("c")), ok, Options{Labels: one, Second: Labels{"c": label(t, "99")}}, "case c: second grading: grade of line 99 in a text of 60 lines"},
		{"unreadable cases", func(y func(Case, error) bool) { y(Case{}, broken) }, ok, Options{Labels: one}, "broken"},
		{"the judge fails", seq(log("c")), func(context.Context, Case) (prune.Scores, error) { return prune.Scores{}, broken }, Options{Labels: one}, "case c: broken"},
	} {
		if _, err := Run(t.Context(), tc.cases, tc.judge, tc.o); err == nil || err.Error() != tc.want {
			t.Errorf("%s: error = %v, want %s", tc.name, err, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, seq(log("c")), ok, Options{Labels: one}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error = %v", err)
	}
}
