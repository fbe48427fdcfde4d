//go:build cgo

package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	ort "github.com/yalue/onnxruntime_go"

	"winnow/internal/model/tokenizer"
	"winnow/internal/model/window"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// budget is the most tokens of one text that are read: a text of 25 KB has
// about 8,000. Of a longer one the windows are read that the features call the
// most promising; the judge knows which lines were not.
const budget = 16_000

// reader makes vectors of lines with a pretrained encoder. A window's states
// depend on the window alone, never on others of the same run.
type reader struct {
	session *ort.DynamicAdvancedSession
	tok     *tokenizer.Tokenizer
}

// reading is what the judge is given of a text beside its features. Lines that
// were not read have zeros.
type reading struct {
	vectors []float32 // [lines, window.Dim]
	matches []float32 // [lines, window.Matches]
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

// read reads d, all of it or the windows that promise has the most of for their
// size; promise holds the log odds of each line.
func (r *reader) read(ctx context.Context, q prune.Query, d text.Doc, promise []float32) (reading, error) {
	out := reading{
		vectors: make([]float32, d.Len()*window.Dim), matches: make([]float32, d.Len()*window.Matches),
		query: make([]float32, window.Parts*window.Dim),
	}
	tokens, widths, err := r.parts(ctx, q, out.query)
	if err != nil {
		return reading{}, err
	}
	for _, w := range chosen(window.Cut(r.tok, d), promise, budget) {
		if err := ctx.Err(); err != nil {
			return reading{}, err
		}
		states, cosines, err := r.run(w.IDs, tokens)
		if err != nil {
			return reading{}, err
		}
		vectors, matches := window.Pool(states, w), window.Match(cosines, widths, w)
		for i, l := range w.Lines {
			copy(out.vectors[l.N*window.Dim:], vectors[i*window.Dim:(i+1)*window.Dim])
			copy(out.matches[l.N*window.Matches:], matches[i*window.Matches:(i+1)*window.Matches])
		}
	}
	return out, nil
}

// parts reads the parts of q, writes their mean states to means and returns the
// states of their tokens, each of length one, as columns, and how many each
// part has.
func (r *reader) parts(ctx context.Context, q prune.Query, means []float32) (columns []float32, widths [window.Parts]int, err error) {
	var rows []float32
	for i, ids := range window.Query(r.tok, q) {
		if err := ctx.Err(); err != nil {
			return nil, widths, err
		}
		states, _, err := r.run(ids, make([]float32, window.Dim))
		if err != nil {
			return nil, widths, err
		}
		window.Mean(states, means[i*window.Dim:(i+1)*window.Dim])
		part := states[window.Dim : len(states)-window.Dim] // without [CLS] and [SEP]
		if len(part) == 0 {
			part = states[:window.Dim]
		}
		widths[i] = len(part) / window.Dim
		rows = append(rows, part...)
	}
	return window.UnitColumns(rows), widths, nil
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

// chosen returns the windows that fit into budget tokens, those with the most
// promising line first in the choice and all in the order of the text.
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
	var out []window.Window
	for _, i := range order {
		if budget -= len(all[i].IDs); budget < 0 {
			break
		}
		out = append(out, all[i])
	}
	return out
}
