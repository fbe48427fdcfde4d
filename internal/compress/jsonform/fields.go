package jsonform

import (
	"strconv"

	"winnow/internal/compress/rows"
)

const (
	maxFields = 128
	// maxField is how deep members of members are columns of their own.
	maxField = 3
)

// fields collects the scalars of rows by the names that lead to them.
type fields struct {
	t     *tape
	index map[step]int
	all   []rows.Field
	fails []bool // rows with a failure where no column reaches
}

// step is a key below a column; the columns themselves begin below -1.
type step struct {
	above int
	key   string
}

// fieldsOf returns the columns of the rows that begin at the nodes given.
func fieldsOf(t *tape, nodes []uint32) *fields {
	f := &fields{t: t, index: map[step]int{}, fails: make([]bool, len(nodes))}
	for r, i := range nodes {
		f.add(r, i, step{-1, ""}, 0)
	}
	for i := range f.all {
		f.all[i].Cells = padTo(f.all[i].Cells, len(nodes))
	}
	return f
}

func padTo(cells []string, n int) []string {
	for len(cells) < n {
		cells = append(cells, "")
	}
	return cells
}

func (f *fields) add(r int, i uint32, s step, depth int) {
	n := f.t.nodes[i]
	at := f.column(s)
	if at < 0 || depth > maxField {
		f.fails[r] = f.fails[r] || f.failing(s.key, i)
		return
	}
	c := &f.all[at]
	if c.Cells = padTo(c.Cells, r); len(c.Cells) == r {
		c.Cells = append(c.Cells, f.cell(i))
	}
	child := i + 1
	switch {
	case n.kind == kObject:
		for ; child < n.next; child = f.t.nodes[child+1].next {
			f.add(r, child+1, step{at, f.t.inner(child)}, depth+1)
		}
	case n.kind == kArray && depth == 0 && n.n <= maxField*4:
		for k := 0; child < n.next; k++ {
			f.add(r, child, step{at, strconv.Itoa(k)}, depth+1)
			child = f.t.nodes[child].next
		}
	case n.kind == kArray:
		for ; child < n.next; child = f.t.nodes[child].next {
			f.fails[r] = f.fails[r] || f.failing(s.key, child)
		}
	}
}

// cell is a scalar as it stands; of others only whether they are empty.
func (f *fields) cell(i uint32) string {
	n := f.t.nodes[i]
	if n.kind < kArray || n.n == 0 {
		return f.t.raw(i)
	}
	return f.t.src[n.start : n.start+1]
}

func (f *fields) column(s step) int {
	at, ok := f.index[s]
	if !ok {
		if len(f.all) == maxFields {
			return -1
		}
		at = len(f.all)
		f.index[s] = at
		f.all = append(f.all, rows.Field{Name: s.key})
	}
	return at
}

// failing looks for a failure in a value of any depth.
func (f *fields) failing(key string, i uint32) bool {
	n := f.t.nodes[i]
	switch n.kind {
	case kArray:
		for c := i + 1; c < n.next; c = f.t.nodes[c].next {
			if f.failing(key, c) {
				return true
			}
		}
		return false
	case kObject:
		for c := i + 1; c < n.next; c = f.t.nodes[c+1].next {
			if f.failing(f.t.inner(c), c+1) {
				return true
			}
		}
		return false
	}
	return rows.Failing(key, f.t.raw(i))
}
