package detect

import "strings"

// Hint is what is known of a text besides itself; any of it may be empty.
type Hint struct {
	// Tool and Command say which call printed it; File names what was read.
	Tool, Command, File string
}

// Guess is what a text most likely is.
type Guess struct {
	Kind Kind
	// Language is of code ("go"), the tool that wrote a log ("pytest"), a dialect
	// ("csv", "markdown", "yaml"), "" where unknown.
	Language string
	// Confidence is between 0 and 1; from [Sure] on it overrides other signs.
	Confidence float64
	// Second reports that the rules knew nothing and the second opinion spoke.
	Second bool
}

// Sure is the confidence from which a guess needs no other opinion, doubtful
// the one below which it gets one.
const (
	Sure     = 0.8
	doubtful = 0.5
)

// Of guesses what s is. It reads the whole text only to tell bytes from text
// and to check JSON; all else it decides by a spread sample of its lines. A
// Read's margin must be off already ([text.Margin]).
func Of(s string, h Hint) Guess {
	if g := bytesOf(s); g.Kind != Unknown {
		return g
	}
	s = strings.TrimPrefix(s, "\ufeff")
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return Guess{Kind: Prose, Confidence: 1}
	}
	if bracketed(trimmed) && validJSON(trimmed) {
		return Guess{Kind: JSON, Confidence: 1}
	}
	l := sample(s, h)
	if len(l.lines) == 0 {
		return Guess{Kind: Prose}
	}
	h.File = l.file(h)
	var best Guess
	for _, rule := range rules {
		if g := rule(l, h); g.Confidence > best.Confidence {
			best = g
		}
	}
	if best.Confidence >= doubtful {
		return best
	}
	return second(l, best)
}

// rules in the order in which the first of equals wins.
var rules = []func(*look, Hint) Guess{
	jsonLines, diffs, source, searchHits, traces, markup, tables, listings, configs, logs, prose,
}

func bracketed(s string) bool {
	if len(s) < 2 {
		return false
	}
	a, b := s[0], s[len(s)-1]
	return a == '{' && b == '}' || a == '[' && b == ']'
}

// jsonLines wants nine in ten sampled lines to be values.
func jsonLines(l *look, _ Hint) Guess {
	if l.json < 2 || l.json*10 < len(l.lines)*9 {
		return Guess{}
	}
	return Guess{Kind: JSONL, Confidence: 0.95}
}
