package logs

import "strings"

// minPassed is how many passed tests are worth a fold.
const minPassed = 4

// passed marks the lines of tests that passed, unless the task asks to see them
// listed.
func (p *pass) passed() {
	listed := p.listed()
	n := 0
	for _, l := range p.body {
		if _, ok := passName(l); ok {
			n++
		}
	}
	if n < minPassed {
		return
	}
	few := p.topPassed() <= fewPassed
	for i, l := range p.body {
		_, ok := passName(l)
		switch {
		case ok && (listed || few && topLevel(l)):
			p.set(i, stays, i)
		case ok, !listed && runner(l):
			p.set(i, success, i)
		}
	}
	if listed {
		return
	}
	p.goLogs()
}

// fewPassed is up to how many passed tests each one stays: whoever ran a handful
// ran them to see these names. Subtests and the noise around them go.
const fewPassed = 12

func (p *pass) topPassed() int {
	n := 0
	for _, l := range p.body {
		if topLevel(l) {
			if _, ok := passName(l); ok {
				n++
			}
		}
	}
	return n
}

// topLevel reports whether a line is no subtest's.
func topLevel(l string) bool { return !strings.HasPrefix(l, "    ") }

// listed reports whether a flag made the tests be named and the task speaks of that.
func (p *pass) listed() bool {
	q := strings.ToLower(p.in.Query)
	return (strings.Contains(q, "verbose") || strings.Contains(q, "list of tests") || strings.Contains(q, "list the tests")) && verboseFlag(p.in.Command)
}

func verboseFlag(command string) bool {
	for _, w := range strings.Fields(command) {
		if w == "-v" || w == "-vv" || strings.HasPrefix(w, "--verbose") || w == "--list" || w == "--collect-only" {
			return true
		}
	}
	return false
}

// passName returns the name of the test that a line says has passed.
func passName(l string) (string, bool) {
	t := strings.TrimSpace(l)
	if len(t) < 6 || len(t) > 400 {
		return "", false
	}
	switch t[0] {
	case '-':
		if rest, ok := strings.CutPrefix(t, "--- PASS: "); ok {
			return upTo(rest, " ("), true
		}
	case '(':
		if rest, ok := strings.CutPrefix(t, "(pass) "); ok { // bun
			return upTo(rest, " ["), true
		}
	case '[':
		if rest, ok := strings.CutPrefix(t, "[       OK ] "); ok { // googletest
			return upTo(rest, " ("), true
		}
	case 'o':
		if name, ok := tapOK(t); ok {
			return name, true
		}
	case 'P':
		if rest, ok := strings.CutPrefix(t, "PASS "); ok && strings.ContainsAny(rest, "/.") { // jest
			return upTo(strings.TrimSpace(rest), " ("), true
		}
		if rest, ok := strings.CutPrefix(t, "Passed "); ok && strings.HasSuffix(t, "s]") { // .NET
			return upTo(rest, " ["), true
		}
	case 'T':
		if rest, ok := strings.CutPrefix(t, "Test Case '"); ok && strings.Contains(rest, "' passed (") { // Swift
			return upTo(rest, "'"), true
		}
		if strings.HasPrefix(t, "Tests run: ") {
			return maven(t)
		}
	case 0xe2:
		for _, sign := range [...]string{"✓ ", "✔ ", "√ ", "✔︎ "} {
			if rest, ok := strings.CutPrefix(t, sign); ok && !concluding(rest) {
				return upTo(strings.TrimSpace(rest), " ("), true
			}
		}
	}
	if rest, ok := strings.CutPrefix(t, "[INFO] "); ok {
		return maven(rest)
	}
	return passedAtEnd(t)
}

// passedAtEnd knows the runners that name the test first.
func passedAtEnd(t string) (string, bool) {
	end := t
	if i := strings.LastIndex(t, " ["); i > 0 && strings.HasSuffix(t, "%]") {
		end = strings.TrimRight(t[:i], " ")
	}
	switch {
	case strings.HasSuffix(end, " PASSED"):
		name := strings.TrimSpace(strings.TrimSuffix(end, " PASSED"))
		if strings.Contains(name, "::") || strings.Contains(name, " > ") || strings.Contains(name, ".") {
			return name, true
		}
	case strings.HasSuffix(end, " ... ok"), strings.HasSuffix(end, " ... Ok"):
		name := end[:len(end)-len(" ... ok")]
		return strings.TrimPrefix(name, "test "), true
	case end != t && strings.HasSuffix(end, "."): // pytest: "tests/test_a.py ..... [ 12%]"
		name := strings.TrimRight(end, ".")
		if file := strings.TrimRight(name, " "); file != "" && file != name && !strings.Contains(file, " ") {
			return file, true
		}
	case strings.HasSuffix(end, " sec") && strings.Contains(end, "   Passed "): // ctest
		_, rest, _ := strings.Cut(end, ": ")
		return upTo(rest, " "), rest != ""
	case strings.HasSuffix(end, "...Passed"):
		return strings.TrimRight(strings.TrimSuffix(end, "Passed"), "."), true
	}
	if i := strings.Index(t, " ... ok ("); i > 0 && strings.HasSuffix(t, "s)") { // deno
		return t[:i], true
	}
	return "", false
}

// tapOK reads "ok 12 - name".
func tapOK(t string) (string, bool) {
	rest, ok := strings.CutPrefix(t, "ok ")
	if !ok || rest == "" || !digit(rest[0]) || strings.Contains(rest, "# TODO") || strings.Contains(rest, "# SKIP") {
		return "", false
	}
	rest = strings.TrimLeft(rest, "0123456789")
	return strings.TrimLeft(rest, " -"), strings.HasPrefix(rest, " ")
}

// maven reads the line of one class in which nothing failed; the total has no
// class and stays.
func maven(t string) (string, bool) {
	if !strings.HasPrefix(t, "Tests run: ") || !strings.Contains(t, ", Failures: 0, Errors: 0,") {
		return "", false
	}
	for _, in := range [...]string{" -- in ", " - in "} {
		if _, class, ok := strings.Cut(t, in); ok {
			return class, true
		}
	}
	return "", false
}

// concluding reports whether a tick stands before a verdict, not a test.
func concluding(rest string) bool {
	w := strings.ToLower(upTo(strings.TrimSpace(rest), " "))
	return verdictWords[w] || w != "" && digit(w[0])
}

var verdictWords = set("all built done compiled success successfully finished completed complete ready generated created no found linting types type")

func upTo(s, sep string) string {
	before, _, _ := strings.Cut(s, sep)
	return before
}

// runner reports whether a line only says that a test begins, waits or goes on.
func runner(l string) bool {
	t := strings.TrimSpace(l)
	if len(t) < 6 {
		return false
	}
	switch t[0] {
	case '=':
		return strings.HasPrefix(t, "=== RUN ") || strings.HasPrefix(t, "=== PAUSE ") || strings.HasPrefix(t, "=== CONT ") || strings.HasPrefix(t, "=== NAME ")
	case '?':
		return strings.HasSuffix(t, "[no test files]")
	case '[':
		return strings.HasPrefix(t, "[ RUN      ] ") || strings.HasPrefix(t, "[INFO] Running ")
	case 'R':
		return strings.HasPrefix(t, "RUNS ")
	case 'S':
		return strings.HasPrefix(t, "Start ") && strings.Contains(t, ": ") && digit(strings.TrimLeft(t[5:], " ")[0])
	case 'T':
		return strings.HasPrefix(t, "Test Case '") && strings.HasSuffix(t, "' started.")
	case '#':
		return strings.HasPrefix(t, "# Subtest: ")
	}
	return false
}

// goLogs marks what go test prints of a test that passed ("    a_test.go:12: x").
func (p *pass) goLogs() {
	ok := map[string]bool{}
	for _, l := range p.body {
		if rest, found := strings.CutPrefix(strings.TrimLeft(l, " "), "--- PASS: "); found {
			ok[upTo(rest, " (")] = true
		}
	}
	if len(ok) == 0 {
		return
	}
	in := false
	for i, l := range p.body {
		t := strings.TrimLeft(l, " ")
		switch {
		case strings.HasPrefix(t, "=== RUN "), strings.HasPrefix(t, "=== CONT "), strings.HasPrefix(t, "=== NAME "):
			in = ok[strings.TrimSpace(t[len("=== RUN "):])]
		case strings.HasPrefix(t, "=== "), strings.HasPrefix(t, "--- "):
			rest, passed := strings.CutPrefix(t, "--- PASS: ")
			in = passed && ok[upTo(rest, " (")]
		case in && strings.HasPrefix(l, "    ") && goPlace(t):
			p.set(i, success, i)
		}
	}
}

// goPlace reports whether a trimmed line begins with "a_test.go:12: ".
func goPlace(t string) bool {
	i := strings.Index(t[:min(len(t), 80)], ".go:")
	if i <= 0 {
		return false
	}
	j := i + len(".go:")
	for j < len(t) && digit(t[j]) {
		j++
	}
	return j > i+len(".go:") && strings.HasPrefix(t[j:], ": ")
}

// maxPackages is up to how many packages that passed each one stays.
const maxPackages = 12

// packages marks go's lines of packages that passed: those whose result is an
// old one first, since what the task changed ran anew. The last one stays.
func (p *pass) packages() {
	var all, fresh []int
	for i, l := range p.body {
		switch l := unlabelled(l); {
		case strings.HasPrefix(l, "ok  \t"):
			all = append(all, i)
			if !strings.Contains(l, "(cached)") {
				fresh = append(fresh, i)
			}
		case strings.HasPrefix(l, "?   \t") && strings.HasSuffix(l, "[no test files]"):
			p.set(i, success, i)
		}
	}
	if len(all) < minPassed {
		return
	}
	stay := map[int]bool{all[len(all)-1]: true}
	if len(fresh) <= maxPackages {
		for _, i := range fresh {
			stay[i] = true
		}
	}
	for _, i := range all {
		if !stay[i] {
			p.set(i, success, i)
		}
	}
}

// passedDigest counts the tests among lines first to last and names the first
// and the last.
func (p *pass) passedDigest(first, last int) string {
	n, from, to := 0, "", ""
	for i := first; i <= last; i++ {
		if p.rules[i] != success {
			continue
		}
		if name, ok := passName(p.body[i]); ok {
			if n++; n == 1 {
				from = name
			}
			to = name
		}
	}
	switch n {
	case 0:
		return "passed, or without tests"
	case 1:
		return "1 passed: " + short(from)
	}
	return count(n, "passed", "passed") + ": " + short(from) + " to " + short(to)
}

// short is the tail of a name, which tells it from its neighbours.
func short(name string) string {
	const most = 36
	if i := strings.LastIndex(name, "::"); i > 0 {
		name = name[i+2:]
	}
	if len(name) <= most {
		return name
	}
	return "…" + strings.ToValidUTF8(name[len(name)-most:], "")
}
