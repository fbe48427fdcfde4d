package logs

import "strings"

// unstamp writes to body what stands behind each line's time stamp. A time is
// known by its form; the fields of a CI run before it go with it.
func unstamp(plain, body []string) {
	for i, l := range plain {
		body[i] = l[stamp(l):]
	}
}

// maxField bounds a CI run's fields before the time.
const maxField = 100

// stamp returns the length of the time that a line begins with and of the blank
// after it, 0 for none: "2026-02-19T20:01:45.512Z ", "[10:02:11] ", "Nov 30
// 10:00:00 host ", "[   12.345678] ", and up to two fields ended by tabs before it.
func stamp(l string) int {
	at := 0
	for range 3 {
		if n := timeAt(l[at:]); n > 0 {
			at += n
			for at < len(l) && (l[at] == ' ' || l[at] == '\t') {
				at++
			}
			return at
		}
		i := strings.IndexByte(l[at:min(len(l), at+maxField)], '\t')
		if i < 0 {
			return 0
		}
		at += i + 1
	}
	return 0
}

// timeAt returns the length of a time at the head of s.
func timeAt(s string) int {
	rest := strings.TrimPrefix(s, "\ufeff")
	lead := len(s) - len(rest)
	if rest == "" {
		return 0
	}
	open := byte(0)
	if rest[0] == '[' || rest[0] == '(' {
		open, rest = rest[0], rest[1:]
		lead++
	}
	n := 0
	switch {
	case rest == "":
	case digit(rest[0]):
		n = isoTime(rest)
		if n == 0 {
			n = clockTime(rest)
		}
	case open == 0 && rest[0] >= 'A' && rest[0] <= 'S':
		n = syslogTime(rest)
	case open == '[' && rest[0] == ' ':
		n = kernelTime(rest)
	}
	if n == 0 {
		return 0
	}
	if open != 0 {
		shut := byte(']')
		if open == '(' {
			shut = ')'
		}
		end := strings.IndexByte(rest[n:min(len(rest), n+8)], shut)
		if end < 0 {
			return 0
		}
		n += end + 1
	}
	return lead + n
}

// isoTime reads "2026-02-19T20:01:45.512Z" and its kin; a date alone is none.
func isoTime(s string) int {
	if len(s) < 19 || !shape(s, "0000-00-00") && !shape(s, "0000/00/00") || s[10] != 'T' && s[10] != ' ' {
		return 0
	}
	n := clockTime(s[11:])
	if n == 0 {
		return 0
	}
	n += 11
	switch {
	case n < len(s) && s[n] == 'Z':
		n++
	case n+5 < len(s) && (s[n] == '+' || s[n] == '-') && shape(s[n+1:], "00:00"):
		n += 6
	case n+4 < len(s) && (s[n] == '+' || s[n] == '-') && shape(s[n+1:], "0000"):
		n += 5
	}
	return n
}

// clockTime reads "20:01:45", with a fraction.
func clockTime(s string) int {
	if !shape(s, "00:00:00") {
		return 0
	}
	n := 8
	if n+1 < len(s) && (s[n] == '.' || s[n] == ',') && digit(s[n+1]) {
		for n++; n < len(s) && digit(s[n]); n++ {
		}
	}
	if n < len(s) && (letter(s[n]) && s[n] != 'Z' || s[n] == ':') {
		return 0
	}
	return n
}

// syslogTime reads "Nov 30 10:00:00" and the host's name behind it.
func syslogTime(s string) int {
	if len(s) < 15 || !strings.Contains("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ", s[:3]+" ") || s[3] != ' ' || clockTime(s[7:]) == 0 {
		return 0
	}
	return 15
}

// kernelTime reads "   12.345678]" up to the bracket.
func kernelTime(s string) int {
	n := 0
	for n < len(s) && s[n] == ' ' {
		n++
	}
	start := n
	for n < len(s) && (digit(s[n]) || s[n] == '.') {
		n++
	}
	if n == start || n == len(s) || s[n] != ']' {
		return 0
	}
	return n
}

// shape reports whether s begins with the pattern, in which 0 is any digit.
func shape(s, pattern string) bool {
	if len(s) < len(pattern) {
		return false
	}
	for i := range len(pattern) {
		if pattern[i] == '0' {
			if !digit(s[i]) {
				return false
			}
		} else if s[i] != pattern[i] {
			return false
		}
	}
	return true
}

// clockIn returns the time of day in the head of a line, for digests.
func clockIn(l string) string {
	for i := 0; i+8 <= min(len(l), maxField); i++ {
		if digit(l[i]) && shape(l[i:], "00:00:00") {
			return l[i : i+8]
		}
	}
	return ""
}

func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
