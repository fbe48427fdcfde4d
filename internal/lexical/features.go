package lexical

import (
	_ "embed"
	"encoding/json"
	"math"
)

// featuresJSON names the features in the order that [Table.Rows] and [Table.Doc]
// give them, for training as much as for us. All are finite and most lie in
// 0..1; a trailing digit is a number of lines, "rel" is BM25 relative to the
// text's best line, "block" is the best of the line's block, and those from
// "shell" on are the same for all lines of a text.
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

// shownKinds are the kinds that are features of a line, in their order, and
// shownAround those that are features of its neighbours.
var (
	shownKinds = []kind{
		kindBrackets, kindError, kindFrame, kindDiffHead, kindAdded, kindRemoved, kindHit, kindPassed, kindFailed,
		kindDefine, kindBind, kindImport, kindComment, kindHeading, kindItem, kindRow, kindKey, kindSummary,
		kindNumbers, kindRule, kindStamp, kindLeave, kindBranch, kindTest, kindOpens, kindProse,
		kindTrouble, kindWarn, kindTodo, kindNotice, kindLink, kindAssert,
	}
	shownAround = []kind{
		kindBlank, kindBrackets, kindError, kindTrouble, kindFrame, kindAdded, kindRemoved, kindHit, kindDefine,
		kindComment, kindHeading, kindNotice,
	}
)

func (t *Table) row(i int, dst []float32) []float32 {
	l := &t.lines[i]
	dst = t.wording(i, dst)
	dst = t.place(i, dst)
	dst = append(dst,
		min(float32(l.length), 300)/300, flag(l.length > 400), l.is(kindBlank), min(float32(l.indent), 24)/24,
		share(l.digits, l.length), share(l.letters, l.length),
		l.errNear, logShare(float64(l.same), float64(len(t.lines))), flag(l.same > 1 && !l.first), share(l.fresh, l.words),
	)
	for _, k := range shownKinds {
		dst = append(dst, l.is(k))
	}
	for _, at := range [2]int{i - 1, i + 1} {
		for _, k := range shownAround {
			dst = append(dst, flag(at >= 0 && at < len(t.lines) && t.lines[at].kind&k != 0))
		}
	}
	return append(dst, t.common...)
}

// wording are the features of what a line and those around it say to the query.
func (t *Table) wording(i int, dst []float32) []float32 {
	l, s := &t.lines[i], &t.signals
	of, best := &s.of[i], &s.block[l.block]
	for part := range signal(parts) {
		k, x := sigRequest+part, sigExactRequest+part
		dst = append(dst, sat(l.bm[part], 4), of[k], s.around(k, i, 2), s.around(k, i, 8), best[k],
			of[x], s.around(x, i, 4), best[x])
	}
	dst = append(dst, of[sigRel], l.near, t.rel(i-1), t.rel(i+1),
		s.around(sigRel, i, 2), s.around(sigRel, i, 12), best[sigRel],
		of[sigFeedback], s.around(sigFeedback, i, 4), best[sigFeedback],
		l.rarest, min(l.meanIDF, 8)/8, sat(float32(l.distinct), 3))
	return dst
}

// place are the features of where a line stands.
func (t *Table) place(i int, dst []float32) []float32 {
	l := &t.lines[i]
	n := len(t.lines)
	start, end := t.block(i)
	within, define, age := float32(0), float32(0), float32(1)
	if l.within >= 0 {
		within = t.rel(int(l.within))
	}
	if l.define >= 0 {
		define, age = t.rel(int(l.define)), sat(float32(i-int(l.define)), 10)
	}
	return append(dst,
		float32(float64(i)/math.Max(1, float64(n-1))), ends(i), ends(n-1-i), logs(i), logs(n-1-i),
		float32(i-start)/float32(end-start), logs(end-start), flag(i == start), t.rel(start),
		within, l.headline, define, age)
}

// size is the number of lines. Training saw few texts that are longer than
// 2,000, and none of them tells more.
func (t *Table) size() float32 { return logs(len(t.lines)) }

func logs(n int) float32 { return float32(math.Log1p(min(float64(n), 2000)) / 8) }

func logShare(part, whole float64) float32 { return float32(math.Log1p(part) / math.Log1p(whole)) }

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
