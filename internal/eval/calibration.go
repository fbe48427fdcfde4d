package eval

import "math"

// Bin is one row of the reliability table: of the lines scored in [From, To),
// the mean score and the share that is needed. The two should be equal.
type Bin struct {
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	Lines  int     `json:"lines"`
	Mean   Figure  `json:"mean_score"`
	Needed Figure  `json:"needed"`
}

// edges are finest where lines are hidden.
var edges = []float64{0, 0.02, 0.05, 0.1, 0.2, 0.5, 1}

// binOf returns the bin of a score; what lies outside belongs to the nearest.
func binOf(p float64) int {
	for k := len(edges) - 2; k > 0; k-- {
		if p >= edges[k] {
			return k
		}
	}
	return 0
}

func reliability(recs []*record, rs resamples) []Bin {
	bins := make([]Bin, len(edges)-1)
	for k := range bins {
		count := func(f func(line) float64) func(*record) float64 {
			return func(r *record) float64 {
				var sum float64
				for _, l := range r.lines {
					if !math.IsNaN(l.p) && binOf(l.p) == k {
						sum += f(l)
					}
				}
				return sum
			}
		}
		lines := count(func(line) float64 { return 1 })
		bins[k] = Bin{From: edges[k], To: edges[k+1],
			Mean:   rs.figure(ratio(recs, count(func(l line) float64 { return l.p }), lines)),
			Needed: rs.figure(ratio(recs, count(func(l line) float64 { return one(l.needed) }), lines))}
		for _, r := range recs {
			bins[k].Lines += int(lines(r))
		}
	}
	return bins
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// ece is the expected calibration error over ten bins of equal width: the mean
// distance between a bin's scores and its grades. Lines without a judgement
// have no probability to be wrong.
func ece(recs []*record) statistic {
	const n = 10
	type sums struct {
		off   [n]float64
		lines float64
	}
	per := make([]sums, len(recs))
	for k, r := range recs {
		for _, l := range r.lines {
			if math.IsNaN(l.p) {
				continue
			}
			b := int(math.Min(n-1, math.Max(0, l.p*n)))
			per[k].off[b] += l.p - one(l.needed)
			per[k].lines++
		}
	}
	return func(w []uint16) float64 {
		var total sums
		for k, times := range w {
			for b, v := range per[k].off {
				total.off[b] += float64(times) * v
			}
			total.lines += float64(times) * per[k].lines
		}
		var sum float64
		for _, v := range total.off {
			sum += math.Abs(v)
		}
		return sum / total.lines
	}
}
