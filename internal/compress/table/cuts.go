package table

import (
	"strconv"

	"winnow/internal/compress"
	"winnow/internal/compress/rows"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Editor hides rows of long tables: all but the header, the ends, failures,
// what stands out and what the task names.
type Editor struct{}

var _ compress.Editor = Editor{}

// Name implements [compress.Editor].
func (Editor) Name() string { return "table-rows" }

// leastCut is the shortest run of rows that is worth a marker.
const leastCut = 4

// Cuts implements [compress.Editor].
func (Editor) Cuts(in compress.Input) []compress.Cut {
	lim := in.Limits.WithDefaults()
	if in.Kind != detect.Table && in.Kind != detect.Unknown || len(in.Text)/4 < lim.MinTokens {
		return nil
	}
	d := text.Split(in.Text)
	query := rows.ParseQuery(in.Query)
	var cuts []compress.Cut
	for _, b := range find(d) {
		cuts = append(cuts, b.cuts(d, lim, query)...)
	}
	return cuts
}

func (b *block) cuts(d text.Doc, lim compress.Limits, query rows.Query) []compress.Cut {
	n := len(b.rows)
	if n <= lim.HeadItems+lim.TailItems+leastCut {
		return nil
	}
	first := b.first + b.head
	p := rows.Picker{Head: lim.HeadItems, Tail: lim.TailItems, Query: query}
	keep := p.Pick(n, func(i int) string { return d.Line(first + i) }, b.fields())
	hide := make([]bool, d.Len())
	for i, cells := range b.rows {
		hide[first+i] = keep[i] == 0 && cells != nil
	}
	return compress.CutsOf(hide, func(int) bool { return false }, leastCut, func(a, z int) string {
		return strconv.Itoa(z-a+1) + " rows"
	})
}

// fields are the columns; a line that is no row has only empty cells.
func (b *block) fields() []rows.Field {
	out := make([]rows.Field, b.columns())
	for c := range out {
		if b.names != nil {
			out[c].Name = b.names[c]
		}
		out[c].Cells = make([]string, len(b.rows))
		for r, cells := range b.rows {
			if cells != nil {
				out[c].Cells[r] = bare(cells[c])
			}
		}
	}
	return out
}

// bare takes the quotes of CSV off.
func bare(s string) string {
	if len(s) > 1 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}
