package prune

import (
	"context"
	"strings"
	"testing"

	"winnow/internal/text"
)

// recorder is a judge that finds nothing needed and remembers what it read.
type recorder struct{ bytes, lines int }

func (r *recorder) Score(_ context.Context, _ Query, d text.Doc) (Scores, error) {
	r.bytes, r.lines = len(d.Src), d.Len()
	return Scores{Line: make([]float64, d.Len())}, nil
}

// Of a text over the ceiling the judge reads the lines that fit; the others
// are unjudged and stay.
func TestCeiling(t *testing.T) {
	line := "a row of a very long listing that nobody asked for"
	in := Input{Task: Task{Request: "find it"}, Tool: Tool{Name: "Bash"}, CanRecall: true,
		Text: strings.Repeat(line+"\n", 2*maxJudged/(len(line)+1))}
	r := &recorder{}
	res := New(r, Options{AllowNothing: true}).Prune(t.Context(), in)
	if r.bytes > maxJudged || r.bytes < maxJudged-2*len(line) {
		t.Errorf("the judge read %d bytes, want nearly %d", r.bytes, maxJudged)
	}
	checkResult(t, in, res)
	if len(res.Hidden) != 1 || res.Hidden[0].End >= r.lines {
		t.Fatalf("%d gaps up to line %d, want one within the %d judged lines", len(res.Hidden), res.Hidden[len(res.Hidden)-1].End, r.lines)
	}
	kept := strings.Count(in.Text, "\n") + 1 - (res.Hidden[0].End - res.Hidden[0].Start + 1)
	if want := strings.Count(in.Text, "\n") + 1 - r.lines; kept < want {
		t.Errorf("%d lines kept, want at least the %d unjudged ones", kept, want)
	}
}

// One line longer than the ceiling is not judged at all.
func TestCeilingOneLine(t *testing.T) {
	in := Input{Task: Task{Request: "find it"}, Tool: Tool{Name: "Bash"}, CanRecall: true, Text: strings.Repeat("x", maxJudged+1)}
	if res := New(&recorder{}, Options{AllowNothing: true}).Prune(t.Context(), in); res.Reason == Pruned || res.Text != in.Text {
		t.Errorf("reason %q, want the text left alone", res.Reason)
	}
}
