package prune

// The floor's words are found in one pass over a line: every pair of letters
// is looked up, and only a pair that begins a word of ours is compared further.

// hint is a set of things that the words of a line speak of.
type hint uint8

const (
	hintFailure hint = 1 << iota
	hintTrace        // "traceback", "goroutine": a whole block may follow
	hintNotice       // something was cut by somebody else
	hintWarn
)

// word is a lower-case phrase; whole ones must not be part of a longer word.
type word struct {
	text  string
	hint  hint
	whole bool
}

var floorWords = []word{
	// The floor as promised, wherever they stand in a word.
	{"error", hintFailure, false}, {"failed", hintFailure, false}, {"traceback", hintFailure | hintTrace, false},
	{"panic", hintFailure, false}, {"exception", hintFailure, false}, {"exit code", hintFailure, false},
	{"exit status", hintFailure, false}, {"fatal", hintFailure, false},
	// What else programs say when they fail; each has cost somebody a failure.
	{"failure", hintFailure, false}, {"fail", hintFailure, true}, {"fails", hintFailure, true}, {"failing", hintFailure, true},
	{"exited with", hintFailure, false}, {"segmentation fault", hintFailure, false}, {"core dumped", hintFailure, false},
	{"killed", hintFailure, false}, {"aborted", hintFailure, true}, {"timed out", hintFailure, true},
	{"not found", hintFailure, true}, {"no such file", hintFailure, false}, {"cannot access", hintFailure, false},
	{"cannot find", hintFailure, false}, {"could not", hintFailure, true}, {"unable to", hintFailure, true},
	{"permission denied", hintFailure, false}, {"access denied", hintFailure, false}, {"connection refused", hintFailure, false},
	{"unexpected", hintFailure, true}, {"unhandled", hintFailure, true}, {"uncaught", hintFailure, true},
	{"undefined reference", hintFailure, false}, {"unresolved", hintFailure, true}, {"out of memory", hintFailure, false},
	{"not ok", hintFailure, true}, {"conflict", hintFailure, true}, {"rejected", hintFailure, true},
	{"crashloopbackoff", hintFailure, false}, {"imagepullbackoff", hintFailure, false}, {"evicted", hintFailure, true},
	{"data race", hintFailure, true}, {"deadlock", hintFailure, false}, {"stack overflow", hintFailure, false},
	{"no space left", hintFailure, false}, {"not permitted", hintFailure, false}, {"not supported", hintFailure, true},
	{"compilation terminated", hintFailure, false}, {"does not match", hintFailure, false}, {"caused by", hintFailure, true},
	{"goroutine", hintTrace, true}, {"backtrace", hintTrace, true}, {"stack trace", hintTrace, true},
	// Notices that somebody else has cut.
	{"truncated", hintNotice, false}, {"omitted", hintNotice, true}, {"more lines", hintNotice, true},
	{"too large", hintNotice, true}, {"saved to", hintNotice, true}, {"pagination", hintNotice, true},
	{"exceeds maximum", hintNotice, false}, {"not listed", hintNotice, true}, {"results limited", hintNotice, false},
	{"more results", hintNotice, true}, {"more matches", hintNotice, true}, {"more files", hintNotice, true},
	{"next page", hintNotice, true}, {"showing", hintNotice, true}, {"end of file", hintNotice, true},
	{"nextcursor", hintNotice, false}, {"next_cursor", hintNotice, false}, {"has_more", hintNotice, false},
	// Levels.
	{"warn", hintWarn, true}, {"warning", hintWarn, true},
}

// letters maps a byte to 1-26, other bytes to 0; wordByte marks what continues a word.
var (
	letters  [256]uint8
	lowered  [256]byte
	wordByte [256]bool
	pairs    [27 * 27]uint8
	groups   [][]word
)

func init() {
	for i := range 256 {
		c := byte(i)
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lowered[i] = c
		if c >= 'a' && c <= 'z' {
			letters[i] = c - 'a' + 1
		}
		wordByte[i] = letters[i] != 0 || c >= '0' && c <= '9' || c == '_'
	}
	groups = make([][]word, 1)
	for _, w := range floorWords {
		p := int(letters[w.text[0]])*27 + int(letters[w.text[1]])
		if pairs[p] == 0 {
			pairs[p] = uint8(len(groups))
			groups = append(groups, nil)
		}
		groups[pairs[p]] = append(groups[pairs[p]], w)
	}
}

// hints returns what the words of s speak of. s has no escape sequences.
func hints(s string) hint {
	var h hint
	for i := 0; i+1 < len(s); i++ {
		a := letters[s[i]]
		if a == 0 {
			if s[i] == 0xe2 && cross(s[i:]) {
				h |= hintFailure
			}
			continue
		}
		g := pairs[int(a)*27+int(letters[s[i+1]])]
		if g == 0 {
			continue
		}
		for _, w := range groups[g] {
			if h&w.hint != w.hint && has(s, i, w) {
				h |= w.hint
			}
		}
	}
	return h
}

// has reports whether w stands at s[i].
func has(s string, i int, w word) bool {
	if len(s)-i < len(w.text) {
		return false
	}
	for j := 2; j < len(w.text); j++ {
		if lowered[s[i+j]] != w.text[j] {
			return false
		}
	}
	if !w.whole {
		return true
	}
	end := i + len(w.text)
	return (i == 0 || !wordByte[s[i-1]]) && (end == len(s) || !wordByte[s[end]])
}

// cross reports whether s begins with one of the signs by which test runners
// mark a failed test: ✖ ✗ ✘ ❌.
func cross(s string) bool {
	if len(s) < 3 {
		return false
	}
	return s[1] == 0x9c && (s[2] == 0x96 || s[2] == 0x97 || s[2] == 0x98) || s[1] == 0x9d && s[2] == 0x8c
}
