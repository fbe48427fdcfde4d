package blocks

import (
	"strconv"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
)

// Editor hides blocks that stood before, for texts that may be cut but not
// rewritten: what stays is the original, each hidden line stands above as well, and
// the marker says where.
type Editor struct{}

var _ compress.Editor = Editor{}

// Name names the editor in a decision's chain.
func (Editor) Name() string { return "again" }

// A block that is hidden must hold so much: a marker stands in its place.
const (
	minHidden      = 110
	minHiddenLines = 3
)

// Cuts proposes the lines to hide.
func (Editor) Cuts(in compress.Input) []compress.Cut {
	switch in.Kind {
	case detect.JSON, detect.JSONL, detect.Diff, detect.Binary:
		return nil
	}
	e := newEncoder(in.Text, Options{NoRuns: true})
	e.run()
	at := map[int]placed{}
	hide := make([]bool, e.d.Len())
	for _, r := range e.refs {
		if r.lines < minHiddenLines || e.d.RunSpan(r.at, r.at+r.lines-1).Len() < minHidden {
			continue
		}
		for i := r.at; i < r.at+r.lines; i++ {
			hide[i] = true
		}
		at[r.at] = r
	}
	return compress.CutsOf(hide, func(int) bool { return false }, minHiddenLines, func(first, last int) string {
		return digest(at, first, last)
	})
}

// digest names the lines that stand in the place of lines first to last.
func digest(at map[int]placed, first, last int) string {
	var places []string
	for i := first; i <= last; i++ {
		r, ok := at[i]
		if !ok {
			continue
		}
		s := strconv.Itoa(r.first) + "-" + strconv.Itoa(r.last)
		if r.n > 1 {
			s += " " + strconv.Itoa(r.n) + " times"
		}
		places = append(places, s)
	}
	return "lines " + strings.Join(places, ", ") + " again"
}
