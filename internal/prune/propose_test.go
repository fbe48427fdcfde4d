package prune

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"winnow/internal/text"
)

// graded is a judge that gives line i the score level(i).
type graded func(i int) float64

func (l graded) Score(_ context.Context, _ Query, d text.Doc) (Scores, error) {
	s := Scores{Line: make([]float64, d.Len())}
	for i := range s.Line {
		s.Line[i] = l(i)
	}
	return s, nil
}

func TestPropose(t *testing.T) {
	lines := make([]string, 120)
	for i := range lines {
		lines[i] = fmt.Sprintf("step %03d of the migration copied its rows to the new table", i)
	}
	lines[60] = "ERROR: row 17 was refused by the new table's constraint"
	in := Input{
		Task: Task{Request: "which rows does the migration copy?"}, Tool: Tool{Name: "Bash", Input: []byte(`{"command":"./migrate"}`)},
		Text: strings.Join(lines, "\n"), CanRecall: true,
	}
	all := func(Input, text.Doc) []Fold { return []Fold{{Start: 10, End: 109}} }
	edge := func(low float64) graded {
		return func(i int) float64 {
			if i < 10 || i > 109 {
				return 0.9
			}
			return low
		}
	}
	for name, tc := range map[string]struct {
		judge   graded
		propose Proposer
		drop    float64
		hides   bool
	}{
		"agreed":                     {edge(0.07), all, 0.04, true},
		"refused":                    {edge(0.09), all, 0.04, false},
		"not proposed":               {edge(0.07), nil, 0.04, false},
		"nothing proposed":           {edge(0.07), func(Input, text.Doc) []Fold { return nil }, 0.04, false},
		"a user who hides nothing":   {edge(0.07), all, math.SmallestNonzeroFloat64, false},
		"never what keep says":       {edge(0.6), all, 0.4, false},
		"no number":                  {edge(math.NaN()), all, 0.04, false},
		"a proposal beyond the text": {edge(0.07), func(Input, text.Doc) []Fold { return []Fold{{Start: -5, End: 1 << 30}} }, 0.04, true},
	} {
		t.Run(name, func(t *testing.T) {
			res := New(tc.judge, Options{Drop: tc.drop, Propose: tc.propose}).Prune(t.Context(), in)
			if got := res.Reason == Pruned; got != tc.hides {
				t.Fatalf("reason %q, hidden %d, want hidden: %v", res.Reason, len(res.Hidden), tc.hides)
			}
			for i := 58; i <= 62; i++ { // the failure and its neighbours
				if !strings.Contains(res.Text, lines[i]) {
					t.Errorf("line %d is hidden", i)
				}
			}
		})
	}
}
