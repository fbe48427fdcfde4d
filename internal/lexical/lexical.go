// Package lexical judges lines by their words: BM25 over code-aware terms, the
// request, the agent's intent and the call's arguments being the query. It is
// the baseline and what is left where onnxruntime cannot be loaded.
//
// It also makes the features of the onnx judge (see features.json), one
// implementation for training and serving. It knows nothing of models, keeps no
// state between texts and gives the same numbers for the same bytes.
package lexical

import (
	"context"
	"math"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// Scorer is the lexical judge.
type Scorer struct{}

var _ prune.Scorer = (*Scorer)(nil)

// New returns the lexical judge. It needs no loading.
func New() *Scorer { return &Scorer{} }

// Score never fails but for a context that is done.
func (*Scorer) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	t, err := NewTable(ctx, q, d)
	if err != nil {
		return prune.Scores{}, err
	}
	s := prune.Scores{Line: make([]float64, t.Len()), Failure: Round(failure(t.Doc()))}
	for i := range s.Line {
		s.Line[i] = Round(t.needed(i))
	}
	t.SettleBlank(s.Line)
	return s, nil
}

// The map from evidence to P(needed). It only has to be monotone and to put
// the bands of prune at sensible places: a line with no word of the task within
// some ten lines stays at the floor, one near a good hit is uncertain, a good hit
// passes 0.5. The floor is above the default drop, since what this judge loses is
// not known to be little: whoever wants it to hide raises drop.
const (
	floor   = 0.05
	ceiling = 0.97
	steep   = 1.1 // evidence of a line at which half the way is done
)

// needed maps the evidence for line i, its BM25 or what fades in from the best
// line around, to floor..ceiling. Evidence is absolute, so a text that barely
// touches the task has no line that is called needed.
func (t *Table) needed(i int) float64 {
	e := t.best * math.Pow(float64(t.lines[i].near), 2)
	e /= 4 // BM25 of two good terms
	return floor + (ceiling-floor)*e/(e+steep)
}

// Round cuts a probability to three digits: onnxruntime's last digits differ
// between versions and processors, and no threshold may hang on them.
func Round(p float64) float64 {
	return math.Round(min(max(p, 0), 1)*1000) / 1000
}
