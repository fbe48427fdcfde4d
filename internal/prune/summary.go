package prune

import (
	"regexp"
	"strings"
)

var (
	countRE = regexp.MustCompile(`(?i)\b\d+\s+(?:\w+\s+){0,2}?(?:passed|failed|errors?|warnings?|skipped|ignored|tests?|changed|insertions?|deletions?|failures?|passing|failing|pending|problems?|vulnerabilities|examples?|assertions?|updated|deleted|created|total|specs?|suites?)\b|\b(?:passed|failed|errors?|warnings?|failures?|tests(?: run)?|total)\s*[:=]\s*\d`)
	doneRE  = regexp.MustCompile(`(?i)^\W{0,4}(?:ok\b|pass(?:ed)?\b|fail(?:ed|ure)?\b|build (?:success|fail)|finished\b|done\b|success|completed?\b|compiled\b|nothing to (?:commit|do)|already up[ -]to[ -]date|all (?:checks|tests|files|good)|no (?:issues|problems|changes|matches)|process exited|exit(?:ed)?\b|error\b|result\b)`)
)

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
		l := lines[i]
		if l = strings.TrimSpace(l); l == "" || len(l) > 400 {
			continue
		}
		if counts < summaryLines && countRE.MatchString(l) {
			c[i] |= Summary
			counts++
		} else if verdicts < 1 && doneRE.MatchString(l) {
			c[i] |= Summary
			verdicts++
		}
	}
}
