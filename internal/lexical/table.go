package lexical

import (
	"context"
	"strings"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// Table is what one pass over a text found for a query: enough to make every
// line's features, and small enough to be kept for a text of a million lines.
type Table struct {
	lines   []line
	full    int // lines that are not blank
	best    float64
	terms   int // terms of the query that occur at all
	tool    toolKind
	outcome outcome
	// sums are running sums of rel, for means over neighbours.
	sums []float64
}

type line struct {
	length, words  int32
	hitAt, hitEnd  int32 // into pass.hits
	indent, digits int32
	letters        int32
	same           int32 // lines of the same template, this one included
	bm             [parts]float32
	rel            float32 // all parts together, relative to the best line
	idf            float32 // of the rarest term hit, relative to the rarest possible
	near           float32 // rel of the best line around, fading with distance
	errNear        float32 // 1 at an error line, fading with distance
	distinct       uint16
	exact          uint16
	kind           kind
	first          bool // of its template
}

// checkEvery is the number of bytes between looks at the context.
const checkEvery = 64 << 10

// word is what a distinct word of the text means to the query.
type word struct {
	terms []int32
	exact bool
}

// pass holds what only building a Table needs.
type pass struct {
	ctx     context.Context
	q       *query
	words   map[string]int32 // word as written -> its place in meaning
	meaning []word
	hits    []int32 // places in meaning of words that mean something
	df      []int32 // term -> lines
	seenIn  []int32 // term -> last line counted, plus one
	tf      []int32
	unread  int // bytes since the context was looked at
}

// NewTable reads d once. The text's margin, if it has one, must be gone.
func NewTable(ctx context.Context, q prune.Query, d text.Doc) (*Table, error) {
	p := &pass{ctx: ctx, q: newQuery(q), words: map[string]int32{}}
	p.df = make([]int32, len(p.q.in))
	p.seenIn = make([]int32, len(p.q.in))
	p.tf = make([]int32, len(p.q.in))
	t := &Table{lines: make([]line, d.Len()), tool: kindOfTool(q.Tool)}
	same := newTemplates()
	for i := range t.lines {
		plain := text.Plain(strings.TrimSuffix(d.Line(i), "\r"))
		l := &t.lines[i]
		if err := p.read(l, plain, int32(i)); err != nil {
			return nil, err
		}
		same.add(i, plain, l)
		t.outcome.add(l.kind, plain)
		if l.kind&kindBlank == 0 {
			t.full++
		}
	}
	same.finish(t.lines)
	if err := p.score(t); err != nil {
		return nil, err
	}
	t.spread()
	t.outcome.finish(t)
	return t, nil
}

// Len returns the number of lines.
func (t *Table) Len() int { return len(t.lines) }

// read fills in what a line shows by itself and notes its hits.
func (p *pass) read(l *line, s string, n int32) error {
	l.length, l.kind = int32(len(s)), kindOf(s)
	l.indent = indent(s)
	l.hitAt = int32(len(p.hits))
	for i := 0; i < len(s); {
		start, end := nextWord(s, i)
		if p.unread += end - i + 1; p.unread > checkEvery {
			p.unread = 0
			if err := p.ctx.Err(); err != nil {
				return err
			}
		}
		i = end
		if start == end {
			break
		}
		l.words++
		l.count(s[start:end])
		if m := p.mean(s[start:end]); m >= 0 {
			p.hits = append(p.hits, m)
			p.note(m, n)
		}
	}
	p.unread++
	l.hitEnd = int32(len(p.hits))
	return nil
}

func (l *line) count(w string) {
	for i := range len(w) {
		if isDigit(w[i]) {
			l.digits++
		} else {
			l.letters++
		}
	}
}

// mean returns the place of a word's meaning, or -1 when the query knows none
// of its terms. Each distinct word is taken apart once.
func (p *pass) mean(w string) int32 {
	if m, ok := p.words[w]; ok {
		return m
	}
	var found word
	terms(w, func(t string) {
		if id, ok := p.q.id[t]; ok {
			found.terms = append(found.terms, id)
		}
	})
	found.exact = p.q.exact[w]
	m := int32(-1)
	if len(found.terms) > 0 || found.exact {
		m = int32(len(p.meaning))
		p.meaning = append(p.meaning, found)
	}
	p.words[w] = m
	return m
}

// note counts the line for each term's document frequency, once.
func (p *pass) note(m, n int32) {
	for _, t := range p.meaning[m].terms {
		if p.seenIn[t] != n+1 {
			p.seenIn[t] = n + 1
			p.df[t]++
		}
	}
}

// fade is what of a line's weight reaches its neighbour.
const fade = 0.8

// spread lets each line know of the lines around it.
func (t *Table) spread() {
	t.sums = make([]float64, len(t.lines)+1)
	var near, err float32
	for i := range t.lines {
		l := &t.lines[i]
		t.sums[i+1] = t.sums[i] + float64(l.rel)
		near, err = l.fadeIn(near, err)
	}
	near, err = 0, 0
	for i := len(t.lines) - 1; i >= 0; i-- {
		near, err = t.lines[i].fadeIn(near, err)
	}
}

func (l *line) fadeIn(near, err float32) (float32, float32) {
	near = max(near*fade, l.rel)
	err *= fade
	if l.kind&(kindError|kindFailed) != 0 {
		err = 1
	}
	l.near, l.errNear = max(l.near, near), max(l.errNear, err)
	return near, err
}

// around returns the mean of rel over the n lines on either side and i itself.
func (t *Table) around(i, n int) float64 {
	from, to := max(0, i-n), min(len(t.lines), i+n+1)
	return (t.sums[to] - t.sums[from]) / float64(to-from)
}

func indent(s string) int32 {
	n := int32(0)
	for i := range len(s) {
		switch s[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return 0
}

// SettleBlank gives each blank line the lesser score of the nearest lines that
// are not blank: it has nothing to keep by itself, and a hidden run should not
// be broken by it. p holds a score a line.
func (t *Table) SettleBlank(p []float64) {
	for i := 0; i < len(p); {
		if t.lines[i].kind&kindBlank == 0 {
			i++
			continue
		}
		end := i
		for end < len(p) && t.lines[end].kind&kindBlank != 0 {
			end++
		}
		low := 1.0
		if i > 0 {
			low = p[i-1]
		}
		if end < len(p) {
			low = min(low, p[end])
		}
		if i == 0 && end == len(p) {
			low = 0
		}
		for ; i < end; i++ {
			p[i] = low
		}
	}
}
