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

// kindOf looks at a line free of escape sequences. A line that redraws itself
// is of every kind that one of its states was: the last one may hide an error.
func kindOf(line string) kind {
	if strings.IndexByte(line, '\r') < 0 {
		return kindOfState(line)
	}
	k, blank := kind(0), kindBlank
	for state := range strings.SplitSeq(line, "\r") {
		of := kindOfState(state)
		k |= of &^ kindBlank
		blank &= of
	}
	return k | blank
}

func kindOfState(line string) kind {
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
		// More than a blank, or ") ", before the next word: a call or a value.
		if start == end || start > i+2 {
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
