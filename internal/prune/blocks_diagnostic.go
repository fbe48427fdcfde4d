package prune

import "strings"

// maxDiagnostic bounds the lines that a diagnostic takes with it.
const maxDiagnostic = 25

// diagnostic finds what belongs to a compiler's or a tool's message: its
// excerpt with the caret, its notes, its deeper lines.
func diagnostic(lines []string, h []hint, i int) (int, int) {
	if h[i]&hintFailure == 0 || !diagnosticHead(lines[i]) {
		return i, i
	}
	return i, excerptEnd(lines, i)
}

// diagnosticHead reports whether a line announces a failure rather than merely
// speaks of one: "error:", "error[E0425]", "Error: x", "ERROR x", "FAIL x".
func diagnosticHead(line string) bool {
	if strings.HasSuffix(line, "{") || strings.HasSuffix(line, "(") {
		return false
	}
	if strings.HasPrefix(line, "Caused by:") {
		return true
	}
	for _, w := range []string{"error", "Error", "ERROR", "FAIL", "FAILED", "fatal", "FATAL", "panic", "PANIC", "Exception", "CRITICAL"} {
		i := strings.Index(line, w)
		if i < 0 {
			continue
		}
		end := i + len(w)
		if end == len(line) {
			continue
		}
		if c := line[end]; c == ':' || c == '[' || c == ')' && w == "Error" || w[1] >= 'A' && w[1] <= 'Z' && (c == ' ' || c == ']') || c == ' ' && strings.Contains(line[end:], ": ") {
			return true
		}
	}
	return false
}

// excerpt reports whether a line quotes source below a message: "12 | x",
// "  | ^^^", "--> file", "= note:", "> 21 |".
func excerpt(line string) bool {
	t := strings.TrimLeft(line, " \t>")
	if t == "" {
		return false
	}
	switch t[0] {
	case '|', '^', '~':
		return true
	case '-':
		return strings.HasPrefix(t, "--> ")
	case '=':
		return strings.HasPrefix(t, "= ")
	case 'n':
		return strings.HasPrefix(t, "note: ")
	case 'h':
		return strings.HasPrefix(t, "help: ") || strings.HasPrefix(t, "hint: ")
	}
	i := 0
	for i < len(t) && t[i] >= '0' && t[i] <= '9' {
		i++
	}
	return i > 0 && strings.HasPrefix(strings.TrimLeft(t[i:], " "), "|")
}
