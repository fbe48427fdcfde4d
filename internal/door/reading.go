package door

import (
	"context"

	"winnow/internal/prune"
	"winnow/internal/second"
	"winnow/internal/text"
)

// verdictKey is the context's key of what a reader said about the text at hand.
type verdictKey struct{}

// says is a verdict and how it counts beside the local judge.
type says struct {
	v       second.Verdict
	cascade bool
}

func withVerdict(ctx context.Context, r says) context.Context {
	return context.WithValue(ctx, verdictKey{}, r)
}

// Reading returns a judge that goes by the verdict of its context, if that has
// one, and by local else.
func Reading(local prune.Scorer, keep, drop float64) prune.Scorer {
	return reading{local, second.Bands{Keep: keep, Drop: drop}}
}

type reading struct {
	local prune.Scorer
	bands second.Bands
}

func (r reading) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	s, err := r.local.Score(ctx, q, d)
	said, ok := ctx.Value(verdictKey{}).(says)
	switch {
	case err != nil, !ok:
		return s, err
	case said.cascade:
		return said.v.Settle(s, r.bands), nil
	}
	return said.v.Scores(d.Len(), r.bands, s.Failure), nil
}
