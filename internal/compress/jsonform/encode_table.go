package jsonform

import (
	"strconv"
	"strings"

	"winnow/internal/compress/rows"
)

func (e *encoder) array(i uint32, block bool) {
	tb, known := e.tables[i]
	if !known {
		if n := e.t.nodes[i]; n.n > 1 && e.t.nodes[i+1].kind >= kArray || e.t.lines && i == 0 {
			tb = e.sh.shape(e.t.elems(i), 0, false)
		}
		e.tables[i] = tb
	}
	if tb != nil {
		e.table(tb, block)
		return
	}
	sep, block := e.separator(i, block && !e.short(i))
	e.put("[")
	v := i + 1
	for n := e.t.nodes[i].n; n > 0; n-- {
		e.value(v, block)
		if v = e.t.nodes[v].next; n > 1 {
			e.put(sep)
		}
	}
	e.put("]")
}

// short reports whether an array is of scalars that fit beside each other.
func (e *encoder) short(i uint32) bool {
	n := e.t.nodes[i]
	return n.n > 0 && e.t.nodes[i+1].kind < kArray && e.sh.size[i] < n.n*wide/4
}

// table writes the header and, where a row says anything, the rows.
func (e *encoder) table(tb *table, block bool) {
	e.put("[", strconv.Itoa(len(tb.rows)), "]")
	e.header(tb)
	shown := tb.regular < len(tb.rows)
	for _, l := range tb.leaves {
		shown = shown || l.col.fold.Shown()
	}
	if !shown {
		return
	}
	first, between, last := "(", ";", ")"
	if block {
		first, between, last = ":\n", "\n", ""
	}
	e.put(first)
	k := 0
	for r, node := range tb.rows {
		if r > 0 {
			e.put(between)
		}
		if tb.odd[r] {
			e.put("!")
			e.value(node, false)
			continue
		}
		e.row(tb, k)
		k++
	}
	e.put(last)
}

func (e *encoder) header(tb *table) {
	e.put("{")
	e.columns(tb)
	e.put("}")
	for _, l := range tb.leaves {
		if l.col.sub != nil {
			e.cursor[l.col.sub] = 0
		}
	}
}

func (e *encoder) columns(tb *table) {
	for i, c := range tb.cols {
		if i > 0 {
			e.put(",")
		}
		key := c.key
		if name, ok := bareKey(key); ok {
			key = name
		}
		e.put(key)
		if c.mode == asFlat {
			e.header(c.sub)
		} else {
			e.spec(c, tb)
		}
	}
}

// spec writes what the header says of one leaf.
func (e *encoder) spec(c *column, tb *table) {
	switch f := c.fold; f.Kind {
	case rows.Const:
		e.put("=")
		e.used.constant = true
		if cell := c.cells[0]; e.t.nodes[cell].kind == kString && strings.Contains(e.t.raw(cell), "..") {
			e.put(e.t.raw(cell))
		} else {
			e.value(cell, false)
		}
	case rows.Count:
		e.used.count = true
		e.put("=", strconv.FormatInt(f.First, 10), "..", strconv.FormatInt(f.First+f.Step*int64(len(c.cells)-1), 10))
		if f.Step != 1 && f.Step != -1 {
			e.put("/", strconv.FormatInt(max(f.Step, -f.Step), 10))
		}
	case rows.Same:
		e.used.ref = true
		e.put("=@", c.ref)
	case rows.Around:
		e.used.ref = true
		e.put(`="`, f.Pre, `"+@`, c.ref)
		e.suffix(f.Suf)
	case rows.Affix:
		e.used.own = true
		e.put(`="`, f.Pre, `"+*`)
		e.suffix(f.Suf)
	default:
		switch c.mode {
		case asTuple:
			e.put("?")
			e.header(c.sub)
		case asList:
			e.put("[]")
			e.header(c.sub)
		}
	}
}

func (e *encoder) suffix(s string) {
	if s != "" {
		e.put(`+"`, s, `"`)
	}
}

// row writes the k-th regular row of a table.
func (e *encoder) row(tb *table, k int) {
	first := true
	for _, l := range tb.leaves {
		if !l.col.fold.Shown() {
			continue
		}
		if !first && !e.counting {
			e.out = append(e.out, ',')
		}
		first = false
		if c := l.col.cells[k]; c != 0 {
			e.cell(l.col, c)
		} else {
			e.used.missing = true
		}
	}
}

func (e *encoder) cell(col *column, c uint32) {
	n := e.t.nodes[c]
	switch {
	case col.fold.Kind == rows.Affix:
		if !e.counting {
			s := e.t.inner(c)
			e.out = rows.AppendCell(e.out, s[len(col.fold.Pre):len(s)-len(col.fold.Suf)])
		}
	case col.mode == asTuple && n.kind == kObject:
		e.put("(")
		e.next(col.sub)
		e.put(")")
	case col.mode == asList && n.kind == kArray && n.n > 0:
		e.put("(")
		for i := range n.n {
			if i > 0 {
				e.put(";")
			}
			e.next(col.sub)
		}
		e.put(")")
	default:
		e.value(c, false)
	}
}

// next writes the next row of a table inside a column.
func (e *encoder) next(tb *table) {
	k := e.cursor[tb]
	e.cursor[tb] = k + 1
	e.row(tb, k)
}
