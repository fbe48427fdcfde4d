// Package listing hides of file listings (ls, find, tree, globs) what nobody
// looks for in them: what lies below vendored, build and cache folders, and the
// middle of long runs of files that differ in a number only. The folders
// themselves are still named, and so is whatever the task or the command names.
package listing

import (
	"strings"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Editor hides lines of listings.
type Editor struct{}

var _ compress.Editor = Editor{}

// Name names the editor in a decision's chain.
func (Editor) Name() string { return "listing" }

// least is the number of entries below which nothing is hidden.
const least = 16

// Cuts proposes the lines to hide.
func (Editor) Cuts(in compress.Input) []compress.Cut {
	if in.Kind != detect.Listing && in.Kind != detect.Unknown {
		return nil
	}
	d := text.Split(in.Text)
	entries, n := read(d)
	if n < least {
		return nil
	}
	names := compress.NamesOf(in, d)
	hide := make([]bool, d.Len())
	mark := func(i int) { hide[i] = !names.In(d.Line(i)) }
	vendored(entries, in, mark)
	series(entries, mark)
	return compress.CutsOf(hide, func(i int) bool { return strings.TrimSpace(d.Line(i)) == "" }, 3, func(first, last int) string {
		return digest(entries[first : last+1])
	})
}
