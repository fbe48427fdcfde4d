package prune

import (
	"path"
	"strings"
)

// tests counts passed tests and names the first ones.
func (d *digester) tests() string {
	if !d.sample(func(l string) bool { return dots(l) > 0 || testLine(l) }) {
		return ""
	}
	var names []string
	passed, n, dotted := 0, 0, 0
	for _, l := range d.lines {
		if k := dots(l); k > 0 {
			dotted += k
			n++
			continue
		}
		name, ok := passedTest(l)
		if ok {
			passed++
			names = append(names, name)
		}
		if ok || testLine(l) {
			n++
		}
	}
	switch {
	case d.few(n):
		return ""
	case passed > 0:
		return list(count(passed, "passed test: ", "passed tests: "), names, d.size)
	case dotted > 0:
		return count(dotted, "test (a dot)", "tests (dots)")
	}
	return count(n, "line of a test run", "lines of a test run")
}

// dots counts the dots of a progress line, ".....s... [ 12%]"; 0 for another line.
func dots(l string) int {
	n := strings.Count(l, ".")
	if n < 2 || strings.Trim(l, ".sSxX[]% 0123456789") != "" {
		return 0
	}
	return n
}

// testLine reports whether a line belongs to the report of a test that has not
// failed: one that passed, or began.
func testLine(l string) bool {
	t := trimIndent(l)
	for _, s := range []string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "[ RUN "} {
		if strings.HasPrefix(t, s) {
			return true
		}
	}
	_, ok := passedTest(l)
	return ok
}

// passedTest returns the name on a line that reports a passed test.
func passedTest(l string) (name string, ok bool) {
	t := trimIndent(l)
	for _, s := range []string{"✓", "✔", "√", "--- PASS: ", "PASS ", "PASSED ", "ok ", "ok\t", "[       OK ]", "[ OK ]", "[PASS]"} {
		if name, ok = strings.CutPrefix(t, s); ok {
			return testName(name), true
		}
	}
	for _, s := range []string{" ... ok", " PASSED"} {
		i := strings.LastIndex(t, s)
		if i <= 0 {
			continue
		}
		if rest := strings.TrimLeft(t[i+len(s):], " "); rest == "" || rest[0] == '[' || rest[0] == '(' {
			return testName(strings.TrimPrefix(t[:i], "test ")), true
		}
	}
	return "", false
}

// testName takes numbers before and times after off a test's name.
func testName(s string) string {
	s = strings.TrimLeft(s, " \t-0123456789")
	if i := strings.LastIndex(s, " ("); i > 0 {
		s = s[:i]
	}
	if i := strings.IndexByte(s, '\t'); i > 0 {
		s = s[:i]
	}
	if s = strings.TrimSpace(s); !strings.Contains(s, " ") {
		s = path.Base(s)
	}
	return s
}
