package jsonform

import (
	"strconv"
	"strings"
	"unsafe"

	"winnow/internal/compress/rows"
)

// Decode returns the JSON that form was made of. It is safe on any input.
func Decode(form string) (string, error) { return decode(form, 2*len(form)) }

// decode has room for size bytes from the start.
func decode(form string, size int) (string, error) {
	head, rest, ok := strings.Cut(form, "\n")
	spec, isForm := strings.CutPrefix(head, magic)
	if !ok || !isForm {
		return "", errForm
	}
	spec, _, _ = strings.Cut(spec, " |")
	st, ok := parseSpec(spec)
	if !ok {
		return "", errForm
	}
	d, end, err := read(rest, st, size)
	if err != nil {
		return "", err
	}
	if end != len(rest) {
		return "", errForm
	}
	d.w.out = append(d.w.out, st.tail...)
	return unsafe.String(unsafe.SliceData(d.w.out), len(d.w.out)), nil // nobody else has the bytes
}

// read decodes the entries and the document at the beginning of s and returns
// where it ends.
func read(s string, st style, size int) (*decoder, int, error) {
	d := &decoder{w: newWriter(st, size), open: map[int]bool{}}
	at := 0
	for strings.HasPrefix(s[at:], "&") {
		line, _, ok := strings.Cut(s[at:], "\n")
		val, isEntry := strings.CutPrefix(line, "&"+strconv.Itoa(len(d.entries)+1)+"=")
		if !ok {
			break // the document itself is one entry
		}
		if !isEntry {
			return nil, 0, errForm
		}
		d.entries = append(d.entries, val)
		at += len(line) + 1
	}
	end, err := d.value(s, at)
	return d, end, err
}

type decoder struct {
	w       *writer
	entries []string
	open    map[int]bool // entries being written: one that holds itself is none
	work    int          // bytes of entries read
	depth   int          // of calls
}

// value writes the value at s[i:] and returns where it ends.
func (d *decoder) value(s string, i int) (int, error) {
	if d.depth++; d.depth > 3*maxDepth || len(d.w.out) > maxSize {
		return 0, errForm
	}
	defer func() { d.depth-- }()
	if i >= len(s) {
		return 0, errForm
	}
	switch s[i] {
	case '{':
		return d.object(s, i)
	case '[':
		if n, at, ok := tableStart(s, i); ok {
			return d.table(s, at, n)
		}
		return d.array(s, i)
	case '&':
		return d.entry(s, i)
	case '~':
		return d.inside(s, i)
	case '"':
		end := stringEnd(s, i)
		if end == 0 {
			return 0, errForm
		}
		d.w.out = append(d.w.out, s[i:end]...)
		return end, nil
	}
	end := bareEnd(s, i)
	if end == i {
		return 0, errForm
	}
	return end, d.bare(s[i:end])
}

// stops marks the bytes that end a bare cell.
var stops = func() (t [256]bool) {
	for _, c := range []byte(",;{}[]()\"\\\n") {
		t[c] = true
	}
	return t
}()

func bareEnd(s string, i int) int {
	for i < len(s) && !stops[s[i]] {
		i++
	}
	return i
}

// bare writes a cell without quotes: a literal, a number, else a string.
func (d *decoder) bare(s string) error {
	if s == "null" || s == "true" || s == "false" || (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && numberEnd(s, 0) == len(s) {
		d.w.out = append(d.w.out, s...)
		return nil
	}
	if !rows.Bare(s) {
		return errForm
	}
	d.w.str(s)
	return nil
}

func (d *decoder) object(s string, i int) (int, error) {
	d.w.begin(kObject)
	first := true
	for i++; ; first = false {
		if i < len(s) && s[i] == '}' {
			d.w.end(kObject, first)
			return i + 1, nil
		}
		if !first {
			if i >= len(s) || s[i] != ',' && s[i] != '\n' {
				return 0, errForm
			}
			i++
		}
		key, end := readKey(s, i)
		if end == 0 || end >= len(s) || s[end] != ':' {
			return 0, errForm
		}
		d.w.item(kObject, first)
		d.w.key(key)
		d.w.depth++
		var err error
		i, err = d.value(s, end+1)
		if d.w.depth--; err != nil {
			return 0, err
		}
	}
}

// readKey returns the key at s[i:] in quotes and where it ends, 0 where there is none.
func readKey(s string, i int) (string, int) {
	if i < len(s) && s[i] == '"' {
		end := stringEnd(s, i)
		return s[i:max(i, end)], end
	}
	end := i
	for end < len(s) && (s[end] == '_' || s[end] == '-' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' || s[end] >= '0' && s[end] <= '9') {
		end++
	}
	if end == i {
		return "", 0
	}
	return `"` + s[i:end] + `"`, end
}

func (d *decoder) array(s string, i int) (int, error) {
	d.w.begin(kArray)
	first := true
	for i++; ; first = false {
		if i < len(s) && s[i] == ']' {
			d.w.end(kArray, first)
			return i + 1, nil
		}
		if !first {
			if i >= len(s) || s[i] != ',' && s[i] != '\n' {
				return 0, errForm
			}
			i++
		}
		d.w.item(kArray, first)
		d.w.depth++
		var err error
		i, err = d.value(s, i)
		if d.w.depth--; err != nil {
			return 0, err
		}
	}
}

func (d *decoder) entry(s string, i int) (int, error) {
	end := bareEnd(s, i)
	n, err := strconv.Atoi(s[i+1 : end])
	if err != nil || n < 1 || n > len(d.entries) {
		return 0, errForm
	}
	text := d.entries[n-1]
	if d.work += len(text); d.open[n] || d.work > 4*maxSize {
		return 0, errForm
	}
	d.open[n] = true
	at, err := d.value(text, 0)
	delete(d.open, n)
	if err != nil || at != len(text) {
		return 0, errForm
	}
	return end, nil
}

// inside writes a string that holds JSON.
func (d *decoder) inside(s string, i int) (int, error) {
	at := strings.IndexAny(s[i:], "{[")
	if at < 0 {
		return 0, errForm
	}
	st, ok := parseSpec(s[i+1 : i+at])
	if !ok {
		return 0, errForm
	}
	outer := d.w
	d.w = newWriter(st, 0)
	end, err := d.value(s, i+at)
	inner := append(d.w.out, st.tail...)
	d.w = outer
	if err != nil {
		return 0, err
	}
	d.w.out = append(d.w.out, '"')
	d.w.out = appendEscaped(d.w.out, inner)
	d.w.out = append(d.w.out, '"')
	return end, nil
}

// tableStart reads "[12]{" and returns the number and where "{" stands.
func tableStart(s string, i int) (n, at int, ok bool) {
	for at = i + 1; at < len(s) && s[at] >= '0' && s[at] <= '9'; at++ {
		if n = n*10 + int(s[at]-'0'); n > maxSize {
			return 0, 0, false
		}
	}
	if at == i+1 || at+1 >= len(s) || s[at] != ']' || s[at+1] != '{' {
		return 0, 0, false
	}
	return n, at + 1, true
}

// table writes an array of objects of which the header begins at s[i:].
func (d *decoder) table(s string, i, n int) (int, error) {
	h, i, err := readHeader(s, i)
	if err != nil {
		return 0, err
	}
	closer, between := byte(0), byte('\n')
	hasRows := false
	switch {
	case strings.HasPrefix(s[i:], ":\n"):
		hasRows = true
		i += 2
	case strings.HasPrefix(s[i:], "("):
		hasRows, closer, between = true, ')', ';'
		i++
	}
	d.w.begin(kArray)
	k := 0
	for r := range n {
		if r > 0 && hasRows {
			if i >= len(s) || s[i] != between {
				return 0, errForm
			}
			i++
		}
		d.w.item(kArray, r == 0)
		d.w.depth++
		if hasRows && i < len(s) && s[i] == '!' {
			i, err = d.value(s, i+1)
		} else {
			i, err = d.row(h, s, i, k)
			k++
		}
		if d.w.depth--; err != nil {
			return 0, err
		}
		if len(d.w.out) > maxSize {
			return 0, errForm
		}
	}
	if closer != 0 {
		if i >= len(s) || s[i] != closer {
			return 0, errForm
		}
		i++
	}
	d.w.end(kArray, n == 0)
	return i, nil
}

// row writes the k-th regular row, of which the cells begin at s[i:].
func (d *decoder) row(h *heading, s string, i, k int) (int, error) {
	cells := h.cells
	first := true
	for j, l := range h.leaves {
		if !l.fold.Shown() {
			continue
		}
		if !first {
			if i >= len(s) || s[i] != ',' {
				return 0, errForm
			}
			i++
		}
		first = false
		end := rows.CellEnd(s, i)
		cells[j] = s[i:end]
		i = end
	}
	for _, j := range h.counted {
		f := h.leaves[j].fold
		cells[j] = strconv.FormatInt(f.First+f.Step*int64(k), 10)
	}
	return i, d.members(h, h.cols, cells)
}

// members writes an object of the columns given.
func (d *decoder) members(h *heading, cols []*head, cells []string) error {
	d.w.begin(kObject)
	first := true
	for _, c := range cols {
		if c.flat == nil && c.missing(cells) {
			continue
		}
		d.w.item(kObject, first)
		d.w.key(c.key)
		first = false
		d.w.depth++
		var err error
		if c.flat != nil {
			err = d.members(h, c.flat, cells)
		} else {
			err = d.leaf(h, c, cells)
		}
		if d.w.depth--; err != nil {
			return err
		}
	}
	d.w.end(kObject, first)
	return nil
}

// missing reports whether the row has no such key.
func (c *head) missing(cells []string) bool {
	switch c.fold.Kind {
	case rows.Same:
		return cells[c.fold.Ref] == ""
	case rows.Plain, rows.Affix:
		return cells[c.leaf] == ""
	}
	return false
}

func (d *decoder) leaf(h *heading, c *head, cells []string) error {
	switch f := c.fold; f.Kind {
	case rows.Const:
		return d.all(f.Value)
	case rows.Same:
		return d.leaf(h, h.leaves[f.Ref], cells)
	case rows.Around:
		other, ok := d.text(cells[f.Ref])
		if !ok {
			return errForm
		}
		g := h.leaves[f.Ref].fold
		d.w.str(f.Pre + g.Pre + other + g.Suf + f.Suf)
		return nil
	case rows.Affix:
		v, ok := d.text(cells[c.leaf])
		if !ok {
			return errForm
		}
		d.w.str(f.Pre + v + f.Suf)
		return nil
	}
	v := cells[c.leaf]
	if c.sub == nil || v[0] != '(' {
		return d.all(v)
	}
	return d.nested(c, v)
}

// all writes the value that v is, no more and no less.
func (d *decoder) all(v string) error {
	end, err := d.value(v, 0)
	if err == nil && end != len(v) {
		err = errForm
	}
	return err
}

// text returns what a cell says without its quotes, looked up where it is a
// reference.
func (d *decoder) text(cell string) (string, bool) {
	if strings.HasPrefix(cell, "&") {
		n, err := strconv.Atoi(cell[1:])
		if err != nil || n < 1 || n > len(d.entries) {
			return "", false
		}
		cell = d.entries[n-1]
	}
	s, quoted := rows.Inner(cell)
	return s, quoted && stringEnd(cell, 0) == len(cell) || !quoted && bareEnd(cell, 0) == len(cell)
}

// nested writes "(a,b)" or "(a,b;c,d)".
func (d *decoder) nested(c *head, v string) error {
	if d.depth++; d.depth > 3*maxDepth {
		return errForm
	}
	defer func() { d.depth-- }()
	i, err := 1, error(nil)
	if !c.list {
		if i, err = d.row(c.sub, v, i, 0); err != nil {
			return err
		}
	} else {
		d.w.begin(kArray)
		for first := true; first || i < len(v) && v[i] == ';'; first = false {
			if !first {
				i++
			}
			d.w.item(kArray, first)
			d.w.depth++
			i, err = d.row(c.sub, v, i, 0)
			if d.w.depth--; err != nil {
				return err
			}
		}
		d.w.end(kArray, false)
	}
	if i != len(v)-1 || v[i] != ')' {
		return errForm
	}
	return nil
}
