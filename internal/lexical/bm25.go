package lexical

import "math"

// BM25's usual constants: tf matters little within a line, length half.
const (
	k1 = 1.2
	b  = 0.5
)

// score makes each line's BM25 against the parts of the query. Terms weigh
// more when few of the text's lines have them.
func (p *pass) score(t *Table) error {
	idf, top := p.idf(t.full)
	for _, n := range p.df {
		if n > 0 {
			t.terms++
		}
	}
	words := 0
	for i := range t.lines {
		words += int(t.lines[i].words)
	}
	mean := math.Max(1, float64(words)/math.Max(1, float64(t.full)))
	var touched []int32
	for i := range t.lines {
		if i%1024 == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		touched = p.scoreLine(&t.lines[i], idf, top, mean, touched[:0])
		if r := float64(t.lines[i].rel); r > t.best {
			t.best = r
		}
	}
	if t.best > 0 {
		for i := range t.lines {
			t.lines[i].rel /= float32(t.best)
		}
	}
	return nil
}

// idf returns each term's weight and the greatest one possible.
func (p *pass) idf(lines int) ([]float64, float64) {
	of := func(df float64) float64 {
		return math.Log(1 + (float64(lines)-df+0.5)/(df+0.5))
	}
	out := make([]float64, len(p.df))
	for i, n := range p.df {
		if n > 0 {
			// A word with a hit may be a part of several, so df can pass lines only
			// in a text of blank lines; the weight stays above 0 all the same.
			out[i] = math.Max(of(float64(n)), 0.01)
		}
	}
	return out, math.Max(of(1), 0.01)
}

func (p *pass) scoreLine(l *line, idf []float64, top, mean float64, touched []int32) []int32 {
	for _, m := range p.hits[l.hitAt:l.hitEnd] {
		w := &p.meaning[m]
		if w.exact && l.exact < math.MaxUint16 {
			l.exact++
		}
		for _, t := range w.terms {
			if p.tf[t] == 0 {
				touched = append(touched, t)
			}
			p.tf[t]++
		}
	}
	norm := k1 * (1 - b + b*float64(l.words)/mean)
	var bm [parts]float64
	all := 0.0
	for _, t := range touched {
		f := float64(p.tf[t])
		p.tf[t] = 0
		w := idf[t] * f * (k1 + 1) / (f + norm)
		all += w
		for part := range parts {
			if p.q.in[t]&(1<<part) != 0 {
				bm[part] += w
			}
		}
		l.idf = max(l.idf, float32(idf[t]/top))
	}
	l.distinct = uint16(min(len(touched), math.MaxUint16))
	for part := range parts {
		l.bm[part] = float32(bm[part])
	}
	l.rel = float32(all)
	return touched
}
