package eval

import (
	"math"

	"winnow/internal/prune"
)

// pathOf sums up what the prune path did at threshold k.
func pathOf(recs []*record, rs resamples, k int, drop float64) Path {
	p := Path{Drop: drop}
	for _, r := range recs {
		p.count(r, r.out[k])
	}
	of := func(f func(outcome) int) func(*record) float64 {
		return func(r *record) float64 { return float64(f(r.out[k])) }
	}
	share := func(num, den func(*record) float64) Figure { return rs.figure(ratio(recs, num, den)) }
	hidden := of(func(o outcome) int { return o.hidden })
	pruned := of(func(o outcome) int { return int(one(o.reason == prune.Pruned)) })
	p.Hidden = share(hidden, chars)
	p.HiddenJudged = share(hidden, func(r *record) float64 { return one(r.out[k].judged) * chars(r) })
	p.Saved = share(of(func(o outcome) int { return o.saved }), chars)
	p.LostShare = share(of(func(o outcome) int { return o.lost }), func(r *record) float64 { return float64(r.sure) })
	p.HurtShare = share(of(func(o outcome) int { return int(one(o.lost > 0)) }), pruned)
	if p.Hurt == 0 && rs.bounded() {
		p.HurtShare.High = noneOf(p.Pruned)
	}
	p.UncertainOf = share(of(func(o outcome) int { return o.uncertain }),
		func(r *record) float64 { return pruned(r) * float64(len(r.lines)) })
	return p
}

func (p *Path) count(r *record, o outcome) {
	p.Judged += int(one(o.judged))
	p.Pruned += int(one(o.reason == prune.Pruned))
	p.Hurt += int(one(o.lost > 0))
	p.Needed += r.sure
	p.Lost += o.lost
	p.Chars += r.chars
	p.Uncertain += o.uncertain
}

// noneOf is the upper bound of a share of which none was seen in n: no
// resample can show what no case did, so the exact binomial bound stands in.
func noneOf(n int) float64 {
	if n == 0 {
		return math.NaN()
	}
	return 1 - math.Pow(0.025, 1/float64(n))
}

func (rs resamples) bounded() bool { return len(rs.drawn) > 0 }
