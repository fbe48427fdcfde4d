package prune

import "strings"

// goTests marks what failed tests of Go said. Below "--- FAIL: TestX" stand
// deeper lines; with -v a test's lines follow each "=== RUN", "=== CONT" or
// "=== NAME" of it instead, which for parallel tests is far above the verdict
// and between those of other tests.
func goTests(c []Cause, lines []string) {
	failed := map[string]bool{}
	for i := 0; i < len(lines); i++ {
		name, ok := verdictOf(lines[i], "--- FAIL: ")
		if !ok {
			continue
		}
		failed[name] = true
		in, end := indent(lines[i]), i+1
		for end < len(lines) && (blank(lines[end]) || indent(lines[end]) > in) {
			if name, ok := verdictOf(lines[end], "--- FAIL: "); ok {
				failed[name] = true
			}
			end++
		}
		for j := logged(lines, i); j < end; j++ {
			c[j] |= Trace
		}
		i = end - 1
	}
	if len(failed) == 0 {
		return
	}
	inside := false
	for i, l := range lines {
		if name, ok := testEvent(l); ok {
			inside = failed[name]
		} else if strings.HasPrefix(l, "===") || strings.Contains(l, "--- ") && anyVerdict(l) {
			inside = false
		}
		if inside {
			c[i] |= Trace
		}
	}
}

// verdictOf returns the test's name behind "--- FAIL: " and its like.
func verdictOf(line, verdict string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, " "), verdict)
	if !ok {
		return "", false
	}
	if i := strings.LastIndex(rest, " ("); i >= 0 {
		rest = rest[:i]
	}
	return strings.TrimSpace(rest), true
}

func anyVerdict(line string) bool {
	t := strings.TrimLeft(line, " ")
	return strings.HasPrefix(t, "--- PASS: ") || strings.HasPrefix(t, "--- FAIL: ") || strings.HasPrefix(t, "--- SKIP: ")
}

// testEvent returns the test that "=== RUN   TestX" and its like name.
func testEvent(line string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(line, "=== ")
	if !ok {
		return "", false
	}
	for _, event := range []string{"RUN ", "CONT ", "NAME "} {
		if name, ok := strings.CutPrefix(rest, event); ok {
			return strings.TrimSpace(name), true
		}
	}
	return "", false
}

// maxTestLog bounds the lines above a verdict that are taken for the test's
// where no "=== RUN" says whose they are.
const maxTestLog = 60

// logged returns the first of the indented lines right above the verdict at line i.
func logged(lines []string, i int) int {
	above := i
	for above > max(0, i-maxTestLog) && strings.HasPrefix(lines[above-1], "    ") && !anyVerdict(lines[above-1]) {
		above--
	}
	return above
}

// tapBlock finds "not ok 3 - name" with the deeper lines below it.
func tapBlock(lines []string, _ []hint, i int) (int, int) {
	if !strings.HasPrefix(strings.TrimLeft(lines[i], " "), "not ok ") {
		return i, i
	}
	in, j := indent(lines[i]), i+1
	for j < len(lines) && !blank(lines[j]) && (indent(lines[j]) > in || strings.HasPrefix(lines[j], "#")) {
		j++
	}
	return i, j
}
