package lexical

import "strings"

// kind is a set of what a line looks like. All tests read the bytes once or
// look at the beginning: this runs on every line of every result.
type kind uint32

const (
	kindBlank    kind = 1 << iota
	kindBrackets      // nothing but punctuation: a lone bracket, a rule
	kindError         // begins or labels an error: "error:", "FAILED", "panic:", "E   "
	kindFrame         // a traceback's frame or head
	kindDiffHead      // diff --git, @@, +++, ---
	kindDiffBody      // + or - at the start
	kindHit           // path:12: text, or path:text
	kindStatus        // a test's verdict
	kindPassed        // a verdict that is good
	kindFailed        // a verdict that is bad
	kindDefine        // func, class, def, type ...
	kindImport        // import, use, #include, require
	kindComment       // a comment, or a heading of prose
	kindSummary       // counts of passed, failed, errors, changed
)

// kindOf looks at a line free of escape sequences.
func kindOf(line string) kind {
	s := strings.TrimSpace(line)
	if s == "" {
		return kindBlank
	}
	var k kind
	if !hasWord(s) {
		k |= kindBrackets
	}
	k |= startKind(s)
	if line[0] == '+' || line[0] == '-' {
		k |= diffKind(line)
	}
	if isHit(s) {
		k |= kindHit
	}
	if isFrame(s) {
		k |= kindFrame
	}
	if isErrorLine(line, s) {
		k |= kindError
	}
	return k | statusKind(s) | summaryKind(s)
}

func hasWord(s string) bool {
	for i := range len(s) {
		if isWord[s[i]] && s[i] != '_' {
			return true
		}
	}
	return false
}

var defineWords = map[string]bool{
	"func": true, "def": true, "class": true, "type": true, "struct": true, "interface": true, "enum": true,
	"fn": true, "impl": true, "trait": true, "function": true, "const": true, "module": true, "mod": true,
	"macro_rules": true, "namespace": true, "record": true, "describe": true, "it": true, "test": true,
}

var modifierWords = map[string]bool{
	"pub": true, "public": true, "private": true, "protected": true, "static": true, "export": true, "default": true,
	"async": true, "abstract": true, "final": true, "override": true, "internal": true, "crate": true, "declare": true,
}

var importWords = map[string]bool{
	"import": true, "use": true, "from": true, "using": true, "require": true, "include": true, "package": true,
}

// startKind looks at the first words of a trimmed line.
func startKind(s string) kind {
	switch {
	case strings.HasPrefix(s, "diff --git "), strings.HasPrefix(s, "@@ "), strings.HasPrefix(s, "index "):
		return kindDiffHead
	case strings.HasPrefix(s, "//"), strings.HasPrefix(s, "/*"), strings.HasPrefix(s, "* "), strings.HasPrefix(s, "<!--"):
		return kindComment
	case s[0] == '#':
		if strings.HasPrefix(s, "#include") {
			return kindImport
		}
		return kindComment
	}
	for i := 0; ; {
		start, end := nextWord(s, i)
		// A word followed by a bracket or an "=" is a call or a value.
		if start == end || start > i+1 {
			return 0
		}
		w := s[start:end]
		switch {
		case modifierWords[w]:
			i = end
			if i < len(s) && s[i] == '(' { // pub(crate)
				i++
			}
			continue
		case defineWords[w]:
			return kindDefine
		case importWords[w]:
			return kindImport
		}
		return 0
	}
}

func diffKind(line string) kind {
	if strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "--- FAIL") &&
		!strings.HasPrefix(line, "--- PASS") && !strings.HasPrefix(line, "--- SKIP") {
		return kindDiffHead
	}
	return kindDiffBody
}

// isHit reports whether a line begins with a path and a colon, as grep's do.
func isHit(s string) bool {
	dot := false
	for i := 0; i < len(s) && i < 200; i++ {
		switch c := s[i]; {
		case c == ':' || c == '-' && i+1 < len(s) && isDigit(s[i+1]):
			return dot && i > 2
		case c == '.' || c == '/':
			dot = true
		case !isWord[c] && c != '-' && c != '@':
			return false
		}
	}
	return false
}

func isFrame(s string) bool {
	switch {
	case strings.HasPrefix(s, "at ") && (strings.ContainsAny(s, "(:")),
		strings.HasPrefix(s, `File "`),
		strings.HasPrefix(s, "Traceback "),
		strings.HasPrefix(s, "goroutine ") && strings.HasSuffix(s, ":"),
		strings.HasPrefix(s, "stack backtrace:"),
		strings.HasPrefix(s, "thread '"),
		strings.HasPrefix(s, "Caused by:"),
		strings.HasPrefix(s, "--> "):
		return true
	}
	return false
}

var errorHeads = []string{
	"error", "Error", "ERROR", "FAIL", "fatal", "Fatal", "FATAL", "panic", "npm ERR!", "✗", "✖", "×", "❌",
	"Exception", "AssertionError", "Exit code ", "exit status ", "Segmentation fault", "Command failed",
}

var errorMarks = []string{": error", " error:", "Error: ", "Error(", " ERROR ", "[ERROR]", "##[error]", " FAILED", "panicked at"}

func isErrorLine(line, s string) bool {
	for _, h := range errorHeads {
		if strings.HasPrefix(s, h) && !isQuietStart(s[len(h):]) {
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

// isQuietStart reports whether what follows "error" makes it a name in code
// (errors.New, errorCount =) or a lower-case word of prose.
func isQuietStart(rest string) bool {
	if rest == "" {
		return false
	}
	return isLower(rest[0]) || rest[0] == '.' || rest[0] == '_' || rest[0] == '('
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

var passHeads = []string{"ok ", "ok\t", "PASS", "--- PASS", "✓", "✔", "√", "√ "}
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
		if !isDigit(s[i]) || i > 0 && isWord[s[i-1]] {
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
