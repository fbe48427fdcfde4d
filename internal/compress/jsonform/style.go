package jsonform

import (
	"strings"
)

// style is the white space of a text, which is the same at every gap of a kind:
// what a printer of JSON is told once.
type style struct {
	commaBlank, colonBlank bool   // ", " and ": " where no line is broken
	pad                    bool   // "{ a }": a blank inside the braces of an object
	indent                 string // one level of it
	depth                  int    // containers at a smaller depth break into lines; deep: all
	crlf                   bool
	lines                  bool // JSON lines
	// top says that the outermost array has gaps of its own, those three.
	top                bool
	open, comma, close string
	lead, tail         string // around the document
}

// maxIndent bounds an indent, since the gaps of every depth are made of it.
const maxIndent = 16

// deep is the depth of a style that breaks every container.
const deep = maxDepth + 1

func (st *style) newline() string {
	if st.crlf {
		return "\r\n"
	}
	return "\n"
}

// styleOf finds the one style that t can have been written in.
func styleOf(t *tape) (style, error) {
	st := style{lines: t.lines}
	root := t.nodes[0]
	if t.lines {
		first, last := t.nodes[1], lastChild(t)
		st.lead, st.tail = t.src[:first.start], t.src[t.nodes[last].end:]
		st.crlf = strings.HasPrefix(t.src[first.end:], "\r\n")
	} else {
		st.lead, st.tail = t.src[:root.start], t.src[root.end:]
	}
	if len(st.lead) > 64 || len(st.tail) > 64 {
		return st, errStyle
	}
	st.guess(t)
	if len(st.indent) > maxIndent || !st.holds(t) {
		return st, errStyle
	}
	return st, nil
}

func lastChild(t *tape) uint32 {
	last := uint32(1)
	for i := uint32(1); i < uint32(len(t.nodes)); i = t.nodes[i].next {
		last = i
	}
	return last
}

// guess reads the style off the first gaps of each kind; [style.holds] then
// looks at all of them.
func (st *style) guess(t *tape) {
	var broken, inline, comma, colon bool
	st.depth = deep
	var walk func(i uint32, depth int)
	walk = func(i uint32, depth int) {
		n := t.nodes[i]
		if n.kind < kArray || n.n == 0 || broken && inline && comma && colon {
			return
		}
		hidden := t.lines && i == 0
		child, step := i+1, uint32(0)
		if n.kind == kObject {
			step = 1
			if !colon {
				colon = true
				st.colonBlank = strings.Contains(t.src[t.nodes[child].end:t.nodes[child+1].start], " ")
			}
		}
		if !hidden {
			gap := t.src[n.start+1 : t.nodes[child].start]
			nl := strings.IndexByte(gap, '\n')
			switch {
			case nl >= 0 && !broken && depth < st.depth:
				broken = true
				st.crlf = nl > 0 && gap[nl-1] == '\r'
				if depth == 0 {
					st.indent = gap[nl+1:]
				} else {
					st.indent = gap[nl+1:][:(len(gap)-nl-1)/(depth+1)]
				}
			case nl < 0 && depth < st.depth:
				inline = true
				st.depth = depth
				if n.kind == kObject {
					st.pad = gap == " "
				}
			}
			if nl < 0 && n.n > 1 && !comma {
				v := child + step
				gap := t.src[t.nodes[v].end:t.nodes[t.nodes[v].next].start]
				if !hasNewline(gap) {
					comma = true
					st.commaBlank = strings.HasSuffix(gap, " ")
				}
			}
			depth++
		}
		for v, left := child+step, n.n; left > 0; left-- {
			walk(v, depth)
			v = t.nodes[v].next + step
		}
	}
	walk(0, 0)
	if root := t.nodes[0]; !t.lines && root.kind == kArray && root.n > 1 && st.depth <= 1 {
		st.top = true
		first := t.nodes[1]
		st.open = t.src[root.start+1 : first.start]
		st.comma = t.src[first.end:t.nodes[first.next].start]
		st.close = t.src[t.nodes[lastChild(t)].end : root.end-1]
		st.depth = 0
		if len(st.open)+len(st.comma)+len(st.close) > 64 {
			st.top = false
		}
		if !hasNewline(st.open) && st.open == "" && st.close == "" && st.comma == st.inlineComma() {
			st.top = false
		}
	}
}

func (st *style) inlineComma() string {
	if st.commaBlank {
		return ", "
	}
	return ","
}

func (st *style) inlineColon() string {
	if st.colonBlank {
		return ": "
	}
	return ":"
}

// gaps are the three gaps of a container that is not empty.
func (st *style) gaps(depth int, k kind) (open, comma, end string) {
	switch {
	case st.top && depth == 0:
		return st.open, st.comma, st.close
	case depth < st.depth:
		in := st.newline() + strings.Repeat(st.indent, depth)
		return in + st.indent, "," + in + st.indent, in
	case st.pad && k == kObject:
		return " ", st.inlineComma(), " "
	}
	return "", st.inlineComma(), ""
}

// holds reports whether every gap of t is what the style says.
func (st *style) holds(t *tape) bool {
	table := st.table(t.depth)
	colon := st.inlineColon()
	var ok func(i uint32, depth int) bool
	ok = func(i uint32, depth int) bool {
		n := t.nodes[i]
		if n.n == 0 {
			return n.end-n.start == 2
		}
		g := &table[depth][n.kind-kArray]
		if t.src[n.start+1:t.nodes[i+1].start] != g[0] {
			return false
		}
		v := i + 1
		for left := n.n; ; left-- {
			if n.kind == kObject {
				if t.src[t.nodes[v].end:t.nodes[v+1].start] != colon {
					return false
				}
				v++
			}
			if t.nodes[v].kind >= kArray && !ok(v, depth+1) {
				return false
			}
			end := t.nodes[v].end
			if v = t.nodes[v].next; left == 1 {
				return t.src[end:n.end-1] == g[2]
			}
			if t.src[end:t.nodes[v].start] != g[1] {
				return false
			}
		}
	}
	if !t.lines {
		return t.nodes[0].kind < kArray || ok(0, 0)
	}
	nl := st.newline()
	for i, left := uint32(1), t.nodes[0].n; left > 0; left-- {
		if t.nodes[i].kind >= kArray && !ok(i, 0) {
			return false
		}
		end := t.nodes[i].end
		i = t.nodes[i].next
		if left > 1 && t.src[end:t.nodes[i].start] != nl {
			return false
		}
	}
	return true
}

// table holds the gaps down to a depth: open, comma and close of arrays and objects.
func (st *style) table(depth int) [][2][3]string {
	out := make([][2][3]string, depth+1)
	for d := range out {
		out[d] = st.row(d)
	}
	return out
}

func (st *style) row(depth int) (out [2][3]string) {
	for k := range out {
		out[k][0], out[k][1], out[k][2] = st.gaps(depth, kArray+kind(k))
	}
	return out
}
