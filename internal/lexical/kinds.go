package lexical

import "strings"

// kind is a set of what a line looks like. All tests read the bytes once or
// look at the beginning: this runs on every line of every result. What single
// words tell is looked up once a distinct word, see [traits].
type kind uint64

const (
	kindBlank    kind = 1 << iota
	kindBrackets      // nothing but punctuation: a lone bracket, a rule
	kindError         // begins or labels an error: "error:", "FAILED", "panic:", "E   "
	kindFrame         // a traceback's frame or head
	kindDiffHead      // diff --git, @@, +++, ---
	kindAdded         // + at the start
	kindRemoved       // - at the start
	kindHit           // path:12: text, or path:text
	kindStatus        // a test's verdict
	kindPassed        // a verdict that is good
	kindFailed        // a verdict that is bad
	kindDefine        // func, class, def, type ...
	kindBind          // const, var, let, and what is assigned with :=
	kindImport        // import, use, #include, require
	kindComment       // a comment, or a heading of prose
	kindHeading       // a heading of prose
	kindItem          // an item of a list
	kindRow           // a row of a table
	kindKey           // key: value, "key": value, key = value
	kindSummary       // counts of passed, failed, errors, changed
	kindNumbers       // no letters
	kindRule          // ====, ----
	kindStamp         // begins with a date or a time
	kindLeave         // return, raise, throw
	kindBranch        // if, for, switch, case
	kindTest          // the head of a test
	kindOpens         // ends by opening a block
	kindProse         // a sentence
	kindTrouble       // speaks of errors, anywhere
	kindWarn          // of warnings
	kindTodo          // of work to do
	kindNotice        // of what is cut off, left out, counted
	kindLink          // holds an address
	kindAssert        // of what is expected
)

const kindDiffBody = kindAdded | kindRemoved

// traits are the kinds that a word, or a part of one, gives to its line; the
// words are folded, see [fold].
var traits = func() map[string]kind {
	m := map[string]kind{}
	for k, words := range map[kind]string{
		kindTrouble: "error fail failed failure failing panic panicked exception fatal traceback",
		kindWarn:    "warn warning deprecated",
		kindTodo:    "todo fixme xxx hack",
		kindNotice:  "truncated omitted elided exit exited total showing nothing remaining skipped",
		kindLink:    "http https",
		kindAssert:  "assert expect require assertion should must expected",
	} {
		for _, w := range strings.Fields(words) {
			m[fold(w)] |= k
		}
	}
	return m
}()

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
	k := charKind(s) | startKind(s) | endKind(s)
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

// charKind goes by what characters a line is made of.
func charKind(s string) kind {
	var k kind
	letter, digit := false, false
	for i := range len(s) {
		if isDigit(s[i]) {
			digit = true
		} else if isWord[s[i]] && s[i] != '_' {
			letter = true
			break
		}
	}
	if !letter {
		k |= kindNumbers
		if !digit {
			k |= kindBrackets
		}
	}
	if len(s) >= 4 && strings.IndexByte("=-*#_~", s[0]) >= 0 && s[1] == s[0] && s[2] == s[0] && s[3] == s[0] {
		k |= kindRule
	}
	return k
}

// endKind looks at a line's last character.
func endKind(s string) kind {
	switch s[len(s)-1] {
	case '{', '(', '[', ':':
		return kindOpens
	case '.', '!', '?':
		if len(s) > 20 && strings.Count(s[:20], " ") > 1 {
			return kindProse
		}
	}
	return 0
}

func diffKind(line string) kind {
	if strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "--- ") && !strings.HasPrefix(line, "--- FAIL") &&
		!strings.HasPrefix(line, "--- PASS") && !strings.HasPrefix(line, "--- SKIP") {
		return kindDiffHead
	}
	if line[0] == '+' {
		return kindAdded
	}
	return kindRemoved
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
