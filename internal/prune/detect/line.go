package detect

import (
	"path"
	"strings"
)

// sign is what a line shows; a line may show several.
type sign uint32

const (
	sHit      sign = 1 << iota // path:12:text
	sNamed                     // path:text
	sNumbered                  // 12:text, 12-text
	sReported                  // path:12:5: error: text
	sStamp                     // begins with a time
	sInner                     // has a time of day near its beginning
	sLevel                     // begins with a level
	sDone                      // the outcome of one test
	sVerdict                   // counts of outcomes, or a duration
	sStrong                    // only a runner writes it
	sSentence                  // reads like prose
	sFrame                     // a stack's frame or head
	sStack                     // and surely one
	sTag                       // markup
	sLs                        // ls -l
	sTree                      // tree
	sPath                      // a path and nothing else
	sRow                       // | a | b |
	sRule                      // |---|---|
	sYAML                      // could be YAML
	sKey                       // key: value
	sTOML                      // could be TOML or INI
	sSection                   // [section]
	sEnv                       // NAME=value
	sLogged                    // begins like a record ([looksLogged])
	sHeading                   // ## heading
	sFence                     // ```
	sBullet                    // # heading, - item
	sWide                      // mostly beyond ASCII
)

// signsOf looks at one trimmed line; every question costs a look at its first
// bytes or one pass over it.
func signsOf(t string) sign {
	var s sign
	set := func(f sign, ok bool) {
		if ok {
			s |= f
		}
	}
	if file, rest, ok := Hit(t); ok && pathLike(file) {
		s |= sHit
		set(sReported, isReported(rest))
	} else if i := strings.IndexByte(t, ':'); i > 2 && pathLike(t[:i]) && path.Ext(t[:i]) != "" {
		s |= sNamed
	}
	set(sReported, strings.Contains(t, "): error") || strings.Contains(t, "): warning"))
	set(sNumbered, len(t) > 1 && digit(t[0]) && afterDigits(t, ":-"))
	set(sStamp, stamped(t))
	set(sInner, innerTime(t))
	set(sLevel, levelled(t))
	set(sDone, outcome(t))
	set(sVerdict, verdict(t))
	set(sStrong, strong(t))
	set(sSentence, isSentence(t))
	frame, sure := isFrame(t)
	set(sFrame, frame)
	set(sStack, sure)
	set(sTag, isTag(t))
	set(sLs, isLs(t))
	set(sTree, isTree(t))
	set(sPath, isPath(t))
	set(sRow, t[0] == '|' && t[len(t)-1] == '|' && len(t) > 4 && strings.Count(t, "|") >= 3)
	set(sRule, isRule(t))
	set(sKey, yamlKey(t))
	set(sYAML, s&sKey != 0 || t[0] == '#' || strings.HasPrefix(t, "- "))
	set(sSection, t[0] == '[' && t[len(t)-1] == ']' && !strings.ContainsAny(t, ",{}()"))
	set(sTOML, s&sSection != 0 || t[0] == '#' || t[0] == ';' || assigned(t, " = "))
	set(sEnv, t[0] == '#' || assigned(strings.TrimPrefix(t, "export "), "="))
	set(sLogged, looksLogged(t))
	set(sHeading, strings.HasPrefix(t, "## ") || strings.HasPrefix(t, "### "))
	set(sFence, strings.HasPrefix(t, "```"))
	set(sBullet, strings.HasPrefix(t, "# ") || strings.HasPrefix(t, "- "))
	set(sWide, wide(t))
	return s
}

// afterDigits reports whether digits begin t and one of ends follows them.
func afterDigits(t, ends string) bool {
	i := digits(t, 0)
	return i > 0 && i < len(t) && strings.IndexByte(ends, t[i]) >= 0
}

// digits returns where the digits that begin at t[i] end.
func digits(t string, i int) int {
	for i < len(t) && digit(t[i]) {
		i++
	}
	return i
}

// shaped reports whether t begins with form, in which 0 stands for a digit and
// A for a letter.
func shaped(t, form string) bool {
	if len(t) < len(form) {
		return false
	}
	for i := range len(form) {
		switch form[i] {
		case '0':
			if !digit(t[i]) {
				return false
			}
		case 'A':
			if !letter(t[i]) {
				return false
			}
		default:
			if t[i] != form[i] {
				return false
			}
		}
	}
	return true
}

// stamped reports whether a line begins with a time: ISO, clock, syslog's,
// seconds since 1970, the kernel's.
func stamped(t string) bool {
	if t[0] == '<' { // syslog's priority
		if i := digits(t, 1); i > 1 && i+1 < len(t) && t[i] == '>' {
			t = t[i+1:]
		}
	} else if len(t) > 4 && t[1] == ',' && t[2] == ' ' { // Ruby's logger
		t = t[3:]
	}
	if t = strings.TrimPrefix(t, "["); t == "" {
		return false
	}
	switch {
	case digit(t[0]):
		if shaped(t, "0000-00-00") || shaped(t, "0000/00/00") || shaped(t, "00:00:00") {
			return true
		}
		i := digits(t, 0)
		return i >= 10 && i <= 13 && i < len(t) && (t[i] == '.' || t[i] == ' ')
	case t[0] >= 'A' && t[0] <= 'Z':
		return shaped(t, "AAA 00 00:00:00") || shaped(t, "AAA  0 00:00:00")
	case t[0] == ' ': // [    0.123456]
		i := len(t) - len(strings.TrimLeft(t, " "))
		j := digits(t, i)
		return j > i && j+4 < len(t) && t[j] == '.' && digit(t[j+1]) && digit(t[j+3])
	}
	return false
}

// innerTime finds hh:mm:ss within the first 100 bytes.
func innerTime(t string) bool {
	t = t[:min(len(t), 100)]
	for i := 0; i+8 <= len(t); {
		j := strings.IndexByte(t[i:], ':')
		if j < 0 {
			return false
		}
		if i += j; i >= 2 && shaped(t[i-2:], "00:00:00") {
			return true
		}
		i++
	}
	return false
}

var levelWords = []string{"INFO", "WARN", "WARNING", "ERROR", "DEBUG", "FATAL", "TRACE", "CRITICAL", "NOTICE", "info", "warn", "error", "debug"}

func levelled(t string) bool {
	if strings.Contains(t, "level=") {
		return true
	}
	u := strings.TrimPrefix(t, "[")
	for _, w := range levelWords {
		if rest, ok := strings.CutPrefix(u, w); ok && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, ": ")) {
			return true
		}
	}
	return false
}

var (
	doneHeads = []string{"ok ", "pass ", "PASS ", "FAIL ", "OK ", "SKIP ", "✓ ", "✔ ", "√ ", "✗ ", "✘ ", "✕ ", "× ", "--- PASS", "--- FAIL", "--- SKIP"}
	doneTails = []string{"PASSED", "FAILED", "SKIPPED", "XFAIL", " ERROR", " ok", " OK", "FAILED!"}
)

// outcome reports whether a line is one test's result.
func outcome(t string) bool {
	for _, h := range doneHeads {
		if strings.HasPrefix(t, h) {
			return true
		}
	}
	if digit(t[0]) && afterDigits(t, ")") || strings.Contains(t, "(FAILED") || strings.Contains(t, "(PENDING") {
		return true
	}
	if strings.HasSuffix(t, "%]") { // pytest
		if i := strings.LastIndexByte(t, '['); i > 0 {
			t = strings.TrimRight(t[:i], " ")
		}
	}
	for _, e := range doneTails {
		if strings.HasSuffix(t, e) {
			return true
		}
	}
	return len(t) >= 8 && strings.Trim(t, ".sFEx") == ""
}

var verdictWords = []string{"passed", "failed", "passing", "failing", "skipped", "test", "error", "warning", "problem"}

// verdict finds "3 passed", "in 0.42s", "(0.03s)".
func verdict(t string) bool {
	for i := 0; i < len(t); i++ {
		switch {
		case t[i] == ' ' && i > 0 && digit(t[i-1]):
			for _, w := range verdictWords {
				if strings.HasPrefix(t[i+1:], w) {
					return true
				}
			}
		case (t[i] == '(' || t[i] == ' ' && i >= 2 && t[i-2:i] == "in") && i+1 < len(t) && digit(t[i+1]):
			j := i + 1
			for j < len(t) && (digit(t[j]) || t[j] == '.') {
				j++
			}
			if rest := strings.TrimPrefix(strings.TrimLeft(t[j:], " "), "m"); strings.HasPrefix(rest, "s") && (len(rest) == 1 || !letter(rest[1])) {
				return true
			}
		}
	}
	return false
}

var strongHeads = []string{
	"test result: ", "Test Suites: ", "[INFO] BUILD ", "BUILD SUCCESSFUL", "BUILD FAILED", "npm ERR! ", "##[group]",
	"Running with gitlab-runner", "[Pipeline] ", "Started by user", "Started by timer", "Started by an SCM", "goos: ", "FAIL\t", "ok  \t",
	"error: could not compile", "make: *** ",
}

// strong reports whether a line is one that only a runner writes.
func strong(t string) bool {
	for _, h := range strongHeads {
		if strings.HasPrefix(t, h) {
			return true
		}
	}
	switch {
	case t[0] == '=':
		return strings.Contains(t, " test session starts ") || strings.HasSuffix(t, "s ====") || strings.HasSuffix(t, "=") && strings.Contains(t, " in ") && verdict(t)
	case digit(t[0]):
		rest := t[digits(t, 0):]
		return strings.HasPrefix(rest, " passing (") || strings.HasPrefix(rest, " examples, ") || strings.HasPrefix(rest, " example, ")
	case strings.HasPrefix(t, "Tests: ") || strings.HasPrefix(t, "Test Files "):
		return strings.ContainsAny(t, "0123456789")
	case strings.HasPrefix(t, "Ran "):
		return strings.Contains(t, " tests in ") || strings.Contains(t, " test in ")
	}
	return false
}

// isFrame reports whether a line belongs to a stack trace, and whether surely.
func isFrame(t string) (frame, sure bool) {
	switch t[0] {
	case 'a':
		sure = strings.HasPrefix(t, "at ") && strings.ContainsAny(t, "(:")
	case 'F':
		sure = strings.HasPrefix(t, `File "`)
	case 'g':
		sure = strings.HasPrefix(t, "goroutine ") && strings.Contains(t, " [")
	case 'T':
		sure = strings.HasPrefix(t, "Traceback (")
	case 'C':
		sure = strings.HasPrefix(t, "Caused by:")
	case 'f':
		sure = strings.HasPrefix(t, "from ") && strings.Contains(t, ":in ")
	case '/':
		sure = strings.Contains(t, ".go:") && strings.Contains(t, " +0x")
	case '#':
		frame = len(t) > 1 && digit(t[1]) && (strings.Contains(t, " 0x") || strings.Contains(t, " at "))
	case '.':
		frame = strings.HasPrefix(t, "... ") && strings.HasSuffix(t, " more")
	}
	if !sure && !frame && t[len(t)-1] == ')' {
		i := strings.IndexByte(t, '(')
		frame = i > 0 && strings.IndexByte(t[:i], ' ') < 0
	}
	return frame || sure, sure
}

func isTag(t string) bool {
	if t[0] == '<' && len(t) > 2 && (letter(t[1]) || t[1] == '/' || t[1] == '!' || t[1] == '?') {
		return strings.IndexByte(t, '>') > 0
	}
	return t[len(t)-1] == '>' && strings.Contains(t, "</")
}

func isLs(t string) bool {
	if len(t) < 12 || strings.IndexByte("-dlcbsp", t[0]) < 0 {
		return false
	}
	for i := 1; i < 10; i++ {
		if strings.IndexByte("-rwxsStT", t[i]) < 0 {
			return false
		}
	}
	return strings.IndexByte(" .+@", t[10]) >= 0
}

func isTree(t string) bool {
	for _, s := range []string{"├── ", "└── ", "├─ ", "└─ ", "|-- ", "`-- "} {
		if i := strings.Index(t, s); i >= 0 && strings.Trim(t[:i], "│ |\u00a0") == "" {
			return true
		}
	}
	return false
}

func isPath(t string) bool {
	return pathLike(t) && (strings.ContainsAny(t, "/\\") || path.Ext(t) != "") && !strings.ContainsAny(t, "()={},;\"'<>") &&
		!strings.Contains(t, " -") && strings.Count(t, " ") < 4
}

// pathLike reports whether s could name a file: a dot or a slash, a letter,
// blanks only in folders' names, and nothing that no path has.
func pathLike(s string) bool {
	if len(s) < 2 || len(s) >= 300 || s[0] == ' ' || s[len(s)-1] == ' ' {
		return false
	}
	dots, letters, slash, blank := false, false, false, false
	for i := range len(s) {
		switch c := s[i]; {
		case letter(c):
			letters = true
		case c == '/' || c == '\\':
			dots, slash = true, true
		case c == '.':
			dots = true
		case c == ' ':
			if blank = true; !slash {
				return false
			}
		case digit(c) || strings.IndexByte("_@~+#()[]{}=,$-", c) >= 0 || c == ':' && i == 1:
		default:
			return false
		}
	}
	return dots && letters && (!blank || slash)
}

// isReported reports whether what follows path:12: is a compiler's: a column
// and a severity, or a linter's code.
func isReported(rest string) bool {
	if i := digits(rest, 0); i > 0 && i < len(rest) && rest[i] == ':' {
		rest = rest[i+1:]
	}
	rest = strings.TrimPrefix(strings.TrimLeft(rest, " "), "fatal ")
	for _, w := range []string{"error", "warning", "note", "info"} {
		if after, ok := strings.CutPrefix(rest, w); ok && (after == "" || !letter(after[0])) {
			return true
		}
	}
	return len(rest) > 3 && strings.IndexByte("CWEFR", rest[0]) >= 0 && digit(rest[1]) && digit(rest[2]) && digit(rest[3])
}

// isRule reports whether a line is the rule below a Markdown table's head.
func isRule(t string) bool {
	return len(t) >= 5 && strings.Contains(t, "|") && strings.Contains(t, "--") && strings.Trim(t, "|-: ") == ""
}

func yamlKey(t string) bool {
	t = strings.TrimPrefix(t, "- ")
	i := strings.IndexByte(t, ':')
	return i > 0 && (i+1 == len(t) || t[i+1] == ' ') && strings.IndexByte(t[:i], ' ') < 0
}

// assigned reports whether t is a plain name, eq, and something.
func assigned(t, eq string) bool {
	i := strings.Index(t, eq)
	if i <= 0 {
		return false
	}
	for _, c := range []byte(strings.Trim(t[:i], `"'`)) {
		if !letter(c) && !digit(c) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// isSentence reports whether a line reads like one of prose: several words,
// most of letters, no code's ending.
func isSentence(t string) bool {
	words, letters := 0, 0
	for i := 0; i < len(t); {
		if t[i] == ' ' {
			i++
			continue
		}
		start := i
		for i < len(t) && t[i] != ' ' {
			i++
		}
		words++
		end := i - 1
		if end > start && (t[end] == '.' || t[end] == ',') {
			end--
		}
		if letter(t[start]) && letter(t[end]) || t[start] >= 0xC0 {
			letters++
		}
	}
	return words >= 6 && letters*10 >= words*7 && strings.IndexByte("{};(", t[len(t)-1]) < 0
}

// wide reports whether a line is mostly of a script beyond ASCII: words there
// are not always apart.
func wide(t string) bool {
	n := 0
	for i := range len(t) {
		if t[i] >= 0x80 {
			n++
		}
	}
	return n*2 > len(t)
}
