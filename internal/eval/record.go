package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// line is what is kept of a line that is not blank.
type line struct {
	// p is the judge's P(needed); NaN is no judgement.
	p      float64
	chars  int32 // with its line end
	needed bool
}

// rank is where the line stands in a ranking: the prune path keeps what has no
// judgement, so such a line stands above all others.
func (l line) rank() float64 {
	if math.IsNaN(l.p) {
		return math.Inf(1)
	}
	return l.p
}

// record is what is kept of a case.
type record struct {
	tool, group string
	lines       []line
	chars       int // of the whole output
	// sure counts the lines whose loss counts: needed for each reader there is.
	sure   int
	second bool // a second reader graded it
	// out is what the prune path did, a drop threshold each, the report's own first.
	out []outcome
}

// blank says what counts for nothing in every figure: a line without a
// character that shows. (unicode.IsSpace leaves the four ASCII separators out.)
func blank(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }) == ""
}

// meter collects records.
type meter struct {
	o       Options
	judge   Judge
	path    *path
	seen    map[string]bool
	records []*record
}

func newMeter(judge Judge, o Options) *meter {
	return &meter{o: o, judge: judge, path: newPath(o.Prune, o.Drops), seen: map[string]bool{}}
}

// errTwice: the same case twice would count twice.
var errTwice = errors.New("given twice")

func (m *meter) add(ctx context.Context, c Case) error {
	if m.seen[c.ID] {
		return errTwice
	}
	m.seen[c.ID] = true
	order := identity(strings.Count(c.Output, "\n") + 1)
	if m.o.ShuffleLines {
		c.Output, order = shuffleLines(c, m.o.Seed)
	}
	needed, sure, second, err := m.grades(c.ID, order)
	if err != nil {
		return err
	}
	s, err := m.judge(ctx, c)
	if err != nil {
		return err
	}
	d := text.Split(c.Output)
	if len(s.Line) != d.Len() {
		return fmt.Errorf("%d scores for %d lines", len(s.Line), d.Len())
	}
	r := &record{tool: family(c.Tool.Name), group: c.Group, chars: text.Chars(c.Output), second: second}
	for i := range d.Len() {
		l := d.Line(i)
		if blank(l) {
			sure[i] = false
			continue
		}
		if sure[i] {
			r.sure++
		}
		r.lines = append(r.lines, line{s.Line[i], int32(text.Chars(l)) + 1, needed[i]})
	}
	r.out = m.path.run(ctx, c, s, sure)
	m.records = append(m.records, r)
	return nil
}

// grades returns which lines the first reader calls needed, and which all do.
// order[i] is the graded text's line that now is line i.
func (m *meter) grades(id string, order []int) (needed, sure []bool, second bool, err error) {
	if needed, err = m.o.Labels[id].Needed.mark(len(order)); err != nil {
		return nil, nil, false, err
	}
	both := needed
	other, second := m.o.Second[id]
	if second {
		if both, err = other.Needed.mark(len(order)); err != nil {
			return nil, nil, false, fmt.Errorf("second grading: %w", err)
		}
	}
	for i := range both {
		both[i] = both[i] && needed[i]
	}
	return reorder(needed, order), reorder(both, order), second, nil
}

func reorder(a []bool, order []int) []bool {
	b := make([]bool, len(a))
	for i, k := range order {
		b[i] = a[k]
	}
	return b
}

func identity(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// outcome is what the prune path did with a case at one threshold.
type outcome struct {
	reason prune.Reason
	judged bool // the gate let it through to the judge
	// hidden counts the characters of hidden lines, saved what is left of it
	// after the markers.
	hidden, saved int
	lost          int // needed lines hidden
	uncertain     int
}
