package lexical

import (
	"context"
	"strings"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// Table is what a few passes over a text found for a query: enough to make
// every line's features, and small enough to be kept for a text of a million
// lines. All work is linear in the text's bytes.
type Table struct {
	lines   []line
	full    int // lines that are not blank
	words   int
	best    float64
	terms   int // terms of the query that occur at all
	tool    toolKind
	outcome outcome
	signals signals
	shape   shape
	// common are the features that all lines of the text share.
	common []float32
}

type line struct {
	length, words     int32
	indent, digits    int32
	letters           int32
	wordAt            int32 // into pass.text; the line's words end where the next line's begin
	fresh             int32 // words that no line above has
	same              int32 // lines of the same template, this one included
	within            int32 // the nearest line above that is indented less, or -1
	define            int32 // the nearest definition at or above, or -1
	block             int32
	bm                [parts]float32
	rarest, meanIDF   float32 // of the rarest term hit, relative to the rarest possible; of all words
	near              float32 // relevance of the best line around, fading with distance
	errNear, headline float32 // 1 at an error line, fading; the best of the lines it stands within
	distinct          uint16
	kind              kind
	first             bool // of its template
}

// checkEvery is the number of bytes between looks at the context.
const checkEvery = 64 << 10

// word is what a distinct word of the text is and means to the query.
type word struct {
	terms  []int32
	exact  uint8 // bit for each part of the query that has this identifier
	trait  kind
	lines  int32 // that have it
	seenIn int32 // the last of them, plus one
	rarity float32
	sum    float32 // of the squared relevance of its lines, see feedback
	summed int32   // the last line in sum, plus one
}

// pass holds what only building a Table needs.
type pass struct {
	ctx    context.Context
	q      *query
	ids    map[string]int32 // word as written -> its place in words
	words  []word
	text   []int32 // the text as places in words
	df     []int32 // term -> lines
	seenIn []int32 // term -> last line counted, plus one
	tf     []int32
	unread int // bytes since the context was looked at
}

// NewTable reads d. The text's margin, if it has one, must be gone.
func NewTable(ctx context.Context, q prune.Query, d text.Doc) (*Table, error) {
	p := &pass{ctx: ctx, q: newQuery(q), ids: map[string]int32{}}
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
		t.shape.add(t.lines, i, plain)
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
	t.common = t.commonFeatures(q)
	return t, nil
}

// Len returns the number of lines.
func (t *Table) Len() int { return len(t.lines) }

// read fills in what a line shows by itself and notes its words.
func (p *pass) read(l *line, s string, n int32) error {
	l.length, l.kind = int32(len(s)), kindOf(s)
	l.indent = indent(s)
	l.wordAt = int32(len(p.text))
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
		id := p.word(s[start:end])
		p.text = append(p.text, id)
		l.kind |= p.note(id, n, l)
	}
	p.unread++
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

// word returns a word's place. Each distinct word is taken apart once.
func (p *pass) word(w string) int32 {
	if id, ok := p.ids[w]; ok {
		return id
	}
	var found word
	terms(w, func(t string) {
		if id, ok := p.q.id[t]; ok {
			found.terms = append(found.terms, id)
		}
		found.trait |= traits[t]
	})
	found.exact = p.q.exact[w]
	id := int32(len(p.words))
	p.words = append(p.words, found)
	p.ids[w] = id
	return id
}

// note counts line n for the word and its terms, once, and returns the word's trait.
func (p *pass) note(id, n int32, l *line) kind {
	w := &p.words[id]
	if w.seenIn == n+1 {
		return w.trait
	}
	if w.seenIn == 0 {
		l.fresh++
	}
	w.seenIn = n + 1
	w.lines++
	for _, t := range w.terms {
		if p.seenIn[t] != n+1 {
			p.seenIn[t] = n + 1
			p.df[t]++
		}
	}
	return w.trait
}

// wordsOf returns line i's words as places in p.words.
func (p *pass) wordsOf(t *Table, i int) []int32 {
	end := len(p.text)
	if i+1 < len(t.lines) {
		end = int(t.lines[i+1].wordAt)
	}
	return p.text[t.lines[i].wordAt:end]
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
