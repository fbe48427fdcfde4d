// Package text holds what every layer agrees on about bytes and lines: a Doc
// is split on "\n" only, a Span is a half-open byte range, an Edit puts a note
// where a span was, and a Read's line-number margin can be looked through.
//
// It refuses to decode, normalise or repair anything: bytes in are bytes out.
package text

import (
	"errors"
	"fmt"
	"strings"
)

// Span is a half-open range of bytes.
type Span struct{ Start, End int }

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Doc is a text and its lines. Lines are what lies between "\n" bytes, so
// joining them with "\n" gives Src back; a text that ends in "\n" has an empty
// last line, and the empty text has one empty line.
type Doc struct {
	Src   string
	Lines []Span
}

// Split cuts src on "\n" only; "\r" stays part of its line.
func Split(src string) Doc {
	lines := make([]Span, 0, strings.Count(src, "\n")+1)
	start := 0
	for {
		i := strings.IndexByte(src[start:], '\n')
		if i < 0 {
			return Doc{src, append(lines, Span{start, len(src)})}
		}
		lines = append(lines, Span{start, start + i})
		start += i + 1
	}
}

// Len returns the number of lines.
func (d Doc) Len() int { return len(d.Lines) }

// Line returns line i without its "\n".
func (d Doc) Line(i int) string { return d.Src[d.Lines[i].Start:d.Lines[i].End] }

// Run returns the bytes of lines first to last (inclusive, 0-based), with the
// "\n" between them and without the one after the last.
func (d Doc) Run(first, last int) string {
	return d.Src[d.Lines[first].Start:d.Lines[last].End]
}

// RunSpan returns the span of [Doc.Run].
func (d Doc) RunSpan(first, last int) Span {
	return Span{d.Lines[first].Start, d.Lines[last].End}
}

// Edit replaces Span by Note.
type Edit struct {
	Span Span
	Note string
}

// ErrEdits reports edits that overlap, run backwards or leave the text.
var ErrEdits = errors.New("edits out of order")

// Apply returns d's text with each edit's span replaced by its note. Edits
// must be in ascending order and must not overlap.
func Apply(d Doc, edits []Edit) (string, error) {
	var b strings.Builder
	b.Grow(len(d.Src))
	at := 0
	for _, e := range edits {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > len(d.Src) {
			return "", fmt.Errorf("apply edit at %d-%d after %d: %w", e.Span.Start, e.Span.End, at, ErrEdits)
		}
		b.WriteString(d.Src[at:e.Span.Start])
		b.WriteString(e.Note)
		at = e.Span.End
	}
	b.WriteString(d.Src[at:])
	return b.String(), nil
}
