package jsonform

import (
	"strings"
	"unsafe"
)

// Rows is an array of flat objects that other formats build row by row, so that
// nobody writes JSON only to read it. Keys stand once.
type Rows struct {
	src   []byte
	nodes []node
	keys  []node
	row   uint32 // the node of the row that is being built
}

// NewRows begins an array whose objects have some of the keys given (strings of
// JSON), in this order. size and cells are what to make room for.
func NewRows(keys []string, size, cells int) *Rows {
	r := &Rows{src: make([]byte, 0, size+256), nodes: make([]node, 1, 2*cells+8)}
	r.nodes[0] = node{kind: kArray}
	for _, k := range keys {
		start := uint32(len(r.src))
		r.src = append(r.src, k...)
		r.keys = append(r.keys, node{start: start, end: uint32(len(r.src)), kind: kString})
	}
	return r
}

// Begin begins a row, End ends it.
func (r *Rows) Begin() {
	r.row = uint32(len(r.nodes))
	at := uint32(len(r.src))
	r.nodes = append(r.nodes, node{start: at, end: at, kind: kObject})
	r.nodes[0].n++
}

// End ends a row.
func (r *Rows) End() {
	r.nodes[r.row].end, r.nodes[r.row].next = uint32(len(r.src)), uint32(len(r.nodes))
}

// Cell gives the row a scalar of JSON under its key.
func (r *Rows) Cell(key int, raw []byte) {
	k := r.keys[key]
	k.next = uint32(len(r.nodes)) + 1
	r.nodes = append(r.nodes, k)
	r.nodes[r.row].n++
	r.scalar(raw)
}

// Odd is a row that is a string of JSON instead.
func (r *Rows) Odd(raw []byte) {
	r.nodes[0].n++
	r.scalar(raw)
}

func (r *Rows) scalar(raw []byte) {
	n := node{start: uint32(len(r.src)), next: uint32(len(r.nodes)) + 1, kind: kNumber}
	switch raw[0] {
	case '"':
		n.kind = kString
	case 't', 'f':
		n.kind = kBool
	case 'n':
		n.kind = kNull
	}
	r.src = append(r.src, raw...)
	n.end = uint32(len(r.src))
	r.nodes = append(r.nodes, n)
}

// Block writes the rows as the form's table without the header line; legend
// explains the signs that were used. ok reports whether it is a table at all.
func (r *Rows) Block() (block []byte, legend string, ok bool) {
	if len(r.src) > maxSize {
		return nil, "", false
	}
	r.nodes[0].end, r.nodes[0].next = uint32(len(r.src)), uint32(len(r.nodes))
	src := unsafe.String(unsafe.SliceData(r.src), len(r.src)) // nobody writes to it any more
	block, legend = write(&tape{src: src, nodes: r.nodes, depth: 2})
	s := unsafe.String(unsafe.SliceData(block), len(block))
	at := 0
	for at < len(s) && s[at] == '&' {
		at += strings.IndexByte(s[at:], '\n') + 1
	}
	_, _, ok = tableStart(s, at)
	return block, legend, ok
}

// ReadBlock decodes the block at the beginning of s and returns where it ends.
// It gives each row to f as a list of keys, without quotes, and scalars in turn,
// or one string alone for an element that is one; f must not keep the list or
// what is in it.
func ReadBlock(s string, f func(row []string) error) (end int, err error) {
	d, at, err := entries(s, style{}, 256)
	if err != nil || at >= len(s) || s[at] != '[' {
		return 0, errForm
	}
	n, at, ok := tableStart(s, at)
	if !ok {
		return 0, errForm
	}
	h, at, err := readHeader(s, at)
	if err != nil {
		return 0, err
	}
	for _, c := range h.cols {
		if c.flat != nil || c.sub != nil {
			return 0, errForm // no cell of a table is an object
		}
	}
	r := blockReader{d: d, h: h}
	shown := strings.HasPrefix(s[at:], ":\n")
	if shown {
		at += 2
	}
	for i := range n {
		if i > 0 && shown {
			if at >= len(s) || s[at] != '\n' {
				return 0, errForm
			}
			at++
		}
		if at, err = r.next(s, at, shown); err != nil {
			return 0, err
		}
		if err := f(r.row); err != nil {
			return 0, err
		}
	}
	return at, nil
}

// blockReader reads the rows of a block one by one.
type blockReader struct {
	d    *decoder
	h    *heading
	k    int // regular rows so far
	row  []string
	ends []int // of the values of a row in the decoder's room
}

// next reads the row at s[i:] into r.row and returns where it ends.
func (r *blockReader) next(s string, i int, shown bool) (int, error) {
	w := r.d.w
	w.out, r.row, r.ends = w.out[:0], r.row[:0], r.ends[:0]
	if shown && i < len(s) && s[i] == '!' {
		end, err := r.d.value(s, i+1)
		if err != nil || len(w.out) == 0 || w.out[0] != '"' {
			return 0, errForm
		}
		r.row = append(r.row, view(w.out))
		return end, nil
	}
	i, err := r.d.cells(r.h, s, i, r.k)
	if err != nil {
		return 0, err
	}
	r.k++
	for _, c := range r.h.cols {
		if c.missing(r.h.cells) {
			continue
		}
		if err := r.d.leaf(r.h, c, r.h.cells); err != nil {
			return 0, err
		}
		r.row = append(r.row, c.key[1:len(c.key)-1], "")
		r.ends = append(r.ends, len(w.out))
	}
	from := 0
	for j, end := range r.ends { // only now: the room may have moved
		r.row[2*j+1] = view(w.out[from:end])
		from = end
	}
	if r.d.work += len(w.out) + len(r.h.cols); r.d.work > 4*maxSize { // quotes and escapes count here
		return 0, errForm
	}
	return i, nil
}

func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Scalar reports whether s is a number or a literal of JSON as it stands.
func Scalar(s string) bool {
	switch s {
	case "":
		return false
	case "true", "false", "null":
		return true
	}
	return (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && numberEnd(s, 0) == len(s)
}
