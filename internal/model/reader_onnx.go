//go:build cgo

package model

import (
	"cmp"
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"winnow/internal/model/tokenizer"
	"winnow/internal/model/window"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// budget is the most tokens of one text that are read: a text of 25 KB has at
// most some 9,000. Of a longer one the windows are read that the features call
// the most promising; the judge knows which lines were not.
const budget = 10_000

// reader makes vectors of lines with a pretrained encoder. A window's states
// depend on the window alone, never on others of the same run.
type reader struct {
	session *ort.DynamicAdvancedSession
	tok     *tokenizer.Tokenizer
	recent  recent
}

// reading is what the judge is given of a text beside its features. Only lines
// that were read have rows: a text of a million lines has as many as a short one.
type reading struct {
	lines   []int     // numbers of the lines that were read, ascending
	vectors []float32 // [len(lines), window.Dim]
	matches []float32 // [len(lines), window.Matches]
	query   []float32 // [window.Parts * window.Dim]
}

func newReader() (*reader, error) {
	tok, err := tokenizer.Default()
	if err != nil {
		return nil, err
	}
	s, err := newSession(readerONNX, []string{"ids", "query"}, []string{"states", "cosines"})
	if err != nil {
		return nil, err
	}
	return &reader{session: s, tok: tok.Camel()}, nil
}

// read reads d, all of it or the windows that promise most; promise holds the
// log odds of each line. stop is asked before each run and ends the reading by
// its error.
func (r *reader) read(stop func() error, q prune.Query, d text.Doc, promise []float32) (*reading, error) {
	parts, err := r.parts(stop, q)
	if err != nil {
		return nil, err
	}
	out := &reading{}
	var rows []float32
	var widths [window.Parts]int
	for i, p := range parts {
		out.query = append(out.query, p.mean...)
		rows = append(rows, p.states...)
		widths[i] = len(p.states) / window.Dim
	}
	columns := window.UnitColumns(rows)
	for _, w := range chosen(window.Cut(r.tok, d), promise, budget) {
		if err := stop(); err != nil {
			return nil, err
		}
		states, cosines, err := r.run(w.IDs, columns)
		if err != nil {
			return nil, err
		}
		out.add(w, window.Pool(states, w), window.Match(cosines, widths, w))
	}
	return out, nil
}

func (f *reading) add(w window.Window, vectors, matches []float32) {
	for _, l := range w.Lines {
		f.lines = append(f.lines, l.N)
	}
	f.vectors = append(f.vectors, vectors...)
	f.matches = append(f.matches, matches...)
}

// rows writes the vectors and matches of the lines from from on, as many as
// vectors has room for; lines that were not read have zeros.
func (f *reading) rows(from int, vectors, matches []float32) {
	const dim, figures = window.Dim, window.Matches
	clear(vectors)
	clear(matches)
	to := from + len(vectors)/dim
	i, _ := slices.BinarySearch(f.lines, from)
	for ; i < len(f.lines) && f.lines[i] < to; i++ {
		at := f.lines[i] - from
		copy(vectors[at*dim:], f.vectors[i*dim:(i+1)*dim])
		copy(matches[at*figures:], f.matches[i*figures:(i+1)*figures])
	}
}

// parts reads the parts of q that were not read of late.
func (r *reader) parts(stop func() error, q prune.Query) (out [window.Parts]part, err error) {
	for i, ids := range window.Query(r.tok, q) {
		p, ok := r.recent.get(ids)
		if !ok {
			if err := stop(); err != nil {
				return out, err
			}
			if p, err = r.part(ids); err != nil {
				return out, err
			}
			r.recent.put(p)
		}
		out[i] = p
	}
	return out, nil
}

// part reads [CLS] tokens [SEP]. Where there are no tokens, [CLS] stands for them.
func (r *reader) part(ids []int64) (part, error) {
	states, _, err := r.run(ids, make([]float32, window.Dim)) // the cosines to nothing
	if err != nil {
		return part{}, err
	}
	p := part{ids: ids, mean: make([]float32, window.Dim), states: states[window.Dim : len(states)-window.Dim]}
	window.Mean(states, p.mean)
	if len(p.states) == 0 {
		p.states = states[:window.Dim]
	}
	return p, nil
}

// run returns the states [len(ids), Dim] and their cosines to the columns of
// query [Dim, tokens].
func (r *reader) run(ids []int64, query []float32) (states, cosines []float32, err error) {
	n, width := len(ids), len(query)/window.Dim
	states, cosines = make([]float32, n*window.Dim), make([]float32, n*width)
	var t tensors
	err = t.run(r.session,
		[]ort.Value{t.ints(ids, 1, int64(n)), t.make(query, window.Dim, int64(width))},
		[]ort.Value{t.make(states, int64(n), window.Dim), t.make(cosines, int64(n), int64(width))})
	if err != nil {
		return nil, nil, fmt.Errorf("read %d tokens: %w", n, err)
	}
	return states, cosines, nil
}

// chosen returns all windows if they fit into budget tokens, else the windows
// with the most promising lines, as many as fit, in the order of the text. Of
// equals the earlier one is taken.
func chosen(all []window.Window, promise []float32, budget int) []window.Window {
	total := 0
	best := make([]float32, len(all))
	order := make([]int, len(all))
	for i, w := range all {
		total += len(w.IDs)
		order[i] = i
		best[i] = promise[w.Lines[0].N]
		for _, l := range w.Lines[1:] {
			best[i] = max(best[i], promise[l.N])
		}
	}
	if total <= budget {
		return all
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(best[b], best[a]) })
	n := 0
	for n < len(order) && len(all[order[n]].IDs) <= budget {
		budget -= len(all[order[n]].IDs)
		n++
	}
	slices.Sort(order[:n])
	out := make([]window.Window, n)
	for i, k := range order[:n] {
		out[i] = all[k]
	}
	return out
}
