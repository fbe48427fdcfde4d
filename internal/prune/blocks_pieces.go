package prune

import "strings"

// Traces arrive broken: another program's output stands in their middle, a
// notice has taken the place of some lines, or --tail begins inside one.

// pythonPiece finds frames of Python without their header, and the place above
// a SyntaxError, to the exception below them.
func pythonPiece(lines []string, _ []hint, i int) (int, int) {
	if !pythonFrame(trimIndent(lines[i])) {
		return i, i
	}
	in, j := indent(lines[i]), i+1
	for j < len(lines) && !blank(lines[j]) && indent(lines[j]) >= in {
		j++
	}
	if j == len(lines) || blank(lines[j]) {
		return i, j
	}
	return i, exceptionEnd(lines, j, "")
}

// pythonFrame reports whether t begins `File "x.py", line 12`.
func pythonFrame(t string) bool {
	rest, ok := strings.CutPrefix(t, `File "`)
	if !ok {
		return false
	}
	_, rest, ok = strings.Cut(rest, `", line `)
	return ok && rest != "" && digitByte(rest[0])
}

// goPiece finds a run of Go's frames, each a function and a place, of which at
// least one place has an offset or two follow each other.
func goPiece(lines []string, _ []hint, i int) (int, int) {
	if i == 0 || !goFrame(lines[i]) || !goCall(lines[i-1]) {
		return i, i
	}
	j := i + 1
	for j+1 < len(lines) && goFrame(lines[j+1]) && goCall(lines[j]) {
		j += 2
	}
	if j == i+1 && !strings.Contains(lines[i], " +0x") {
		return i, i
	}
	return i - 1, j
}

// goFrame reports whether a line is an indented "/x/tax.go:12 +0x1d".
func goFrame(line string) bool {
	t := trimIndent(line)
	if t == line {
		return false
	}
	k := strings.Index(t, ".go:")
	if k < 0 || strings.IndexByte(t[:k], ' ') >= 0 {
		return false
	}
	end := skipDigits(t, k+4)
	return end > k+4 && (end == len(t) || strings.HasPrefix(t[end:], " +0x"))
}

func goCall(line string) bool {
	line = strings.TrimRight(line, " ")
	return strings.HasSuffix(line, ")") || strings.HasPrefix(trimIndent(line), "created by ")
}
