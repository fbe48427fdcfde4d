package jsonform

import "errors"

var errForm = errors.New("not a form of JSON")

// writer writes JSON in a style.
type writer struct {
	out   []byte
	st    style
	colon string
	table [][2][3]string
	depth int
}

func newWriter(st style, size int) *writer {
	w := &writer{st: st, colon: st.inlineColon(), out: make([]byte, 0, size+64)}
	w.out = append(w.out, st.lead...)
	if st.lines {
		w.depth = -1
	}
	return w
}

func (w *writer) gaps(k kind) *[3]string {
	for len(w.table) <= w.depth {
		w.table = append(w.table, w.st.row(len(w.table)))
	}
	return &w.table[w.depth][k-kArray]
}

// item goes before each element or key of the container at the present depth.
func (w *writer) item(k kind, first bool) {
	switch {
	case w.depth < 0 && !first:
		w.out = append(w.out, w.st.newline()...)
	case w.depth < 0:
	case first:
		w.out = append(w.out, w.gaps(k)[0]...)
	default:
		w.out = append(w.out, w.gaps(k)[1]...)
	}
}

func (w *writer) begin(k kind) {
	if w.depth >= 0 {
		w.out = append(w.out, "[{"[k-kArray])
	}
}

func (w *writer) end(k kind, empty bool) {
	if w.depth < 0 {
		return
	}
	if !empty {
		w.out = append(w.out, w.gaps(k)[2]...)
	}
	w.out = append(w.out, "]}"[k-kArray])
}

func (w *writer) key(raw string) {
	w.out = append(w.out, raw...)
	w.out = append(w.out, w.colon...)
}

// str writes a string whose escapes are made.
func (w *writer) str(inner string) {
	w.out = append(w.out, '"')
	w.out = append(w.out, inner...)
	w.out = append(w.out, '"')
}
