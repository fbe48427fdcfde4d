package jsonform

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/internal/compress/rows"
	"winnow/internal/text"
)

// str cuts a long string. Prose that is no item of a list is what was asked
// for, and stays; so does a rest that reports a failure or that the task names.
func (s *sampler) str(i uint32, listed bool) {
	inner := s.t.inner(i)
	if len(inner) <= s.lim.MaxString || s.inside(i) {
		return
	}
	at := headEnd(inner, s.lim.MaxString)
	rest := inner[at:]
	if len(rest) < 3*leastSaved || !listed && !opaque(rest) || rows.Failure(rest) || s.query.Names(rest, true) {
		return
	}
	start := int(s.t.nodes[i].start) + 1 + at
	s.gaps = append(s.gaps, Gap{Span: text.Span{Start: start, End: start + len(rest)}, Count: chars(rest), form: ofString, level: s.level})
}

// opaque reports whether a text has no words: data in base64, hex, minified.
func opaque(s string) bool {
	return strings.Count(s, " ")+strings.Count(s, `\n`) < len(s)/80
}

// headEnd returns where the first n characters of an escaped string end.
func headEnd(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		i += charLen(s[i:])
	}
	return i
}

func chars(s string) int {
	n := 0
	for i := 0; i < len(s); n++ {
		i += charLen(s[i:])
	}
	return n
}

// charLen is the length of the character or escape that s begins with; a pair
// of surrogates is one.
func charLen(s string) int {
	if s[0] != '\\' || len(s) < 2 {
		_, n := utf8.DecodeRuneInString(s)
		return n
	}
	if s[1] != 'u' {
		return 2
	}
	if len(s) >= 12 && (s[2] == 'd' || s[2] == 'D') && strings.IndexByte("89abAB", s[3]) >= 0 && s[6] == '\\' && s[7] == 'u' {
		return 12
	}
	return min(6, len(s))
}

// inside plans the gaps of JSON inside a string. It reports whether it is JSON.
func (s *sampler) inside(i uint32) bool {
	inner := s.t.inner(i)
	if s.level >= maxInside || len(inner) < 2*minInside || inner[0] != '{' && inner[0] != '[' {
		return false
	}
	plain, offsets, ok := unescapeAt(inner)
	if !ok {
		return false
	}
	t, err := parse(plain)
	if err != nil {
		return false
	}
	sub := &sampler{t: t, lim: s.lim, query: s.query, level: s.level + 1, lists: s.lists}
	sub.walk(0, false)
	s.work += sub.work
	base := int(s.t.nodes[i].start) + 1
	for _, g := range sub.gaps {
		g.Span = text.Span{Start: base + int(offsets[g.Span.Start]), End: base + int(offsets[g.Span.End])}
		s.gaps = append(s.gaps, g)
	}
	return true
}

// unescapeAt returns what an escaped string says and where each byte of it came from.
func unescapeAt(s string) (string, []uint32, bool) {
	out := make([]byte, 0, len(s))
	offsets := make([]uint32, 0, len(s)+1)
	for i := 0; i < len(s); {
		size := 1
		if s[i] != '\\' {
			out = append(out, s[i])
		} else {
			size = charLen(s[i:])
			switch at := strings.IndexByte(`"\/nrtbf`, s[i+1]); {
			case at >= 0:
				out = append(out, "\"\\/\n\r\t\b\f"[at])
			case size == 6 || size == 12:
				r, err := strconv.Unquote(`"` + s[i:i+size] + `"`)
				if err != nil && size == 12 {
					r, err = pair(s[i:])
				}
				if err != nil {
					return "", nil, false
				}
				out = append(out, r...)
			default:
				return "", nil, false
			}
		}
		for len(offsets) < len(out) {
			offsets = append(offsets, uint32(i))
		}
		i += size
	}
	return string(out), append(offsets, uint32(len(s))), true
}

// pair reads two escapes of surrogates.
func pair(s string) (string, error) {
	hi, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return "", err
	}
	lo, err := strconv.ParseUint(s[8:12], 16, 16)
	if err != nil || lo < 0xdc00 || lo > 0xdfff {
		return "", errNotJSON
	}
	return string(rune((hi-0xd800)<<10|(lo-0xdc00)) + 0x10000), nil
}
