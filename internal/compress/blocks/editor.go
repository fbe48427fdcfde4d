package blocks

import (
	"strconv"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
)

// Editor hides blocks that stood before, for texts that may be cut but not
// rewritten: what stays is the original, and the marker says where to look. A
// file that is read to be edited is none of its business: there the second of
// two equal places may be the one that matters.
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
	from := map[int]int{} // a hidden line -> the line that stays in its place
	hide := make([]bool, e.d.Len())
	for _, r := range e.refs {
		if r.lines < minHiddenLines || e.d.RunSpan(r.at, r.at+r.lines-1).Len() < minHidden {
			continue
		}
		for i := r.at; i < r.at+r.lines; i++ {
			hide[i] = true
		}
		from[r.at] = r.first
	}
	return compress.CutsOf(hide, func(int) bool { return false }, minHiddenLines, func(first, last int) string {
		return "lines " + strconv.Itoa(from[first]) + "-" + strconv.Itoa(from[first]+last-first) + " again"
	})
}
