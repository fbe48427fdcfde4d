package prune

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"winnow/internal/marker"
)

// binary reports whether s is no text that may be cut: invalid UTF-8 (which a
// JSON door would repair and so change), NUL bytes, UTF-16, or what is left
// after someone else decoded another encoding. A partial text may end inside
// a character.
func binary(s string, partial bool) bool {
	if partial {
		for i := 0; i < utf8.UTFMax && len(s) > 0; i++ {
			if r, n := utf8.DecodeLastRuneInString(s); r != utf8.RuneError || n != 1 {
				break
			}
			s = s[:len(s)-1]
		}
	}
	if !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0 {
		return true
	}
	n := strings.Count(s, "\uFFFD")
	return n >= 8 && n*200 > len(s)
}

// marked reports whether the text holds a marker that leads somewhere: it was
// pruned before, and cutting it again could bury a way back.
func (p *Pruner) marked(s string) bool {
	if p.o.Live == nil {
		return false
	}
	for _, k := range marker.Find(s) {
		if p.o.Live(k) {
			return true
		}
	}
	return false
}

// maxJSON is the size up to which a text that looks like JSON is checked; a
// larger one is believed, which only leaves it alone.
const maxJSON = 4 << 20

// isJSON reports whether the body is one JSON object or array, or JSON lines:
// hiding lines would leave a document that no longer parses.
func isJSON(v *view) bool {
	if v.from >= v.to {
		return false
	}
	s := strings.TrimSpace(v.doc.Run(v.from, v.to-1))
	if !bracketed(s) {
		return false
	}
	if len(s) > maxJSON || json.Valid([]byte(s)) {
		return true
	}
	return jsonLines(v)
}

// jsonLines reports whether nearly all lines of the body are documents.
func jsonLines(v *view) bool {
	lines, good := 0, 0
	for i := v.from; i < v.to; i++ {
		if s := strings.TrimSpace(v.doc.Line(i)); s != "" {
			lines++
			if bracketed(s) {
				good++
			}
		}
	}
	if lines < 2 || good*10 < lines*9 {
		return false
	}
	bad := lines - good
	for i := v.from; i < v.to; i++ {
		if s := strings.TrimSpace(v.doc.Line(i)); bracketed(s) && !json.Valid([]byte(s)) {
			if bad++; bad*10 > lines {
				return false
			}
		}
	}
	return true
}

func bracketed(s string) bool {
	if len(s) < 2 {
		return false
	}
	a, b := s[0], s[len(s)-1]
	return a == '{' && b == '}' || a == '[' && b == ']'
}
