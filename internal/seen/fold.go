package seen

import (
	"fmt"
	"path"

	"winnow/internal/text"
)

// Fold is a run of lines that a reference may stand for.
type Fold struct{ Match }

// Digest is what the reference says after its lines.
func (f Fold) Digest() string {
	ago := "1 call ago"
	if f.Ago != 1 {
		ago = fmt.Sprintf("%d calls ago", f.Ago)
	}
	return fmt.Sprintf("unchanged, shown %s as lines %d-%d of %s", ago, f.Number, f.Number+f.End-f.Start, f.Source.Name)
}

// Page is a text in which runs are to be folded.
type Page struct {
	Doc text.Doc
	// Body is the output itself; what a host put around it is outside.
	Body Span
	// Of is what it is a reading of, like [Source.Of]; File says that it is a file.
	Of   string
	File bool
	// Fixed are the lines that stay: failures, the last verdict, notices.
	Fixed []bool
}

// Folds cuts matches down to what may be folded: nothing fixed, neighbours for
// each changed line, long enough.
func Folds(ms []Match, p Page) []Fold {
	var out []Fold
	near := RunNeighbours
	if p.File {
		near = Neighbours
	}
	for k, m := range ms {
		s := m.Span
		again := p.again(m.Source) // only what is read again has changed lines
		if again && s.Start > p.Body.Start && !m.opens && (k == 0 || !beside(ms[k-1], m)) {
			s.Start += near
		}
		if again && s.End < p.Body.End && !m.closes && (k+1 == len(ms) || !beside(m, ms[k+1])) {
			s.End -= near
		}
		for start := s.Start; start <= s.End; start++ {
			end := start
			for end <= s.End && !p.Fixed[end] {
				end++
			}
			if end-start >= Window && text.Chars(p.Doc.Run(start, end-1)) >= MinChars {
				f := Fold{m}
				f.Span = Span{start, end - 1}
				f.Line, f.Number = m.Line+start-m.Start, m.Number+start-m.Start
				out = append(out, f)
			}
			start = end
		}
	}
	return out
}

// again reports whether a source may be another reading of what the page shows:
// of a file by whatever path, or lines that were recalled.
func (p *Page) again(s Source) bool {
	return s.Of == "" || s.Of == p.Of || p.File && path.Base(s.Of) == path.Base(p.Of)
}

// beside reports whether b follows a without a changed line between them. Two
// parts of one result that stood apart there have one: what was between them is gone.
func beside(a, b Match) bool { return a.End+1 == b.Start && a.entry != b.entry }
