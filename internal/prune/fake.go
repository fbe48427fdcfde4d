package prune

import (
	"context"

	"winnow/internal/text"
)

// Fake is a judge for tests and demonstrations: no line is needed and nothing
// reports a failure, so what stays is what the rules protect. It is used with
// [Options.AllowNothing].
type Fake struct{}

var _ Scorer = Fake{}

// Score returns 0 for every line.
func (Fake) Score(_ context.Context, _ Query, d text.Doc) (Scores, error) {
	return Scores{Line: make([]float64, d.Len())}, nil
}
