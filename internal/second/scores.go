package second

import (
	"context"
	"math"
	"slices"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// The scores that a verdict stands for. Low is not 0: who hides nothing, with a
// drop of 0, hides nothing here.
const (
	Low    = 0.001
	Middle = 0.45
	High   = 1
)

// Bands are the pruner's: from Keep on a line is needed, below Drop it is hidden.
type Bands struct{ Keep, Drop float64 }

// Scores turns a verdict into scores for a text of n lines. Lines that were not
// asked about have none, so prune keeps them. Whether the whole reports a failure
// is not the reader's to say: failure is the local judge's.
func (v Verdict) Scores(n int, b Bands, failure float64) prune.Scores {
	s := prune.Scores{Line: make([]float64, n), Failure: failure}
	for i := range s.Line {
		s.Line[i] = High
		if i >= v.Asked {
			s.Line[i] = math.NaN()
		}
	}
	// Unsure is kept, whatever drop is, of repeats, too.
	set(s.Line, v.Unsure, max(Middle, b.Drop, min(prune.Repeats*b.Drop, b.Keep)))
	set(s.Line, v.Hide, Low)
	return s
}

func set(line []float64, rs []Run, p float64) {
	for _, r := range rs {
		for i := r.First; i <= r.Last && i < len(line); i++ {
			line[i] = p
		}
	}
}

// Settle is Scores beside a local judge that has settled what it is sure of: a
// line that it calls needed stays. What it would hide and the reader keeps, stays.
func (v Verdict) Settle(local prune.Scores, b Bands) prune.Scores {
	s := v.Scores(len(local.Line), b, local.Failure)
	for i, p := range local.Line {
		if p >= b.Keep && s.Line[i] < b.Keep {
			s.Line[i] = p
		}
	}
	return s
}

// Unread are the scores of a reply that is not understood: none.
func Unread(n int, failure float64) prune.Scores {
	return prune.Scores{Line: slices.Repeat([]float64{math.NaN()}, n), Failure: failure}
}

// Reply is a judge whose answer is a reply given beforehand: the daemon's path
// without a daemon.
type Reply struct {
	Text  string
	Bands Bands
	// Local says whether the whole reports a failure; with Cascade it settles, too,
	// what it is sure of.
	Local   prune.Scorer
	Cascade bool
	// Refused, when set, hears why a reply was not used.
	Refused func(error)
}

var _ prune.Scorer = Reply{}

// Score asks nobody but Local.
func (r Reply) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	local, err := r.Local.Score(ctx, q, d)
	if err != nil {
		return prune.Scores{}, err
	}
	v, err := Parse(r.Text, Ask("", q, d).Asked)
	switch {
	case err != nil:
		if r.Refused != nil {
			r.Refused(err)
		}
		if r.Cascade {
			return local, nil
		}
		return Unread(d.Len(), local.Failure), nil
	case r.Cascade:
		return v.Settle(local, r.Bands), nil
	}
	return v.Scores(d.Len(), r.Bands, local.Failure), nil
}
