package lexical

import (
	_ "embed"
	"encoding/json"
	"math"
)

// featuresJSON names the features in the order that [Table.Rows] and [Table.Doc]
// give them, for training as much as for us. All are finite and most lie in
// 0..1; a trailing digit is a number of lines, "rel" is BM25 relative to the
// text's best line, "near" is rel fading over the lines around, and the last
// ones are a feature where the tool is of a kind and 0 elsewhere.
//
// The weights turn a text's features into the log odds that it reports a
// failure. They are set by hand: recorded results rarely say whether a run
// failed behind a pipe, and the few signs are plain. One strong sign passes one
// half, content of files does not, a run that counts "0 failed" needs more than
// one error line.
//
//go:embed features.json
var featuresJSON []byte

var known = func() (f struct {
	Version     string
	Lines       []string
	Doc         []struct{ Weight float64 }
	FailureBias float64 `json:"failure_bias"`
}) {
	if err := json.Unmarshal(featuresJSON, &f); err != nil {
		panic(err) // a broken build
	}
	return f
}()

// Version names the order and meaning of the features. A model carries the
// version it was trained on, and one of another version must not be used.
var Version = known.Version

// LineDim and DocDim are the numbers of features of a line and of a text.
var (
	LineDim = len(known.Lines)
	DocDim  = len(known.Doc)
)

// Rows appends the features of lines from to to (exclusive) to dst.
func (t *Table) Rows(from, to int, dst []float32) []float32 {
	for i := from; i < to; i++ {
		dst = t.row(i, dst)
	}
	return dst
}

// Doc returns the text's own features.
func (t *Table) Doc() []float32 { return t.outcome.features() }

func (t *Table) row(i int, dst []float32) []float32 {
	l := &t.lines[i]
	n := float64(len(t.lines))
	// Training saw few texts that are longer, and none of them tells more.
	size := float32(math.Log1p(min(n, 2000)) / 10)
	shell, read, search := t.tool == toolShell, t.tool == toolRead, t.tool == toolSearch
	return append(dst,
		sat(l.bm[partRequest], 4), sat(l.bm[partIntent], 4), sat(l.bm[partArgs], 4),
		l.rel,
		l.near,
		t.rel(i-1), t.rel(i+1),
		float32(t.around(i, 2)), float32(t.around(i, 12)),
		l.idf,
		sat(float32(l.distinct), 3), sat(float32(l.exact), 1),
		float32(float64(i)/math.Max(1, n-1)), ends(i), ends(len(t.lines)-1-i),
		min(float32(l.length), 200)/200, flag(l.length > 400), l.is(kindBlank), min(float32(l.indent), 16)/16,
		share(l.digits, l.length), share(l.letters, l.length),
		l.is(kindBrackets), l.is(kindError), l.is(kindFrame), l.is(kindDiffHead), l.is(kindDiffBody), l.is(kindHit),
		l.is(kindPassed), l.is(kindFailed),
		l.is(kindDefine), l.is(kindImport), l.is(kindComment), l.is(kindSummary),
		l.errNear,
		float32(math.Log1p(float64(l.same))/math.Log1p(n)), flag(l.same > 1 && !l.first),
		size, sat(float32(t.terms), 10),
		flag(shell), flag(read), flag(search),
		when(read, l.near), when(shell, l.near), when(search, l.near), when(search, sat(float32(l.exact), 1)),
		when(read, l.is(kindDefine)), when(read, size), when(shell, size),
	)
}

func (t *Table) rel(i int) float32 {
	if i < 0 || i >= len(t.lines) {
		return 0
	}
	return t.lines[i].rel
}

func (l *line) is(k kind) float32 { return flag(l.kind&k != 0) }

// sat maps 0 and up to 0..1, half at c.
func sat(x, c float32) float32 { return x / (x + c) }

func ends(distance int) float32 { return float32(math.Exp(-float64(distance) / 5)) }

func share(part, whole int32) float32 {
	if whole == 0 {
		return 0
	}
	return float32(part) / float32(whole)
}

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

func when(b bool, x float32) float32 {
	if b {
		return x
	}
	return 0
}
