package jsonform

import "strings"

// unescape returns what a string says, if it is escaped in the one way that
// [appendEscaped] escapes: only what must be, by its shortest escape.
func unescape(s string) (string, bool) {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		at := strings.IndexByte(`"\nrtbf`, s[i])
		if at < 0 {
			return "", false
		}
		b.WriteByte("\"\\\n\r\t\b\f"[at])
	}
	return b.String(), true
}

func appendEscaped(dst, s []byte) []byte {
	for _, c := range s {
		if plain[c] {
			dst = append(dst, c)
			continue
		}
		at := strings.IndexByte("\"\\\n\r\t\b\f", c)
		if at < 0 {
			at = 1 // does not occur in what was unescaped; the outcome is checked
		}
		dst = append(dst, '\\', `"\nrtbf`[at])
	}
	return dst
}
