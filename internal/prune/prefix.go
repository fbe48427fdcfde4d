package prune

import "strings"

// unprefix takes off, for matching only, what stands before each line of one
// trace or test report while the rest of the text has none of it, or another:
// "[pod/x/app] ", "Nov 30 10:00:00 host app[12]: ", "api:test: ", "> ", a
// diff's sign. What neighbouring lines of a trace begin with is its prefix.
//
// Each prefix found shortens the lines that it is found on, so that all of it
// together takes time in proportion to the text.
func unprefix(lines []string, h []hint) {
	for i := range lines {
		if h[i]&(hintTrace|hintFailure) == 0 {
			continue
		}
		at, tight := anchor(lines[i], h[i])
		if at <= 0 || at > maxPrefix {
			continue
		}
		p := sharedPrefix(lines, i, at)
		if p == "" {
			continue
		}
		take := func(j int) bool {
			n := prefixed(lines[j], p)
			if n < 0 {
				return false
			}
			if (!tight || at > len(p)) && n < len(lines[j]) && lines[j][n] == ' ' {
				n++
			}
			lines[j] = lines[j][n:]
			return true
		}
		for j := i - 1; j >= 0 && take(j); j-- {
		}
		for j, gap := i, 0; j < len(lines) && gap <= maxForeign; j++ {
			if gap++; take(j) {
				gap = 0
			}
		}
	}
}

// maxForeign is how many lines in a row may come from elsewhere before the
// lines with the prefix are taken to be at an end.
const maxForeign = 2

// anchors have no indentation of their own: blanks before them are a prefix's.
// All have a word of [hintTrace] in them.
var anchors = []string{
	"Traceback (most recent call last)", "goroutine ", "panic: ", "fatal error: ", "thread '", "stack backtrace:",
	"Stack trace:", "Unhandled exception", "--- FAIL: ", "== FAILURES ==", "** (",
}

// frameAnchors may have one.
var frameAnchors = []string{"  at ", "\tat ", `File "`, "● ", "⎯⎯⎯"}

// anchor returns where in a line something stands that only a trace or a test
// report has; 0 at the head of the line, or where there is none. tight reports
// that blanks before it are the prefix's.
func anchor(l string, h hint) (at int, tight bool) {
	if l == "" || l[0] == ' ' || l[0] == '\t' || l[0] == '#' {
		return 0, false
	}
	if h&hintTrace == 0 {
		return max(0, strings.Index(l, "** (")), true
	}
	for _, s := range anchors {
		if i := strings.Index(l, s); i >= 0 {
			return i, true
		}
	}
	for _, s := range frameAnchors {
		i := strings.Index(l, s)
		if i <= 0 {
			continue
		}
		t := trimIndent(l[i:])
		if frame(" "+t) || pythonFrame(t) || s[0] > 0x7f {
			return len(strings.TrimRight(l[:i], " \t")), false
		}
	}
	return 0, false
}

// sharedPrefix returns what line i and a line beside it begin with, up to at
// and without the blanks at its end; digits may differ.
func sharedPrefix(lines []string, i, at int) string {
	for _, j := range [...]int{i + 1, i + 2, i + 3, i - 1} {
		if j < 0 || j >= len(lines) {
			continue
		}
		n, _ := alongside(lines[i][:at], lines[j])
		if p := strings.TrimRight(lines[i][:n], " \t"); p != "" && endsPrefix(p, lines[i][len(p):], at == len(p)) {
			return p
		}
	}
	return ""
}

// endsPrefix reports whether a prefix may end between p and rest.
func endsPrefix(p, rest string, whole bool) bool {
	if rest == "" || rest[0] == ' ' || rest[0] == '\t' {
		return true
	}
	last := p[len(p)-1]
	return whole && !wordByte[last] || strings.IndexByte(":|>])}", last) >= 0
}

// prefixed returns the length of what line l begins with in the shape of p, -1
// if it does not.
func prefixed(l, p string) int {
	i, j := alongside(p, l)
	if i < len(p) {
		return -1
	}
	return j
}

// alongside returns how far a and b are alike; a run of digits equals any
// other, and a run of blanks.
func alongside(a, b string) (i, j int) {
	for i < len(a) && j < len(b) {
		switch {
		case digitByte(a[i]) && digitByte(b[j]):
			i, j = skipDigits(a, i), skipDigits(b, j)
		case a[i] == ' ' && b[j] == ' ':
			i, j = skipBlanks(a, i), skipBlanks(b, j)
		case a[i] == b[j]:
			i++
			j++
		default:
			return i, j
		}
	}
	return i, j
}

func digitByte(c byte) bool { return c >= '0' && c <= '9' }

func skipBlanks(s string, i int) int {
	for i < len(s) && s[i] == ' ' {
		i++
	}
	return i
}
