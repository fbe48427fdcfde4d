package lexical

import "strings"

// What a line says of success and failure.

var errorHeads = []string{
	"error", "Error", "ERROR", "FAIL", "fatal", "Fatal", "FATAL", "panic", "npm ERR!", "✗", "✖", "×", "❌",
	"Exception", "AssertionError", "Exit code ", "exit status ", "Segmentation fault", "Command failed",
}

var errorMarks = []string{": error", " error:", "Error: ", "Error(", " ERROR ", "[ERROR]", "##[error]", " FAILED", "panicked at"}

func isErrorLine(line, s string) bool {
	for _, h := range errorHeads {
		if strings.HasPrefix(s, h) && !isName(h, s[len(h):]) {
			return true
		}
	}
	if len(line) > 4 && line[0] == 'E' && line[1] == ' ' && line[2] == ' ' { // pytest's details
		return true
	}
	if !maybeError(s) {
		return false
	}
	for _, m := range errorMarks {
		if strings.Contains(s, m) {
			return true
		}
	}
	return false
}

// isName reports whether what follows "error" makes it a name in code
// (errors.New, errorCount) or a longer word.
func isName(head, rest string) bool {
	if rest == "" {
		return false
	}
	c := rest[0]
	return isLower(c) || c == '.' || c == '_' || c == '(' || isUpper(c) && isLower(head[len(head)-1])
}

// maybeError is the cheap test before the marks are looked for.
func maybeError(s string) bool {
	for i := 0; i+3 < len(s); i++ {
		switch s[i] {
		case 'r', 'R': // error
			if s[i+1]|0x20 == 'r' && s[i+2]|0x20 == 'o' && s[i+3]|0x20 == 'r' {
				return true
			}
		case 'F': // FAILED
			if s[i+1] == 'A' && s[i+2] == 'I' && s[i+3] == 'L' {
				return true
			}
		case 'p': // panicked
			if s[i+1] == 'a' && s[i+2] == 'n' && s[i+3] == 'i' {
				return true
			}
		}
	}
	return false
}

var passHeads = []string{"ok ", "ok\t", "PASS", "--- PASS", "✓", "✔", "√"}
var failHeads = []string{"FAIL", "--- FAIL", "not ok ", "✗", "✖", "×", "❌"}

func statusKind(s string) kind {
	for _, h := range passHeads {
		if strings.HasPrefix(s, h) {
			return kindStatus | kindPassed
		}
	}
	for _, h := range failHeads {
		if strings.HasPrefix(s, h) {
			return kindStatus | kindFailed
		}
	}
	switch {
	case strings.HasSuffix(s, " PASSED"), strings.HasSuffix(s, "... ok"), strings.Contains(s, " PASSED "):
		return kindStatus | kindPassed
	case strings.HasSuffix(s, " FAILED"), strings.HasSuffix(s, "... FAILED"), strings.Contains(s, " FAILED "):
		return kindStatus | kindFailed
	}
	return 0
}

// summaryKind looks for counts: "3 failed, 10 passed", "12 errors", "0 warnings".
func summaryKind(s string) kind {
	if len(s) > 200 {
		return 0
	}
	var k kind
	for i := 0; i+2 < len(s); i++ {
		// "20 ERROR" after a date's "/" is no count.
		if !isDigit(s[i]) || i > 0 && strings.IndexByte(" (=,:[", s[i-1]) < 0 {
			continue
		}
		start := i
		for i < len(s) && isDigit(s[i]) {
			i++
		}
		if i >= len(s) || s[i] != ' ' {
			continue
		}
		zero := strings.Trim(s[start:i], "0") == ""
		_, end := nextWord(s, i+1)
		switch strings.ToLower(s[i+1 : end]) {
		case "passed", "passing", "pass", "files", "file", "insertions", "insertion", "deletions", "tests", "test", "warnings", "warning", "skipped":
			k |= kindSummary
		case "failed", "failing", "failures", "failure", "errors", "error", "problems", "problem":
			k |= kindSummary
			if !zero {
				k |= kindFailed
			}
		}
	}
	return k
}
