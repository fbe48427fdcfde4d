package text

import (
	"strings"
	"unicode/utf8"
)

// Chars counts characters: what every limit and saving is measured in.
func Chars(s string) int { return utf8.RuneCountInString(s) }

// Head returns at most n characters of s, whole ones.
func Head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Plain returns s without terminal escape sequences, for matching only: what
// is kept or hidden is always the original. It returns s itself when there is
// nothing to strip, and is linear in len(s).
func Plain(s string) string {
	if strings.IndexByte(s, esc) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if s[i] == esc {
			i = skipEscape(s, i)
			continue
		}
		j := strings.IndexByte(s[i:], esc)
		if j < 0 {
			j = len(s) - i
		}
		b.WriteString(s[i : i+j])
		i += j
	}
	return b.String()
}

const esc = '\x1b'

// skipEscape returns the index after the sequence that begins at s[i]: CSI
// (colours, cursor), OSC (titles, links; ended by BEL or ST) or a two-byte one.
func skipEscape(s string, i int) int {
	i++
	if i >= len(s) {
		return i
	}
	switch s[i] {
	case '[':
		for i++; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i // broken off: the byte belongs to the text
			}
		}
		return i
	case ']':
		for i++; i < len(s); i++ {
			switch {
			case s[i] == '\a':
				return i + 1
			case s[i] == esc:
				if i+1 < len(s) && s[i+1] == '\\' {
					return i + 2
				}
				return i
			}
		}
		return i
	case '(', ')':
		return min(i+2, len(s))
	}
	if s[i] < 0x20 || s[i] > 0x7e {
		return i
	}
	return i + 1
}

// EscapeLen returns the length of the escape sequence that s begins with, 0 where
// there is none.
func EscapeLen(s string) int {
	if s == "" || s[0] != esc {
		return 0
	}
	return skipEscape(s, 0)
}
