package lexical

import "strings"

// shape is how a text's lines hang together: its blocks, what stands within
// what, and which definition is open.
type shape struct {
	starts []int32 // first line of each block
	stack  []int32 // lines that the next one may stand within, by rising indent
	define int32   // the newest definition, plus one
	blank  bool    // the last line was
}

// maxDepth bounds the stack; deeper lines stand within its top.
const maxDepth = 64

// add takes in line i, which all lines before it must have been.
func (s *shape) add(lines []line, i int, plain string) {
	l := &lines[i]
	if i == 0 || s.begins(l, plain) {
		s.starts = append(s.starts, int32(i))
	}
	l.block = int32(len(s.starts) - 1)
	l.within, l.define = -1, s.define-1
	s.blank = l.kind&kindBlank != 0
	if s.blank {
		if n := len(s.stack); n > 0 {
			l.within = s.stack[n-1]
		}
		return
	}
	for n := len(s.stack); n > 0 && lines[s.stack[n-1]].indent >= l.indent; n-- {
		s.stack = s.stack[:n-1]
	}
	if n := len(s.stack); n > 0 {
		l.within = s.stack[n-1]
	}
	if l.kind&kindBrackets == 0 && len(s.stack) < maxDepth {
		s.stack = append(s.stack, int32(i))
	}
	if l.kind&kindDefine != 0 {
		s.define, l.define = int32(i)+1, int32(i)
	}
}

// begins reports whether a block does: a line without indent after a blank
// one, a file of a diff, hits after grep's "--".
func (s *shape) begins(l *line, plain string) bool {
	switch {
	case l.kind&kindBlank != 0:
		return false
	case s.blank && l.indent == 0:
		return true
	}
	return plain == "--" || strings.HasPrefix(plain, "diff --git ")
}

func (s *shape) blocks() int { return len(s.starts) }

// block returns the bounds of line i's block.
func (t *Table) block(i int) (start, end int) {
	b := int(t.lines[i].block)
	end = len(t.lines)
	if b+1 < len(t.shape.starts) {
		end = int(t.shape.starts[b+1])
	}
	return int(t.shape.starts[b]), end
}
