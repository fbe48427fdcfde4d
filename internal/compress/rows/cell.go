package rows

import "strings"

// A cell is a value in a line of a table: bare, or in quotes with the escapes of
// JSON. Bare is what no reader could take for anything but that text: what looks
// like a number, a literal or a sign of the form is quoted.

// bareByte marks what a bare cell may hold, firstByte what it may begin with.
var bareByte, firstByte [256]bool

func init() {
	for i := range 256 {
		c := byte(i)
		bareByte[i] = c > 0x20 && c != 0x7f || c == ' '
		firstByte[i] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
	}
	for _, c := range []byte(`,;{}[]()"\`) {
		bareByte[c] = false
	}
	for _, c := range []byte("_/.-+:<>|^%$'") {
		firstByte[c] = true
	}
}

// Bare reports whether s needs no quotes.
func Bare(s string) bool {
	if s == "" || !firstByte[s[0]] || s[len(s)-1] == ' ' {
		return false
	}
	for i := range len(s) {
		if !bareByte[s[i]] || s[i] == ':' && i+1 < len(s) && s[i+1] == ' ' {
			return false
		}
	}
	switch c := s[0]; {
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		return !Numberish(s)
	default:
		return !literal(s)
	}
}

// literal reports whether s is a word that some language has for a value.
func literal(s string) bool {
	if len(s) > 9 || strings.IndexByte("ntfiuy", s[0]|0x20) < 0 {
		return false
	}
	for _, w := range [...]string{"null", "true", "false", "none", "nil", "nan", "inf", "infinity", "undefined", "yes", "no"} {
		if len(w) == len(s) && strings.EqualFold(w, s) {
			return true
		}
	}
	return false
}

// Numberish reports whether s could be read as a number by somebody: "007",
// "+861", ".622", "0x1F", "1e5", "-".
func Numberish(s string) bool {
	i, dots, digits := 0, 0, 0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		i++
	}
	if len(s) > i+1 && s[i] == '0' && s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z' {
		return true
	}
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.':
			dots++
		case c == '_' && digits > 0:
		case c|0x20 == 'e' && digits > 0:
			if i++; i < len(s) && (s[i] == '-' || s[i] == '+') {
				i++
			}
			for ; i < len(s); i++ {
				if s[i] < '0' || s[i] > '9' {
					return false
				}
			}
			return true
		default:
			return false
		}
	}
	return dots < 2
}

// AppendCell writes a string whose escapes are already those of JSON.
func AppendCell(dst []byte, inner string) []byte {
	if Bare(inner) {
		return append(dst, inner...)
	}
	dst = append(dst, '"')
	dst = append(dst, inner...)
	return append(dst, '"')
}

// CellEnd returns where the cell at s[i:] ends: at a ',', ';', newline or
// closing bracket that is not inside quotes or brackets, or at the end.
func CellEnd(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		if !turn[s[i]] {
			continue
		}
		switch s[i] {
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return i
			}
			depth--
		default:
			if depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// turn marks the bytes that mean something to [CellEnd].
var turn = func() (t [256]bool) {
	for _, c := range []byte("\"()[]{},;\n") {
		t[c] = true
	}
	return t
}()
