package compress_test

import (
	"fmt"
	"strings"
	"testing"

	"winnow/internal/compress"
	"winnow/internal/compress/blocks"
	"winnow/internal/compress/diffs"
	"winnow/internal/compress/hits"
	"winnow/internal/compress/listing"
	"winnow/internal/compress/logs"
	"winnow/internal/marker"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

var allEditors = []struct {
	compress.Editor
	kind detect.Kind
}{
	{logs.Editor{}, detect.Log}, {diffs.Editor{}, detect.Diff}, {hits.Editor{}, detect.Search}, {listing.Editor{}, detect.Listing}, {blocks.Editor{}, detect.Prose},
}

// checkCuts says what is wrong with an editor's cuts, "" for nothing.
func checkCuts(e compress.Editor, in compress.Input) string {
	d := text.Split(in.Text)
	cuts := e.Cuts(in)
	if fmt.Sprint(cuts) != fmt.Sprint(e.Cuts(in)) {
		return "two answers for one input"
	}
	end := -2
	edits := make([]text.Edit, len(cuts))
	note := func(i int) string { return fmt.Sprintf("%d of %s;", i, marker.KeyOf(in.Text)) } // no text holds its own hash
	for i, c := range cuts {
		if c.First <= end+1 || c.Last < c.First || c.Last >= d.Len() {
			return fmt.Sprintf("cut %d-%d after %d of %d lines", c.First, c.Last, end, d.Len())
		}
		if strings.Contains(c.Digest, "\n") || c.Digest == "" {
			return fmt.Sprintf("digest %q", c.Digest)
		}
		end = c.Last
		edits[i] = text.Edit{Span: c.Span(d), Note: note(i)}
	}
	out, err := text.Apply(d, edits)
	if err != nil {
		return err.Error()
	}
	for i, c := range cuts {
		out = strings.Replace(out, note(i), d.Run(c.First, c.Last), 1)
	}
	if out != in.Text {
		return "text and recalls are not the input"
	}
	return ""
}

func FuzzEditors(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s, "fix the price of an order")
	}
	f.Fuzz(func(t *testing.T, s, query string) {
		for _, e := range allEditors {
			if wrong := checkCuts(e, compress.Input{Text: s, Kind: e.kind, Query: query}); wrong != "" {
				t.Errorf("%s: %s\n%q", e.Name(), wrong, s)
			}
		}
	})
}
