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
	hintShell // a failure where the line is a program's output
	hintCount // results may be counted
)

// word is a lower-case phrase.
type word struct {
	text  string
	third byte // of text, 0 where it has two
	hint  hint
	form  form
	check func(s string, at, end int) bool // what else must hold where it stands
}

func newWord(text string, h hint, f form, check func(s string, at, end int) bool) word {
	w := word{text: text, hint: h, form: f, check: check}
	if len(text) > 2 {
		w.third = text[2]
	}
	return w
}

type form uint8

const (
	whole   form = 1 << iota // no part of a longer word
	capital                  // written in capitals
)

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
			if s[i] == 0xe2 {
				h |= sign(s[i:])
			}
			continue
		}
		g := pairs[int(a)*27+int(letters[s[i+1]])]
		if g == 0 {
			continue
		}
		for k := range groups[g] {
			w := &groups[g][k]
			if w.third != 0 && (i+2 == len(s) || lowered[s[i+2]] != w.third) { // most pairs end here
				continue
			}
			if h&w.hint != w.hint && has(s, i, w) {
				h |= w.hint
			}
		}
	}
	return h
}

// has reports whether w stands at s[i].
func has(s string, i int, w *word) bool {
	end := i + len(w.text)
	if len(s) < end || w.form&whole != 0 && (i > 0 && wordByte[s[i-1]] || end < len(s) && wordByte[s[end]] && wordByte[s[end-1]]) {
		return false
	}
	for j := 2; j < len(w.text); j++ {
		if lowered[s[i+j]] != w.text[j] {
			return false
		}
	}
	for j := i; w.form&capital != 0 && j < end; j++ {
		if s[j] >= 'a' && s[j] <= 'z' {
			return false
		}
	}
	return w.check == nil || w.check(s, i, end)
}

// sign knows the signs by which test runners mark a failed test (✕ ✖ ✗ ✘ ❌)
// and open a report (● ⎯).
func sign(s string) hint {
	if len(s) < 3 {
		return 0
	}
	switch s[:3] {
	case "✕", "✖", "✗", "✘", "❌":
		return hintFailure
	case "●", "⎯":
		return hintTrace
	}
	return 0
}

// frameAt reports whether an "at" may begin a stack's frame.
func frameAt(s string, at, end int) bool {
	return end < len(s) && s[end] == ' ' && at > 1 && (s[at-1] == '\t' || s[at-1] == ' ' && s[at-2] == ' ')
}
