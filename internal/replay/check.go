package replay

import (
	"errors"
	"fmt"
	"strings"

	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// checker holds what the results of one session showed, as text: it trusts no
// hash and nothing of what the ledger says.
type checker struct{ shown map[string]*shown }

// shown is a result as the model saw it.
type shown struct {
	doc    text.Doc // without a Read's margin
	hidden []bool
}

// ErrFold reports a fold that does not hold.
var ErrFold = errors.New("fold does not hold")

// add checks every line of every fold, and that the text with the hidden lines
// put back is the input, byte for byte; then it takes note of the result.
func (c *checker) add(rec *Record, f Folded, hidden []prune.Hidden) error {
	d := lines(rec)
	s := &shown{d, make([]bool, d.Len())}
	for i, at := range f.Folds {
		ref := c.shown[at.RefID]
		if ref == nil {
			return fmt.Errorf("lines %d-%d refer to %s, which was not shown: %w", at.Start, at.End, at.RefID, ErrFold)
		}
		for n := at.Start; n <= at.End; n++ {
			r := at.RefStart + n - at.Start
			if r < 0 || r >= ref.doc.Len() || ref.hidden[r] || ref.doc.Line(r) != d.Line(n) || strings.Contains(d.Line(n), marker.Open) {
				return fmt.Errorf("line %d does not stand at line %d of %s: %w", n, r, at.RefID, ErrFold)
			}
			s.hidden[n] = true
		}
		if marker.KeyOf(hidden[i].Text) != at.Key {
			return fmt.Errorf("key %s is not that of its lines: %w", at.Key, ErrFold)
		}
	}
	if back, err := PutBack(f.Text, hidden); err != nil || back != rec.Output {
		return fmt.Errorf("text and recalls are not the input (%v): %w", err, ErrFold)
	}
	c.shown[rec.ID] = s
	return nil
}

// lines is a result's text without the numbers that stand before its lines.
func lines(rec *Record) text.Doc {
	return prune.New(nil, prune.Options{}).Look(prune.Input{Tool: rec.Tool, Text: rec.Output}).Doc
}

// PutBack puts hidden texts in the places of their markers.
func PutBack(s string, hidden []prune.Hidden) (string, error) {
	var out []string
	lines := strings.Split(s, "\n")
	for _, l := range lines {
		if len(hidden) > 0 && len(out) == hidden[0].Start && strings.HasPrefix(l, marker.Tag(hidden[0].Key, hidden[0].End-hidden[0].Start+1)) {
			l, hidden = hidden[0].Text, hidden[1:]
			out = append(out, strings.Split(l, "\n")...)
			continue
		}
		out = append(out, l)
	}
	if len(hidden) > 0 {
		return "", fmt.Errorf("no marker %s", hidden[0].Key)
	}
	return strings.Join(out, "\n"), nil
}
