package blocks

import (
	"errors"
	"fmt"

	"winnow/internal/text"
)

// ErrForm reports a text that no [Encode] made: a reference to lines that have
// not come yet, or more lines than any text has.
var ErrForm = errors.New("not a folded text")

// Decode gives back what was encoded, byte for byte.
func Decode(s string) (string, error) { return decode(s, maxText, maxLines) }

func decode(s string, maxBytes, maxLines int) (string, error) {
	d := text.Split(s)
	x := decoder{out: make([]byte, 0, len(s)), lines: make([]text.Span, 0, d.Len()), maxBytes: maxBytes, maxLines: maxLines}
	for i := range d.Len() {
		if err := x.line(d.Line(i)); err != nil {
			return "", fmt.Errorf("unfold line %d: %w", i+1, err)
		}
	}
	return string(x.out), nil
}

type decoder struct {
	out   []byte
	lines []text.Span // of out
	// What a fold may fill; plain lines may go on.
	maxBytes, maxLines int
}

// room reports whether n more lines of the given size in all may be written.
func (x *decoder) room(lines, size int) bool {
	return len(x.lines)+lines <= x.maxLines && len(x.out)+size <= x.maxBytes
}

func (x *decoder) line(l string) error {
	if line, n, ok := counted(l); ok {
		return x.repeat(line, n)
	}
	if r, ok := refOf(l); ok {
		return x.refer(r)
	}
	x.add(l)
	return nil
}

func (x *decoder) repeat(line string, n int) error {
	if n > 1 && !x.room(n, n*(len(line)+1)) {
		return ErrForm
	}
	for range n {
		x.add(line)
	}
	return nil
}

func (x *decoder) refer(r ref) error {
	if r.last > len(x.lines) {
		return ErrForm
	}
	size := x.lines[r.last-1].End - x.lines[r.first-1].Start + 1
	if !x.room(r.n*(r.last-r.first+1), r.n*size) {
		return ErrForm
	}
	for range r.n {
		for i := r.first - 1; i < r.last; i++ {
			span := x.lines[i]
			x.add(string(x.out[span.Start:span.End]))
		}
	}
	return nil
}

func (x *decoder) add(line string) {
	if len(x.lines) > 0 {
		x.out = append(x.out, '\n')
	}
	start := len(x.out)
	x.out = append(x.out, line...)
	x.lines = append(x.lines, text.Span{Start: start, End: len(x.out)})
}
