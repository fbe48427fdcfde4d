package prune

import "strings"

// The last few such lines among the last many are the final summary; "4
// tests" beside each of a hundred files is not.
const (
	summaryLines  = 4
	summaryWindow = 120
)

// summary marks the final counts and the last verdict.
func summary(c []Cause, lines []string, v *view) {
	counts, verdicts := 0, 0
	for i := v.to - 1; i >= max(v.from, v.to-summaryWindow) && (counts < summaryLines || verdicts < 1); i-- {
		if counts < summaryLines && isCount(lines[i]) {
			c[i] |= Summary
			counts++
		} else if verdicts < 1 && isVerdict(lines[i]) {
			c[i] |= Summary
			verdicts++
		}
	}
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
	if len(line) > maxSummary {
		return false
	}
	sinceNumber, wantNumber := 99, false
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
		case number:
			if wantNumber {
				return true
			}
			sinceNumber = 0
		case isCounted(w):
			if sinceNumber < 3 {
				return true
			}
			wantNumber = i < len(line) && (line[i] == ':' || line[i] == '=' || line[i] == ' ' && strings.Contains(line[i:], ":"))
			sinceNumber++
		default:
			wantNumber = false
			sinceNumber++
		}
	}
	return false
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

func isCounted(w string) bool {
	var buf [maxWord]byte
	return counted[string(lowerInto(&buf, w))]
}

// verdicts are how the line that says how it went begins.
var verdicts = []string{
	"ok", "pass", "passed", "fail", "failed", "failure", "build success", "build successful", "build failed", "finished",
	"done", "success", "successfully", "succeeded", "complete", "completed", "compiled", "nothing to", "already up",
	"up to date", "all checks", "all tests", "all files", "all good", "no issues", "no problems", "no changes", "no matches",
	"process exited", "exit", "exited", "result", "script completed",
}

// isVerdict reports whether a line says how it went.
func isVerdict(line string) bool {
	if len(line) > maxSummary {
		return false
	}
	i := 0
	for i < len(line) && !wordByte[line[i]] {
		i++
	}
	rest := line[i:]
	for _, w := range verdicts {
		if len(rest) >= len(w) && strings.EqualFold(rest[:len(w)], w) && (len(rest) == len(w) || !wordByte[rest[len(w)]]) {
			return true
		}
	}
	return false
}
