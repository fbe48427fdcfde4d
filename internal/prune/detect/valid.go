package detect

import "strings"

// maxDepth is how deep JSON may be nested; deeper text is taken for something else.
const maxDepth = 10_000

// validJSON reports whether s, trimmed, is one JSON value. It copies nothing and
// looks at strings by their quotes and escapes alone, several times as fast as
// a parser. Of broken UTF-8 it says nothing, as encoding/json does.
func validJSON(s string) bool {
	v := validator{s: s}
	return v.value() && v.i == len(s)
}

type validator struct {
	s string
	i int
	// open holds the brackets that are not closed.
	open []byte
}

func (v *validator) blank() {
	for v.i < len(v.s) && (v.s[v.i] == ' ' || v.s[v.i] == '\n' || v.s[v.i] == '\r' || v.s[v.i] == '\t') {
		v.i++
	}
}

// value reads one value and whatever it holds, without recursion.
func (v *validator) value() bool {
	for {
		v.blank()
		if v.i >= len(v.s) {
			return false
		}
		c := v.s[v.i]
		if c == '{' || c == '[' {
			v.i++
			if v.blank(); v.i < len(v.s) && v.s[v.i] == c+2 { // empty
				v.i++
			} else {
				if v.open = append(v.open, c); len(v.open) > maxDepth || c == '{' && !v.key() {
					return false
				}
				continue
			}
		} else if !v.scalar(c) {
			return false
		}
		if more, ok := v.after(); !more {
			return ok
		}
	}
}

// after reads what follows a value: closing brackets, then a comma, which says
// that more is to come, or the end.
func (v *validator) after() (more, ok bool) {
	for len(v.open) > 0 {
		if v.blank(); v.i >= len(v.s) {
			return false, false
		}
		open := v.open[len(v.open)-1]
		switch v.s[v.i] {
		case ',':
			v.i++
			if open == '{' && !v.key() {
				return false, false
			}
			return true, true
		case open + 2: // '}' and ']' stand two behind their openings
			v.i++
			v.open = v.open[:len(v.open)-1]
		default:
			return false, false
		}
	}
	return false, true
}

func (v *validator) key() bool {
	if v.blank(); v.i >= len(v.s) || v.s[v.i] != '"' || !v.str() {
		return false
	}
	if v.blank(); v.i >= len(v.s) || v.s[v.i] != ':' {
		return false
	}
	v.i++
	return true
}

func (v *validator) scalar(c byte) bool {
	switch c {
	case '"':
		return v.str()
	case 't':
		return v.word("true")
	case 'f':
		return v.word("false")
	case 'n':
		return v.word("null")
	}
	return v.num()
}

func (v *validator) word(w string) bool {
	ok := strings.HasPrefix(v.s[v.i:], w)
	v.i += len(w)
	return ok
}

// str reads a string; v.i is at its quote.
func (v *validator) str() bool {
	for i := v.i + 1; i < len(v.s); i++ {
		switch c := v.s[i]; {
		case c == '"':
			v.i = i + 1
			return true
		case c < ' ':
			return false
		case c == '\\':
			if i++; i >= len(v.s) {
				return false
			}
			if v.s[i] == 'u' {
				if i+4 >= len(v.s) || !hex4(v.s[i+1:i+5]) {
					return false
				}
				i += 4
			} else if strings.IndexByte(`"\/bfnrt`, v.s[i]) < 0 {
				return false
			}
		}
	}
	return false
}

func hex4(s string) bool {
	for i := range len(s) {
		if c := s[i]; !digit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// num reads a number.
func (v *validator) num() bool {
	i := v.i
	if v.s[i] == '-' {
		i++
	}
	end := digits(v.s, i)
	if end == i || end > i+1 && v.s[i] == '0' {
		return false
	}
	if i = end; i < len(v.s) && v.s[i] == '.' {
		if end = digits(v.s, i+1); end == i+1 {
			return false
		}
		i = end
	}
	if i < len(v.s) && v.s[i]|0x20 == 'e' {
		if i++; i < len(v.s) && (v.s[i] == '+' || v.s[i] == '-') {
			i++
		}
		if end = digits(v.s, i); end == i {
			return false
		}
		i = end
	}
	v.i = i
	return true
}
