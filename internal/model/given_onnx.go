//go:build cgo

package model

import (
	"errors"
	"math"

	ort "github.com/yalue/onnxruntime_go"

	"winnow/internal/lexical"
	"winnow/internal/model/window"
)

// given is what the judge knows of a text or a piece of one.
type given struct {
	lines, odds, doc        []float32
	vectors, matches, query []float32
}

// newGiven has room for pieces of up to n lines, one after the other.
func newGiven(n int, doc, query []float32) *given {
	return &given{
		lines: make([]float32, 0, n*lexical.LineDim), doc: doc, query: query,
		vectors: make([]float32, n*window.Dim), matches: make([]float32, n*window.Matches),
	}
}

// fill takes lines from to to (exclusive).
func (g *given) fill(t *lexical.Table, odds []float32, found *reading, from, to int) {
	n := to - from
	g.lines, g.odds = t.Rows(from, to, g.lines[:0]), odds[from:to]
	g.vectors, g.matches = g.vectors[:n*window.Dim], g.matches[:n*window.Matches]
	found.rows(from, g.vectors, g.matches)
}

// infer runs the judge: P(needed) of each line and P(failure) of the text.
func (m *Model) infer(g *given) (p []float32, failure float32, err error) {
	n := int64(len(g.odds))
	p = make([]float32, n)
	fail := make([]float32, 1)
	var v tensors
	err = v.run(m.judge, []ort.Value{
		v.make(g.lines, n, int64(lexical.LineDim)), v.make(g.odds, n, 1), v.make(g.vectors, n, window.Dim),
		v.make(g.matches, n, window.Matches), v.make(g.query, window.Parts*window.Dim), v.make(g.doc, 1, int64(lexical.DocDim)),
	}, []ort.Value{v.make(p, n), v.make(fail, 1)})
	if err != nil {
		return nil, 0, err
	}
	for _, v := range append(p, fail...) {
		if math.IsNaN(float64(v)) { // what is infinite on the way here ends as NaN too
			return nil, 0, errors.New("model answered NaN")
		}
	}
	return p, fail[0], nil
}
