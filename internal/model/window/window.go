// Package window cuts a text and a query into what the reader reads: windows of
// whole lines, and the three parts of the query. It also turns the reader's
// states of tokens into vectors and matches of lines.
//
// Windows depend on the text alone, so that what the reader makes of them can be
// kept for the next query on the same text.
package window

import (
	"strings"

	"winnow/internal/model/tokenizer"
	"winnow/internal/text"
)

// Bounds of what is read. Of 3,950 recorded results 4 % of the lines have more
// tokens than LineTokens; what a line says is mostly at its head.
const (
	LineTokens = 48
	lineRunes  = 400
	// Tokens is the most tokens of a window, its [CLS] not counted. The reader
	// knows 512 places; attention over fewer costs less.
	Tokens = 250
)

// Window is one run of the reader.
type Window struct {
	IDs   []int64 // [CLS] line [SEP] line [SEP] ...
	Lines []Line
}

// Line is a line that has tokens, at IDs[From:To] of its window.
type Line struct {
	N        int // number of the line in the text
	From, To int
}

// Cut returns the windows of d in order. Lines without tokens are in none.
func Cut(t *tokenizer.Tokenizer, d text.Doc) []Window {
	var out []Window
	var ids []int32
	w := begin(t)
	for i := range d.Len() {
		ids = t.Append(ids[:0], Shown(d.Line(i)), LineTokens)
		if len(ids) == 0 {
			continue
		}
		if len(w.Lines) > 0 && len(w.IDs)+len(ids) > Tokens {
			out = append(out, w)
			w = begin(t)
		}
		from := len(w.IDs)
		for _, id := range ids {
			w.IDs = append(w.IDs, int64(id))
		}
		w.Lines = append(w.Lines, Line{N: i, From: from, To: len(w.IDs)})
		w.IDs = append(w.IDs, int64(t.SEP()))
	}
	if len(w.Lines) > 0 {
		out = append(out, w)
	}
	return out
}

func begin(t *tokenizer.Tokenizer) Window {
	ids := make([]int64, 1, Tokens+LineTokens)
	ids[0] = int64(t.CLS())
	return Window{IDs: ids}
}

// Shown is the part of a line that is read: no escape sequences, no end of line
// of another system, and not more than LineTokens could cover.
func Shown(line string) string {
	return text.Head(text.Plain(strings.TrimSuffix(line, "\r")), lineRunes)
}
