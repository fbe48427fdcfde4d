package table

import (
	"strconv"
	"strings"
)

const hexDigits = "0123456789abcdef"

// quote writes any bytes as a string of JSON; those that are no UTF-8 stand as
// they are.
func quote(s string) string { return string(appendQuoted(nil, s)) }

func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[from:i]...)
		from = i + 1
		switch {
		case c == '\t':
			b = append(b, `\t`...)
		case c < 0x20:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		default:
			b = append(b, '\\', c)
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

// unquote reads what quote wrote.
func unquote(s string) (string, bool) {
	if len(s) < 2 || s[0] != '"' {
		return s, true
	}
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		i++
		switch {
		case s[i] == '"' || s[i] == '\\':
			b = append(b, s[i])
		case s[i] == 't':
			b = append(b, '\t')
		case s[i] == 'u' && i+4 < len(s) && s[i+1] == '0' && s[i+2] == '0':
			n, err := strconv.ParseUint(s[i+3:i+5], 16, 8)
			if err != nil {
				return "", false
			}
			b = append(b, byte(n))
			i += 4
		default:
			return "", false
		}
	}
	return string(b), true
}
