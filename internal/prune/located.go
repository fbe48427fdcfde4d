package prune

import "strings"

// locatedLine reports whether a line is a message about a place in a file, as
// compilers, vets and linters print it: "a/x.go:12:3: msg", "x.py:12: msg",
// "x.ts(12,3): msg". column reports that it names the column too, which the
// hits of a search seldom do.
func locatedLine(l string) (column, ok bool) {
	if i := strings.IndexByte(l[:min(len(l), 5)], ' '); i > 0 && (l[:i] == "vet:" || l[:i] == "e:" || l[:i] == "w:") {
		l = l[i+1:]
	}
	i := pathEnd(l)
	if i == 0 || i == len(l) {
		return false, false
	}
	if l[i] == '(' {
		return bracketPlace(l[i+1:])
	}
	j := skipDigits(l, i+1)
	if j == i+1 || j == len(l) {
		return false, false
	}
	if l[j] == ':' {
		if k := skipDigits(l, j+1); k > j+1 {
			column, j = true, k
			if j+1 < len(l) && l[j] == '-' { // a range
				j = skipDigits(l, j+1)
			}
		}
	}
	rest := l[j:]
	if column && len(rest) > 1 && rest[0] == ' ' && rest[1] != ' ' {
		return true, true
	}
	return column, len(rest) > 2 && rest[0] == ':' && rest[1] == ' ' && (rest[2] != ' ' || column)
}

// bracketPlace reads "12,3): msg" and "12): msg".
func bracketPlace(s string) (column, ok bool) {
	j := skipDigits(s, 0)
	if j == 0 {
		return false, false
	}
	if j < len(s) && s[j] == ',' {
		k := skipDigits(s, j+1)
		column, j = k > j+1, k
	}
	rest := strings.TrimPrefix(s[j:], ") ")
	return column, len(rest) < len(s[j:]) && strings.HasPrefix(rest, ": ") || strings.HasPrefix(s[j:], "): ")
}

// pathEnd returns where the name of a file ends that begins the line and is
// followed by ":" or "(", 0 where none does. It has an extension or a folder,
// or is one of the few names without either.
func pathEnd(l string) int {
	i, name := 0, false
	if len(l) > 2 && letters[l[0]] != 0 && l[1] == ':' && (l[2] == '\\' || l[2] == '/') {
		i = 2
	}
	letter := false
	for ; i < len(l) && i < maxPath; i++ {
		switch c := l[i]; {
		case c == ':' || c == '(':
			if letter && (name || l[:i] == "Makefile" || l[:i] == "Dockerfile" || l[:i] == "makefile") {
				return i
			}
			return 0
		case c == '/' || c == '\\' || c == '.' && i+1 < len(l) && letters[l[i+1]] != 0:
			name = true
		case letters[c] != 0:
			letter = true
		case notPath[c]:
			return 0
		}
	}
	return 0
}

var notPath = byteSet(" \t\"'`=;,<>|*{}#!?")

// maxPath bounds the length of a file's name.
const maxPath = 300

func skipDigits(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// rowPlace reports whether a line is a row of a linter's table under a file's
// name: "  12:3  error  msg".
func rowPlace(l string) bool {
	t := trimIndent(l)
	if t == l || t == "" || t[0] < '1' || t[0] > '9' {
		return false
	}
	i := skipDigits(t, 0)
	if i == len(t) || t[i] != ':' {
		return false
	}
	j := skipDigits(t, i+1)
	return j > i+1 && j < len(t) && (t[j] == ' ' || t[j] == '\t')
}

// caretLine reports whether a line only points at what stands above it.
func caretLine(l string) bool {
	t := trimIndent(l)
	if t == "" || t[0] != '^' && t[0] != '~' {
		return false
	}
	if strings.HasPrefix(t, "^--") { // with a message behind it
		return true
	}
	carets := 0
	for i := range len(t) {
		switch t[i] {
		case '^':
			carets++
		case '~', ' ', '\t', '-':
		default:
			return false
		}
	}
	return carets > 0 || t != l && len(t) > 1
}
