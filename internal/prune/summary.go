package prune

import "strings"

// The last few such lines among the last many are the final summary; "4
// tests" beside each of a hundred files is not.
const (
	summaryLines  = 4
	summaryWindow = 120
	finalCounts   = 6
)

// summary marks the final counts and the last verdict of each kind. Counts
// that say how tests went are looked for in the whole text, the last of each
// shape: what runs after the tests may print more than the window holds.
func summary(c []Cause, lines []string, h []hint, v *view) {
	counts, seen := 0, map[string]bool{}
	for i := v.to - 1; i >= max(v.from, v.to-summaryWindow); i-- {
		if counts < summaryLines && isCount(lines[i]) {
			c[i] |= Summary
			counts++
		} else if w := verdict(lines[i]); w != "" && !seen[w] {
			c[i] |= Summary
			seen[w] = true
		}
	}
	diffStats(c, lines, v)
	final := map[string]bool{}
	for i := v.to - 1; i >= v.from && len(final) < finalCounts; i-- {
		if h[i]&hintCount == 0 {
			continue
		}
		if n, judged := countsIn(lines[i]); n > 0 && (n > 1 || judged) {
			if s := shape(lines[i]); !final[s] {
				c[i] |= Summary
				final[s] = true
			}
		}
	}
}

// maxStats is up to how many git totals each one is a summary; a log with one a
// commit has its last.
const maxStats = 5

// diffStats marks git's totals (" 3 files changed, ..."), which stand above the
// diff or the log that follows them.
func diffStats(c []Cause, lines []string, v *view) {
	var at []int
	for i := v.from; i < v.to; i++ {
		if isDiffStat(lines[i]) {
			at = append(at, i)
		}
	}
	if len(at) > maxStats {
		at = at[len(at)-1:]
	}
	for _, i := range at {
		c[i] |= Summary
	}
}

// isDiffStat reports whether a line is git's total: a number, "file changed" or
// "files changed", and counts or nothing after it.
func isDiffStat(line string) bool {
	line = strings.TrimLeft(line, " ")
	n := 0
	for n < len(line) && digitByte(line[n]) {
		n++
	}
	rest, ok := strings.CutPrefix(line[n:], " file")
	if n == 0 || !ok {
		return false
	}
	rest, ok = strings.CutPrefix(strings.TrimPrefix(rest, "s"), " changed")
	return ok && (rest == "" || rest == "\r" || rest[0] == ',')
}

// maxSummary is the length up to which a line can be a summary.
const maxSummary = 400

// counted are the words whose number a summary gives.
var counted = wordSet(`passed failed error errors warning warnings skipped ignored test tests changed insertion
	insertions deletion deletions failure failures passing failing pending problem problems vulnerabilities example
	examples assertion assertions updated deleted created total spec specs suite suites upgraded installed removed`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// isCount reports whether a line counts results: "3 failed", "2 files
// changed", "Tests run: 4".
func isCount(line string) bool {
	n, _ := countsIn(line)
	return n > 0
}

// countsIn returns how many results a line counts, and whether it says of some
// whether they passed.
func countsIn(line string) (n int, judged bool) {
	if len(line) > maxSummary {
		return 0, false
	}
	judged = strings.HasPrefix(line, "Ran ")
	sinceNumber, wantNumber, wanted := 99, false, false
	for i := 0; i < len(line); {
		if !wordByte[line[i]] {
			if line[i] != ' ' { // "12:3: error" is a place, not a count
				sinceNumber = 99
			}
			if line[i] != ' ' && line[i] != ':' && line[i] != '=' {
				wantNumber = false
			}
			i++
			continue
		}
		start, number := i, true
		for i < len(line) && wordByte[line[i]] {
			number = number && line[i] >= '0' && line[i] <= '9'
			i++
		}
		w := line[start:i]
		switch {
		case inPath(line, i): // "100644 tests/a.py" counts nothing
			wantNumber = false
			sinceNumber++
		case number && start > 1 && line[start-1] == ':' && digitByte(line[start-2]): // "12:3", "10:02"
			sinceNumber, wantNumber = 99, false
		case number:
			if wantNumber {
				n, judged = n+1, judged || wanted
			}
			sinceNumber, wantNumber = 0, false
		case isCounted(w):
			if sinceNumber < 3 {
				n, judged = n+1, judged || isJudged(w)
				sinceNumber = 99
			}
			wanted = isJudged(w)
			wantNumber = i < len(line) && (line[i] == ':' || line[i] == '=' || line[i] == ' ' && strings.Contains(line[i:], ":"))
			sinceNumber++
		default:
			wantNumber = false
			sinceNumber++
		}
	}
	return n, judged
}

// inPath reports whether the word that ends at i goes on as a path.
func inPath(line string, i int) bool {
	return i < len(line) && (line[i] == '/' || line[i] == '\\' || line[i] == '.' && i+1 < len(line) && wordByte[line[i+1]] && !digitByte(line[i+1]))
}

// maxWord is longer than every word that is looked up.
const maxWord = 16

// lowerInto writes w in lower case into buf; nothing for a word too long to be one of ours.
func lowerInto(buf *[maxWord]byte, w string) []byte {
	if len(w) > maxWord {
		return nil
	}
	for i := range len(w) {
		buf[i] = lowered[w[i]]
	}
	return buf[:len(w)]
}

// judgedWords are those of them that say how a test went.
var judgedWords = wordSet("passed failed passing failing failures errors")

func isJudged(w string) bool {
	var buf [maxWord]byte
	return judgedWords[string(lowerInto(&buf, w))]
}

func isCounted(w string) bool {
	var buf [maxWord]byte
	return counted[string(lowerInto(&buf, w))]
}

// verdicts are how the line that says how it went begins.
var verdicts = []string{
	"ok", "pass", "passed", "fail", "failed", "failure", "build success", "build successful", "build failed", "finished",
	"done", "success", "successfully", "succeeded", "complete", "completed", "compiled", "nothing to", "already up",
	"up to date", "all checks", "all tests", "all files", "all good", "no issues", "no problems", "no changes", "no matches",
	"process exited", "exit", "exited", "result", "script completed", "added", "audited", "removed",
}

// labels stand before a verdict and say nothing of it.
var labels = []string{"info", "notice", "esm", "cjs", "dts", "iife"}

// isVerdict reports whether a line says how it went.
func isVerdict(line string) bool { return verdict(line) != "" }

// verdict returns the words by which a line says how it went, "" if it does not.
func verdict(line string) string {
	if len(line) > maxSummary {
		return ""
	}
	rest := fromWord(line)
	for _, l := range labels {
		if startsWith(rest, l) {
			rest = fromWord(rest[len(l):])
			break
		}
	}
	for _, w := range verdicts {
		if startsWith(rest, w) {
			return w
		}
	}
	return ""
}

// fromWord cuts off what stands before the first word.
func fromWord(s string) string {
	for s != "" && !wordByte[s[0]] {
		s = s[1:]
	}
	return s
}

// startsWith reports whether s begins with the whole words w, in any case.
func startsWith(s, w string) bool {
	return len(s) >= len(w) && strings.EqualFold(s[:len(w)], w) && (len(s) == len(w) || !wordByte[s[len(w)]])
}
