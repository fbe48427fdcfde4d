package jsonform

import (
	"strconv"
	"strings"

	"winnow/internal/compress/rows"
)

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
	i, err := d.cells(h, s, i, k)
	if err != nil {
		return 0, err
	}
	return i, d.members(h, h.cols, h.cells)
}

// cells reads the k-th regular row, of which the cells begin at s[i:].
func (d *decoder) cells(h *heading, s string, i, k int) (int, error) {
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
	h.room = h.room[:0]
	for _, j := range h.counted {
		f, from := h.leaves[j].fold, len(h.room)
		h.room = strconv.AppendInt(h.room, f.First+f.Step*int64(k), 10)
		cells[j] = view(h.room[from:])
	}
	return i, nil
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
