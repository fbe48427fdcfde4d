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
	for i := range t.lines {
		t.words += int(t.lines[i].words)
	}
	mean := math.Max(1, float64(t.words)/math.Max(1, float64(t.full)))
	t.signals.of = make([][sigCount]float32, len(t.lines))
	var touched []int32
	for i := range t.lines {
		if i%1024 == 0 && p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		touched = p.scoreLine(t, i, idf, top, mean, touched[:0])
	}
	for _, k := range []signal{sigRequest, sigIntent, sigArgs} {
		t.signals.scale(k)
	}
	t.best = float64(t.signals.scale(sigRel))
	return p.feedback(t)
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

func (p *pass) scoreLine(t *Table, i int, idf []float64, top, mean float64, touched []int32) []int32 {
	l, sig := &t.lines[i], &t.signals.of[i]
	for _, id := range p.wordsOf(t, i) {
		w := &p.words[id]
		for part := range parts {
			if w.exact&(1<<part) != 0 {
				sig[sigExactRequest+signal(part)] = min(sig[sigExactRequest+signal(part)]+1./3, 1)
			}
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
		l.rarest = max(l.rarest, float32(idf[t]/top))
	}
	l.distinct = uint16(min(len(touched), math.MaxUint16))
	for part := range parts {
		l.bm[part] = float32(bm[part])
		sig[sigRequest+signal(part)] = float32(bm[part])
	}
	sig[sigRel] = float32(all)
	return touched
}

// feedback says of each line how relevant the other lines are that share its
// words, rare words counting more: a line of what the task is about need not
// name it. It also notes how rare a line's words are.
func (p *pass) feedback(t *Table) error {
	for i := range p.words {
		w := &p.words[i]
		w.rarity = float32(math.Log(math.Max(1, float64(t.full)/float64(w.lines))))
	}
	for i := range t.lines {
		r := t.rel(i)
		if r == 0 {
			continue
		}
		for _, id := range p.wordsOf(t, i) {
			if w := &p.words[id]; w.summed != int32(i)+1 { // once a line
				w.summed = int32(i) + 1
				w.sum += r * r
			}
		}
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	for i := range t.lines {
		p.feedbackLine(t, i)
	}
	t.signals.scale(sigFeedback)
	return p.ctx.Err()
}

func (p *pass) feedbackLine(t *Table, i int) {
	ids := p.wordsOf(t, i)
	own := t.rel(i) * t.rel(i)
	shared, weight := float32(0), float32(0)
	for _, id := range ids {
		w := &p.words[id]
		weight += w.rarity
		if w.lines > 1 {
			shared += w.rarity * max(w.sum-own, 0) / float32(w.lines-1)
		}
	}
	if weight > 0 {
		t.lines[i].meanIDF = weight / float32(len(ids))
		t.signals.of[i][sigFeedback] = shared / weight
	}
}
