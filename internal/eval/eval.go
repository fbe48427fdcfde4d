// Package eval measures a judge against graded lines: how well it ranks them,
// whether its probabilities hold where it matters (the low tail), and what the
// whole prune path does with its scores, each with bounds from resampling the
// cases.
//
// It opens no file and starts no goroutine, and it keeps of a case its scores
// and grades, never its text. It refuses to guess: a graded case without
// scores, or a grade outside its text, is an error.
package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"winnow/internal/prune"
)

// Case is one tool result to be judged.
type Case struct {
	ID     string     `json:"id"`
	Task   prune.Task `json:"task"`
	Tool   prune.Tool `json:"tool"`
	Output string     `json:"output"`
	// Kind is what recorded the case ("claude-code"), Group the repository worked on.
	Kind  string `json:"kind"`
	Group string `json:"group"`
}

// Judge gives the scores of a case, one for each line of its output.
type Judge func(ctx context.Context, c Case) (prune.Scores, error)

// Scoring asks s, which reads what it would read in the daemon.
func Scoring(s prune.Scorer) Judge {
	return func(ctx context.Context, c Case) (prune.Scores, error) {
		return s.Score(ctx, prune.Query{Task: c.Task, Tool: c.Tool}, prune.Judged(c.Tool, c.Output))
	}
}

// ErrNoScores reports a graded case of which a file of scores says nothing.
var ErrNoScores = errors.New("no scores")

// Recorded gives the scores that [ReadScores] read.
func Recorded(scores map[string]prune.Scores) Judge {
	return func(_ context.Context, c Case) (prune.Scores, error) {
		s, ok := scores[c.ID]
		if !ok {
			return prune.Scores{}, ErrNoScores
		}
		return s, nil
	}
}

// Options say what is measured.
type Options struct {
	// Judge is the judge's name, for the report only.
	Judge string
	// Labels are the grades; cases without one are passed over. Where Second,
	// another reader's grades, has the case too, the prune path loses only what
	// both call needed; the ranking is always measured against Labels.
	Labels, Second Labels
	// Prune sets the prune path up; its Drop and Keep are those of the report.
	Prune prune.Options
	// Drops are the thresholds of the curve, each with Prune.Keep. nil: no curve.
	Drops []float64
	// Parts adds a section for each family of tools and each repository.
	Parts bool
	// Resamples is how often the cases are drawn anew for the bounds. 0: no bounds.
	Resamples int
	Seed      uint64
	// ShuffleLines puts the lines of each case, with their grades, in another order.
	ShuffleLines bool
}

// Run judges and prunes every graded case and reports.
func Run(ctx context.Context, cases iter.Seq2[Case, error], judge Judge, o Options) (*Report, error) {
	m := newMeter(judge, o)
	for c, err := range Graded(cases, o.Labels) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if err := m.add(ctx, c); err != nil {
			return nil, fmt.Errorf("case %s: %w", c.ID, err)
		}
	}
	if len(m.records) == 0 {
		return nil, errors.New("no case has a grade")
	}
	return m.report(), nil
}

// Graded passes on the cases that have a label, and every error.
func Graded(cases iter.Seq2[Case, error], labels Labels) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		for c, err := range cases {
			if _, ok := labels[c.ID]; !ok && err == nil {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}
