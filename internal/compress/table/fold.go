package table

import (
	"errors"
	"strconv"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/compress/jsonform"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// magic begins every form, and mark every table in it. A text that has a line
// with either is refused.
const (
	magic = "#tables/1"
	mark  = "#table "
)

var errForm = errors.New("not a form of tables")

// Codec is the lossless form: columns that say the same in every row are stated
// once, what repeats is defined once, and padding is left out.
type Codec struct{}

var _ compress.Encoder = Codec{}

// Name implements [compress.Encoder].
func (Codec) Name() string { return "table" }

// Encode implements [compress.Encoder].
func (c Codec) Encode(in compress.Input) (string, bool) {
	if in.Kind != detect.Table && in.Kind != detect.Unknown {
		return "", false
	}
	if len(in.Text) > maxText {
		return "", false
	}
	form, ok := encode(in.Text, false)
	if !ok || len(form) >= len(in.Text) {
		return "", false
	}
	back, err := c.Decode(form)
	return form, err == nil && back == in.Text
}

// encode writes lines that are no table as they are, and each table as a block
// if that is shorter, or all of them.
func encode(src string, all bool) (string, bool) {
	if strings.HasPrefix(src, "#table") || strings.Contains(src, "\n#table") {
		return "", false
	}
	d := text.Split(src)
	crlf := strings.Contains(src, "\r\n")
	var out strings.Builder
	at, used := 0, map[string]bool{}
	for _, b := range find(d) {
		form, legend, ok := b.encode(d, crlf)
		if size := d.RunSpan(b.first, b.last).Len(); !ok || len(form) >= size && !all {
			continue
		}
		for ; at < b.first; at++ {
			out.WriteString(d.Line(at) + "\n")
		}
		out.WriteString(form)
		if at = b.last + 1; at < d.Len() {
			out.WriteByte('\n')
		}
		for word := range strings.SplitSeq(strings.TrimPrefix(legend, " | "), "; ") {
			used[word] = true
		}
	}
	if at == 0 {
		return "", false
	}
	for ; at < d.Len(); at++ {
		out.WriteString(d.Line(at))
		if at+1 < d.Len() {
			out.WriteByte('\n')
		}
	}
	return magic + legendOf(used) + "\n" + out.String(), true
}

// legendOf writes the words in one order.
func legendOf(used map[string]bool) string {
	s := ""
	for _, w := range []string{"k=v: v in every row", "a..b: counts", "@k: the row's k", "*: the cell", "empty cell: no such key", "&n: as defined"} {
		if !used[w] {
			continue
		}
		if w == "empty cell: no such key" {
			continue // in a table an empty cell is one
		}
		if s == "" {
			s = " | " + w
		} else {
			s += "; " + w
		}
	}
	return s
}

// encode writes "#table LAYOUT", the lines above the rows where they cannot be
// made again, and the rows.
func (b *block) encode(d text.Doc, crlf bool) (form, legend string, ok bool) {
	names := b.names
	if names == nil {
		for i := range b.columns() {
			names = append(names, "c"+strconv.Itoa(i+1))
		}
	}
	keys := make([]string, len(names))
	for i, n := range names {
		keys[i] = quote(n)
	}
	size, cells := d.RunSpan(b.first, b.last).Len(), len(b.rows)*len(keys)
	rows := jsonform.NewRows(keys, size+size/8, cells)
	var raw []byte
	for i, cells := range b.rows {
		l := d.Line(b.first + b.head + i)
		if cells == nil || strings.HasSuffix(l, "\r") != crlf {
			raw = appendQuoted(raw[:0], l)
			rows.Odd(raw) // a string is no row: it stands as it is
			continue
		}
		rows.Begin()
		for c, cell := range cells {
			switch {
			case cell == "": // is left out
			case jsonform.Scalar(cell):
				raw = append(raw[:0], cell...)
				rows.Cell(c, raw)
			default:
				raw = appendQuoted(raw[:0], cell)
				rows.Cell(c, raw)
			}
		}
		rows.End()
	}
	block, legend, ok := rows.Block()
	if !ok {
		return "", "", false
	}
	head := mark + b.layout.spec() + " " + strconv.Itoa(b.columns())
	if crlf {
		head += " crlf"
	}
	if b.head > 0 {
		head += " head=" + strconv.Itoa(b.head)
	}
	for i := range b.head {
		head += "\n" + d.Line(b.first+i)
	}
	return head + "\n" + string(block), legend, true
}

func (b *block) columns() int {
	for _, r := range b.rows {
		if r != nil {
			return len(r)
		}
	}
	return 0
}
