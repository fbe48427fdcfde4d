package jsonform

import "winnow/internal/compress/rows"

// mode says how the cells of a column are written.
type mode uint8

const (
	asValue mode = iota // any value
	asFlat              // an object in each row: its members are columns of the row
	asTuple             // "(a,b)" for an object, other values as they are
	asList              // "(a,b;c,d)" for an array of objects
)

const (
	maxColumns = 160
	// maxNested bounds tables inside tables, since each level is read again.
	maxNested = 4
)

// column is one key of a table.
type column struct {
	key   string   // in its quotes
	cells []uint32 // a value's node for each regular row, 0 where the key is missing
	mode  mode
	sub   *table
	fold  rows.Fold
	ref   string // the name of the column that fold refers to
}

// table is an array of objects seen as rows. A row whose keys are doubled or in
// another order than the columns is odd and is written whole.
type table struct {
	cols    []*column
	rows    []uint32 // the elements
	odd     []bool
	regular int
	leaves  []leaf
	moved   int // columns moved to make room for others
}

// leaf is a column of the row as it is written: a column that is not flat, with
// the names that lead to it.
type leaf struct {
	col  *column
	name string // "a.b" where every part is a bare key, else ""
}

// shaper finds the tables of a tape.
type shaper struct {
	t    *tape
	hash []uint64
	size []uint32 // bytes of a node without white space
	work int      // steps taken, so that a test can see that they are linear
}

// shape returns elems as a table, or nil where that would not read better.
func (s *shaper) shape(elems []uint32, level int, alone bool) *table {
	if len(elems) < 2 || level > maxNested {
		return nil
	}
	tb := &table{rows: elems, odd: make([]bool, len(elems))}
	index := map[string]int{}
	for r, e := range elems {
		s.work += 1 + int(s.t.nodes[e].n)
		if s.t.nodes[e].kind != kObject || !tb.add(s.t, e, index) {
			tb.odd[r] = true
		}
		if r == 7 && tb.regular < 4 {
			return nil // no use going on
		}
	}
	s.work += tb.moved
	if !tb.worth() {
		return nil
	}
	for _, c := range tb.cols {
		c.pad(tb.regular)
		s.nest(c, level)
	}
	tb.leaves = leavesOf(tb, "", true, nil)
	s.fold(tb, alone)
	return tb
}

// add puts one object into the columns; new keys get a column where they stand.
func (tb *table) add(t *tape, e uint32, index map[string]int) bool {
	k, n := e+1, t.nodes[e].n
	if !tb.quick(t, k, n) {
		if !tb.fits(t, k, n, index) {
			return false
		}
		tb.insert(t, k, n, index)
	}
	at := 0
	for ; n > 0; n-- {
		key := t.raw(k)
		for tb.cols[at].key != key {
			at++
		}
		c := tb.cols[at]
		c.pad(tb.regular)
		c.cells = append(c.cells, k+1)
		at++
		k = t.nodes[k+1].next
	}
	tb.regular++
	return true
}

func (c *column) pad(n int) {
	for len(c.cells) < n {
		c.cells = append(c.cells, 0)
	}
}

// quick reports whether the keys are the columns from the first on.
func (tb *table) quick(t *tape, k, n uint32) bool {
	if int(n) > len(tb.cols) {
		return false
	}
	for i := range n {
		if tb.cols[i].key != t.raw(k) {
			return false
		}
		k = t.nodes[k+1].next
	}
	return true
}

// fits reports whether the object's keys, without repeats, are in the columns' order.
func (tb *table) fits(t *tape, k, n uint32, index map[string]int) bool {
	last, fresh := -1, map[string]bool{}
	for ; n > 0; n-- {
		key := t.raw(k)
		if at, ok := index[key]; ok {
			if at <= last {
				return false
			}
			last = at
		} else if fresh[key] {
			return false
		} else {
			fresh[key] = true
		}
		k = t.nodes[k+1].next
	}
	return len(tb.cols)+len(fresh) <= maxColumns
}

func (tb *table) insert(t *tape, k, n uint32, index map[string]int) {
	at := 0
	for ; n > 0; n-- {
		key := t.raw(k)
		if i, ok := index[key]; ok {
			at = i + 1
		} else {
			tb.cols = append(tb.cols, nil)
			copy(tb.cols[at+1:], tb.cols[at:])
			tb.cols[at] = &column{key: key}
			tb.moved += len(tb.cols) - at
			for i, c := range tb.cols[at:] {
				index[c.key] = at + i
			}
			at++
		}
		k = t.nodes[k+1].next
	}
}

// worth reports whether most elements are rows and most cells are there.
func (tb *table) worth() bool {
	if tb.regular < 2 || tb.regular*3 < len(tb.rows)*2 || len(tb.cols) == 0 {
		return false
	}
	full := 0
	for _, c := range tb.cols {
		for _, cell := range c.cells {
			if cell != 0 {
				full++
			}
		}
	}
	return full*5 >= tb.regular*len(tb.cols)*2
}

// nest looks for a table inside the cells of a column.
func (s *shaper) nest(c *column, level int) {
	var objects, elems []uint32
	present, arrays := 0, 0
	for _, cell := range c.cells {
		if cell == 0 {
			continue
		}
		present++
		switch n := s.t.nodes[cell]; n.kind {
		case kObject:
			objects = append(objects, cell)
		case kArray:
			arrays++
			for _, e := range s.t.elems(cell) {
				if s.t.nodes[e].kind != kObject {
					return
				}
				elems = append(elems, e)
			}
		}
	}
	switch {
	case len(objects) >= 2 && !s.repeats(objects):
		all := len(objects) == len(c.cells)
		if sub := s.shape(objects, level+1, !all); sub != nil && sub.regular == len(objects) {
			c.sub, c.mode = sub, asTuple
			if all {
				c.mode = asFlat
			}
		}
	case arrays > 0 && len(elems) >= 3:
		if sub := s.shape(elems, level+1, true); sub != nil && sub.regular == len(elems) {
			c.sub, c.mode = sub, asList
		}
	}
}

// repeats reports whether the values of a column are so often the same that a
// reference to each is shorter than its parts.
func (s *shaper) repeats(cells []uint32) bool {
	bytes, count := 0, 0
	for _, cell := range cells {
		if cell != 0 {
			bytes += int(s.size[cell])
			count++
		}
	}
	if count < 3 || bytes < minEntry*count {
		return false
	}
	seen := make(map[uint64]struct{}, 16)
	for _, cell := range cells {
		if cell == 0 {
			continue
		}
		if seen[s.hash[cell]] = struct{}{}; len(seen)*2 > count {
			return false
		}
	}
	return true
}

func leavesOf(tb *table, path string, bare bool, out []leaf) []leaf {
	for _, c := range tb.cols {
		name, ok := bareKey(c.key)
		ok = ok && bare
		if c.mode == asFlat {
			out = leavesOf(c.sub, path+name+".", ok, out)
			continue
		}
		l := leaf{col: c}
		if ok {
			l.name = path + name
		}
		out = append(out, l)
	}
	return out
}

// fold states once what the leaves of a table have in common.
func (s *shaper) fold(tb *table, alone bool) {
	f := rows.Folder{JSON: true, Alone: alone}
	names := map[string]int{}
	for _, l := range tb.leaves {
		names[l.name]++
		// The cells of a flat column's members line up with the rows; those of the
		// rest were padded.
		cells := make([]string, len(l.col.cells))
		scalar := l.col.mode == asValue
		for i, c := range l.col.cells {
			if c != 0 {
				cells[i] = s.t.raw(c)
				scalar = scalar && s.t.nodes[c].kind < kArray
			}
		}
		if !scalar {
			cells = s.whole(l.col)
		}
		f.Columns = append(f.Columns, cells)
		f.NoRef = append(f.NoRef, !scalar)
		f.Repeats = append(f.Repeats, scalar && s.repeats(l.col.cells))
	}
	for i, l := range tb.leaves {
		f.NoRef[i] = f.NoRef[i] || l.name == "" || names[l.name] > 1
	}
	folds := f.Folds()
	s.work += f.Work
	for i, fold := range folds {
		tb.leaves[i].col.fold = fold
		if fold.Kind == rows.Same || fold.Kind == rows.Around {
			tb.leaves[i].col.ref = tb.leaves[fold.Ref].name
		}
	}
}

// whole is a column of values that are only ever looked at as one: it can be
// constant (by hash, since white space may differ with the depth) or nothing.
func (s *shaper) whole(c *column) []string {
	if c.cells[0] != 0 {
		same := true
		for _, cell := range c.cells[1:] {
			same = same && cell != 0 && s.hash[cell] == s.hash[c.cells[0]]
		}
		if same {
			out := make([]string, len(c.cells))
			for i := range out {
				out[i] = "{"
			}
			return out
		}
	}
	return nil
}
