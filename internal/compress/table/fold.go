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
	var js strings.Builder
	perRow := 2 + 3*len(keys)
	for _, k := range keys {
		perRow += len(k)
	}
	js.Grow(d.RunSpan(b.first, b.last).Len() + perRow*len(b.rows))
	js.WriteByte('[')
	for i, cells := range b.rows {
		if i > 0 {
			js.WriteByte(',')
		}
		if cells == nil || strings.HasSuffix(d.Line(b.first+b.head+i), "\r") != crlf {
			js.WriteString(quote(d.Line(b.first + b.head + i))) // a string is no row: it stands as it is
			continue
		}
		rowJSON(&js, keys, cells)
	}
	js.WriteByte(']')
	rows, legend, ok := jsonform.Block(js.String())
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
	return head + "\n" + rows, legend, true
}

func (b *block) columns() int {
	for _, r := range b.rows {
		if r != nil {
			return len(r)
		}
	}
	return 0
}

// rowJSON writes a row: an empty cell is left out, numbers and literals stand
// as they are, all else is a string.
func rowJSON(b *strings.Builder, keys, cells []string) {
	b.WriteByte('{')
	first := true
	for i, c := range cells {
		if c == "" {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		b.WriteString(keys[i])
		b.WriteByte(':')
		if jsonform.Scalar(c) {
			b.WriteString(c)
		} else {
			b.WriteString(quote(c))
		}
	}
	b.WriteByte('}')
}

const hexDigits = "0123456789abcdef"

// quote writes any bytes as a string of JSON; those that are no UTF-8 stand as
// they are.
func quote(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] >= 0x20 && s[i] != '"' && s[i] != '\\'
	}
	if plain {
		return `"` + s + `"`
	}
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\t':
			b = append(b, `\t`...)
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

// unquote reads what quote wrote.
func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != '"' {
		return s, true
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		i++
		switch {
		case s[i] == '"' || s[i] == '\\':
			b = append(b, s[i])
		case s[i] == 't':
			b = append(b, '\t')
		case s[i] == 'u' && i+4 < len(s) && s[i+1] == '0' && s[i+2] == '0':
			n, err := strconv.ParseUint(s[i+3:i+5], 16, 8)
			if err != nil {
				return "", false
			}
			b = append(b, byte(n))
			i += 4
		default:
			return "", false
		}
	}
	return string(b), true
}

// Decode implements [compress.Encoder].
func (Codec) Decode(form string) (string, error) {
	head, rest, ok := strings.Cut(form, "\n")
	head, _, _ = strings.Cut(head, " |")
	if !ok || head != magic {
		return "", errForm
	}
	var out strings.Builder
	tables := 0
	for {
		l, after, more := strings.Cut(rest, "\n")
		if spec, is := strings.CutPrefix(l, mark); is && more {
			end, err := decodeBlock(&out, spec, after)
			if err != nil {
				return "", err
			}
			tables++
			if rest = after[end:]; rest == "" {
				break
			}
			if rest[0] != '\n' {
				return "", errForm
			}
			out.WriteByte('\n')
			rest = rest[1:]
			continue
		}
		out.WriteString(l)
		if !more {
			break
		}
		out.WriteByte('\n')
		rest = after
	}
	if tables == 0 {
		return "", errForm
	}
	return out.String(), nil
}

// decodeBlock writes the lines of one table and returns where its block ends.
func decodeBlock(out *strings.Builder, spec, s string) (int, error) {
	words := strings.Fields(spec)
	if len(words) < 2 {
		return 0, errForm
	}
	lay, ok := parseLayout(words[0])
	columns, err := strconv.Atoi(words[1])
	if !ok || err != nil || columns < 1 || columns > maxColumns {
		return 0, errForm
	}
	end, heads := "", 0
	for _, w := range words[2:] {
		switch {
		case w == "crlf":
			end = "\r"
		case strings.HasPrefix(w, "head=") && len(w) == 6 && (w[5] == '1' || w[5] == '2'):
			heads = int(w[5] - '0')
		default:
			return 0, errForm
		}
	}
	at, names := 0, []string(nil)
	for i := range heads {
		l, _, more := strings.Cut(s[at:], "\n")
		if !more {
			return 0, errForm
		}
		out.WriteString(l + "\n")
		if at += len(l) + 1; i == 0 {
			names, _ = lay.cells(nil, strings.TrimSuffix(l, "\r"))
		}
	}
	index := map[string]int{}
	for i := range columns {
		name := "c" + strconv.Itoa(i+1)
		if names != nil && named(names) && len(names) == columns {
			name = names[i]
		}
		index[name] = i
	}
	if a, is := lay.(aligned); is && a.count() != columns {
		return 0, errForm
	}
	r := &rowWriter{layout: lay, index: index, cells: make([]string, columns), end: end}
	n, err := jsonform.ReadBlock(s[at:], r.add)
	out.Write(r.out)
	return at + n, err
}

// rowWriter puts the lines of a block together.
type rowWriter struct {
	layout layout
	index  map[string]int // of the columns by name
	cells  []string
	end    string // of each line, before its newline
	out    []byte
	rows   int
}

func (w *rowWriter) add(row []string) error {
	if w.rows++; w.rows > 1 {
		w.out = append(w.out, '\n')
	}
	if len(row) == 1 {
		l, ok := unquote(row[0])
		w.out = append(w.out, l...)
		if !ok {
			return errForm
		}
		return nil
	}
	clear(w.cells)
	for k := 0; k < len(row); k += 2 {
		name, ok := row[k], true
		if strings.IndexByte(name, '\\') >= 0 {
			name, ok = unquote(`"` + name + `"`)
		}
		i, known := w.index[name]
		val, ok2 := unquote(row[k+1])
		if !ok || !known || !ok2 {
			return errForm
		}
		w.cells[i] = val
	}
	w.out = append(w.layout.line(w.out, w.cells), w.end...)
	return nil
}
