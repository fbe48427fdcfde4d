package blocks

import (
	"unicode/utf8"

	"winnow/internal/text"
)

// minBlock is the least a repeated block must hold, in bytes: for less the
// reader is not sent back to another place.
const minBlock = 48

// maxText and maxLines bound the texts that are folded, so that Decode can
// refuse what would only fill the memory.
const (
	maxText  = 64 << 20
	maxLines = 4 << 20
)

// encoder walks the lines once. ops counts the lines that were compared, for
// the test that says the work is linear.
type encoder struct {
	d     text.Doc
	o     Options
	hash  []uint64 // of each line
	table *table
	out   []byte
	folds int
	refs  []placed
	ops   int
}

// placed is a reference and the lines it stands for.
type placed struct {
	at, lines int
	ref
}

func encode(s string, o Options) (string, int) {
	e := newEncoder(s, o)
	e.run()
	return string(e.out), e.folds
}

func newEncoder(s string, o Options) *encoder {
	e := &encoder{d: text.Split(s), o: o, out: make([]byte, 0, len(s)+16)}
	if len(s) >= maxText || e.d.Len() > maxLines {
		e.o = Options{NoRuns: true, NoBlocks: true}
	}
	return e
}

func (e *encoder) run() {
	n := e.d.Len()
	if !e.o.NoRuns || !e.o.NoBlocks {
		e.hash = make([]uint64, n)
		for i := range e.hash {
			e.hash[i] = hashOf(e.d.Line(i))
		}
	}
	if !e.o.NoBlocks {
		e.table = newTable(n)
	}
	for i := 0; i < n; {
		if i > 0 {
			e.out = append(e.out, '\n')
		}
		i += e.step(i)
	}
}

// step writes line i or a fold that begins there and returns how many lines of
// the text that was.
func (e *encoder) step(i int) int {
	line := e.d.Line(i)
	same := e.same(i)
	sum, known := e.window(i)
	r, lines := ref{}, 0
	if known {
		r, lines = e.block(i, sum)
	}
	switch {
	case lines >= same && e.gain(i, lines) > refLen(r):
		e.out = appendRef(e.out, r) // its lines are known by their first occurrence
		e.folds++
		e.refs = append(e.refs, placed{i, lines, r})
		return lines
	case same > 1 && e.gain(i+1, same-1)+1 > countLen(same):
		e.out = appendCounted(e.out, line, same)
		e.folds++
		lines = same
	case looksFolded(line):
		e.out = appendCounted(e.out, line, 1)
		lines = 1
	default:
		e.out = append(e.out, line...)
		lines = 1
	}
	if known {
		e.table.put(sum, int32(i))
	}
	return lines
}

// same returns how many lines from i on equal line i.
func (e *encoder) same(i int) int {
	if e.o.NoRuns {
		return 1
	}
	j := i + 1
	for j < e.d.Len() && e.equal(i, j) {
		j++
	}
	return j - i
}

func (e *encoder) equal(i, j int) bool {
	e.ops++
	return e.hash[i] == e.hash[j] && e.d.Line(i) == e.d.Line(j)
}

// gain is what lines i to i+n-1 measure, in the smaller of bytes and characters;
// the newlines between them count. Text is measured only where a fold is near.
func (e *encoder) gain(i, n int) int {
	run := e.d.Run(i, i+n-1)
	if len(run) > 1<<10 { // no fold is nearly as long
		return len(run) / utf8.UTFMax
	}
	return text.Chars(run)
}

func refLen(r ref) int { return len(appendRef(nil, r)) }

func countLen(n int) int { return len(appendCounted(nil, "", n)) }
