package prune

import (
	"strings"

	"winnow/internal/prune/detect"
)

// shellSays returns whether line i, which speaks of h, is a failure because it
// is a program's output: error messages without a word of the floor. The hits
// of a search in source files are none.
func shellSays(lines []string, v *view) func(i int, h hint) bool {
	if v.kind != shellTool {
		return func(int, hint) bool { return false }
	}
	var code []bool
	if searchOf(v.args.command) == onlySearch {
		code = detect.Hits(lines, "")
	}
	return func(i int, h hint) bool {
		if code != nil && code[i] {
			return false
		}
		return h&hintShell != 0 || logcat(lines[i]) || testSigns(lines[i])
	}
}

// logcat reports whether a line is one of Android's log at its level of errors: "E/Tag(12): x".
func logcat(l string) bool {
	i := strings.Index(l, "E/")
	return i >= 0 && (i == 0 || l[i-1] == ' ') && len(l) > i+2 && l[i+2] >= 'A' && l[i+2] <= 'Z' && strings.Contains(l[i+2:], ": ")
}

// testSigns reports whether a line shows tests by a sign each, one of which did not
// pass: "....F.E..", "tests/test_a.py ..F. [ 10%]".
func testSigns(l string) bool {
	if l = strings.TrimRight(l, " "); l == "" || !signEnds[l[len(l)-1]] {
		return false
	}
	percent := strings.HasSuffix(l, "%]")
	if percent {
		l = strings.TrimRight(l[:max(0, strings.LastIndexByte(l, '['))], " ")
	}
	t := l[strings.LastIndexByte(l, ' ')+1:]
	if len(t) < 2 || !percent && (len(t) < 4 || len(t) < len(l)) {
		return false
	}
	bad, good := false, percent
	for i := range len(t) {
		switch t[i] {
		case 'F', 'E':
			bad = true
		case '.':
			good = true
		case 's', 'x', 'X', 'S':
		default:
			return false
		}
	}
	return bad && good
}

var signEnds = byteSet("].FEsxXS")
