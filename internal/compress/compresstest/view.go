// Package compresstest is what tests of editors share.
package compresstest

import (
	"winnow/internal/compress"
	"winnow/internal/text"
)

// View is in.Text with each of the editor's cuts as "[DIGEST]" in a line of its
// own, or the error that two cuts in each other's way make.
func View(e compress.Editor, in compress.Input) string {
	d := text.Split(in.Text)
	var edits []text.Edit
	for _, c := range e.Cuts(in) {
		edits = append(edits, text.Edit{Span: c.Span(d), Note: "[" + c.Digest + "]"})
	}
	out, err := text.Apply(d, edits)
	if err != nil {
		return err.Error()
	}
	return out
}
