package blocks

import (
	"strconv"
	"strings"
)

// The written form of a fold.
const (
	countOpen  = " (×"
	countClose = ")"
	refOpen    = "⟦↺#"
	refClose   = "⟧"
	times      = "×"
)

// maxDigits bounds a number in a fold; what is longer is no fold but text.
const maxDigits = 9

// appendCounted writes a line that stands n times. The count goes before a
// carriage return at the line's end, which would hide it on a screen.
func appendCounted(b []byte, line string, n int) []byte {
	line, cr := strings.CutSuffix(line, "\r")
	b = append(b, line...)
	b = append(b, countOpen...)
	b = strconv.AppendInt(b, int64(n), 10)
	b = append(b, countClose...)
	if cr {
		b = append(b, '\r')
	}
	return b
}

// counted splits a line that has a count.
func counted(l string) (line string, n int, ok bool) {
	l, cr := strings.CutSuffix(l, "\r")
	if !strings.HasSuffix(l, countClose) { // nearly every line ends here
		return "", 0, false
	}
	i := len(l) - 1
	for i > 0 && l[i-1] >= '0' && l[i-1] <= '9' {
		i--
	}
	if n = number(l[i : len(l)-1]); n == 0 {
		return "", 0, false
	}
	if line, ok = strings.CutSuffix(l[:i], countOpen); !ok {
		return "", 0, false
	}
	if cr {
		line += "\r"
	}
	return line, n, true
}

// A ref stands for lines first to last (1-based, of the original), n times.
type ref struct{ first, last, n int }

func appendRef(b []byte, r ref) []byte {
	b = append(b, refOpen...)
	b = strconv.AppendInt(b, int64(r.first), 10)
	if r.last > r.first {
		b = append(b, '-')
		b = strconv.AppendInt(b, int64(r.last), 10)
	}
	if r.n > 1 {
		b = append(b, times...)
		b = strconv.AppendInt(b, int64(r.n), 10)
	}
	return append(b, refClose...)
}

// refOf reads a line that is a reference from end to end.
func refOf(l string) (r ref, ok bool) {
	l, ok = strings.CutPrefix(l, refOpen)
	if !ok {
		return r, false
	}
	if l, ok = strings.CutSuffix(l, refClose); !ok {
		return r, false
	}
	l, count, many := strings.Cut(l, times)
	if r.n = 1; many {
		if r.n = number(count); r.n < 2 {
			return r, false
		}
	}
	first, last, span := strings.Cut(l, "-")
	r.first = number(first)
	if r.last = r.first; span {
		if r.last = number(last); r.last <= r.first {
			return r, false
		}
	}
	return r, r.first > 0
}

// number reads digits as this package writes them, 0 for anything else.
func number(s string) int {
	if s == "" || len(s) > maxDigits || s[0] == '0' {
		return 0
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// looksFolded reports whether a line of the text would be read as a fold.
func looksFolded(l string) bool {
	if l == "" {
		return false
	}
	switch l[len(l)-1] {
	case ')', '\r':
		_, _, ok := counted(l)
		return ok
	case refClose[len(refClose)-1]:
		_, ok := refOf(l)
		return ok
	}
	return false
}
