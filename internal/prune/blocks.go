package prune

import "strings"

// maxBlock bounds a block whose end is a guess. A traceback or a failed test has
// a form that says where it ends and is kept whole.
const maxBlock = 300

// failureBlocks marks whole tracebacks, failure blocks of test reports and
// the lines that belong to a diagnostic. Each rule looks at line i and returns
// the line after its block, or i when it has nothing to say.
func failureBlocks(c []Cause, lines []string, h []hint) {
	rules := []func(lines []string, h []hint, i int) (from, to int){
		pythonTrace, pythonPiece, goTrace, goPiece, rustTrace, frames, rubyTrace, dataRace,
		pytestBlock, tapBlock, numberedBlock, vitestBlock, rustTest, imageBuild, diagnostic,
	}
	goTests(c, lines)
	until := make([]int, len(rules)) // a rule does not look again inside its own block
	for i := range lines {
		// Most lines begin no block: a failure word or a telling first letter decides.
		if h[i]&hintFailure == 0 && !mayBegin(lines[i]) {
			continue
		}
		for r, rule := range rules {
			if i < until[r] {
				continue
			}
			from, to := rule(lines, h, i)
			until[r] = to
			for j := from; j < to; j++ {
				c[j] |= Trace
			}
		}
	}
}

// mayBegin reports whether a line without a failure word may begin a block.
func mayBegin(line string) bool {
	t := trimIndent(line)
	if t == "" {
		return false
	}
	begins := false
	switch t[0] {
	case 'a', 'f', '.': // frames: "at ", "from ", "... 3 more"
		begins = strings.HasPrefix(t, "at ") || strings.HasPrefix(t, "from ") || strings.HasPrefix(t, "... ")
	case '#':
		begins = hashFrame(t)
	case '(':
		begins = frame(line)
	case '/':
		begins = goFrame(line)
	case 'F':
		begins = pythonFrame(t)
	case '>':
		begins = strings.HasPrefix(t, "> [")
	case 'g':
		begins = strings.HasPrefix(t, "goroutine ")
	case 's':
		begins = strings.HasPrefix(t, "stack backtrace:")
	case '_', '-', 'E':
		begins = strings.HasPrefix(t, "__") || strings.HasPrefix(t, "---- ") || strings.HasPrefix(t, "E  ")
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		begins = strings.Contains(t[:min(len(t), 6)], ") ")
	case 0xe2: // ● ❯ ⎯
		begins = strings.HasPrefix(t, "●") || strings.HasPrefix(t, "❯") || strings.HasPrefix(t, "⎯")
	}
	return begins || rubyFrame(line)
}

// indent counts the leading blanks of a line; a tab counts as four.
func indent(line string) int {
	n := 0
	for i := range len(line) {
		switch line[i] {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
}

// trimIndent takes the leading blanks off.
func trimIndent(line string) string {
	i := 0
	for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
		i++
	}
	return line[i:]
}

func blank(line string) bool { return strings.TrimSpace(line) == "" }
