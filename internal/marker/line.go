package marker

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxDigest bounds a digest, in characters.
const MaxDigest = 120

// DefaultHint says once per result what a marker is and how to get the lines.
const DefaultHint = "[hidden by winnow, file and output intact; mcp__winnow__recall with this key gives the lines]"

// FoldHint is the same for lines that were not hidden but are not repeated.
const FoldHint = "[not repeated; recall gives them]"

// Line returns the marker line for n hidden lines that the reader knows as
// lines first to last: the tag, one blank, "lines A-B", and where there is one
// ": " and the digest, then one blank and the hint. It holds no "\n".
func Line(k Key, n, first, last int, digest, hint string) string {
	var b strings.Builder
	b.WriteString(Tag(k, n))
	b.WriteString(" lines ")
	b.WriteString(strconv.Itoa(first))
	b.WriteByte('-')
	b.WriteString(strconv.Itoa(last))
	if digest = Clean(digest, MaxDigest); digest != "" {
		b.WriteString(": ")
		b.WriteString(digest)
	}
	if hint != "" {
		b.WriteByte(' ')
		b.WriteString(Clean(hint, 4*MaxDigest))
	}
	return b.String()
}

// Clean makes s fit to stand in a marker: one line of printable, valid UTF-8,
// at most n characters, and nothing that could be read as a second marker.
func Clean(s string, n int) string {
	var b strings.Builder
	count, blank, last := 0, true, ' '
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) || r == '<' && last == '<' {
			r = ' '
		}
		if r == ' ' {
			if blank {
				continue
			}
			blank = true
		} else {
			blank = false
		}
		if count == n {
			break
		}
		b.WriteRune(r)
		last = r
		count++
	}
	return strings.TrimRight(b.String(), " ")
}
