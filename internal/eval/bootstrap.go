package eval

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
)

// Figure is a value and the bounds between which 95 % of the resamples lie.
// NaN (null in JSON) is a figure that is not defined, or has no bounds.
type Figure struct{ Value, Low, High float64 }

// MarshalJSON writes {"value","low","high"}, rounded to what the data can say.
func (f Figure) MarshalJSON() ([]byte, error) {
	num := func(v float64) *float64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		v = math.Round(v*1e6) / 1e6
		return &v
	}
	return json.Marshal(struct {
		Value *float64 `json:"value"`
		Low   *float64 `json:"low"`
		High  *float64 `json:"high"`
	}{num(f.Value), num(f.Low), num(f.High)})
}

// statistic is a figure of a set of cases, of which case k is there w[k] times.
type statistic func(w []uint16) float64

// resamples are draws of n cases out of n, with replacement. Every figure of a
// section is taken from the same draws.
type resamples struct {
	once  []uint16
	drawn [][]uint16
}

func draw(n, times int, seed uint64) resamples {
	rs := resamples{once: slices.Repeat([]uint16{1}, n), drawn: make([][]uint16, times)}
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range rs.drawn {
		w := make([]uint16, n)
		for range n {
			w[rng.IntN(n)]++
		}
		rs.drawn[i] = w
	}
	return rs
}

// figure takes s of the cases and of each draw. A draw in which s is not
// defined says nothing about it.
func (rs resamples) figure(s statistic) Figure {
	var all []float64
	for _, w := range rs.drawn {
		if v := s(w); !math.IsNaN(v) {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return Figure{s(rs.once), percentile(all, 0.025), percentile(all, 0.975)}
}

// percentile interpolates between the sorted values; NaN of none.
func percentile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// ratio is the sum of num over the sum of den. Most figures are one.
func ratio(recs []*record, num, den func(*record) float64) statistic {
	n, d := make([]float64, len(recs)), make([]float64, len(recs))
	for k, r := range recs {
		n[k], d[k] = num(r), den(r)
	}
	return func(w []uint16) float64 {
		var sn, sd float64
		for k, times := range w {
			sn += float64(times) * n[k]
			sd += float64(times) * d[k]
		}
		return sn / sd
	}
}

// mean is the mean of v over the records that have it.
func mean(recs []*record, v func(*record) float64) statistic {
	vs := make(map[*record]float64, len(recs))
	for _, r := range recs {
		vs[r] = v(r)
	}
	return ratio(recs, func(r *record) float64 {
		if math.IsNaN(vs[r]) {
			return 0
		}
		return vs[r]
	}, func(r *record) float64 {
		if math.IsNaN(vs[r]) {
			return 0
		}
		return 1
	})
}
