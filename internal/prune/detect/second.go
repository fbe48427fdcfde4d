package detect

import "strings"

// second is the other opinion on a text that no rule is sure of. It looks at
// no pattern of any tool, only at what the bytes are made of, and says less:
// code, log, table, listing or prose.
//
// (A trained classifier of languages was measured for this place: its tables
// cost every start of the program 30 to 70 ms and 25 MB, more than a hook's
// whole answer.)
func second(l *look, first Guess) Guess {
	f := makeupOf(l)
	best := Guess{Kind: Prose, Confidence: f.words, Second: true}
	for _, g := range []Guess{
		{Kind: Code, Confidence: f.brackets*6 + f.indented*0.3 - f.sentences},
		{Kind: Log, Confidence: f.digits*2.5 + f.alike*0.5 - f.sentences - f.brackets*3},
		{Kind: Listing, Confidence: f.slashes*6 - f.blanks*3},
	} {
		if g.Confidence > best.Confidence {
			best.Kind, best.Confidence = g.Kind, g.Confidence
		}
	}
	best.Confidence = min(max(best.Confidence, 0), doubtful)
	if first.Confidence > best.Confidence {
		return first
	}
	return best
}

// makeup is what a text consists of, as shares of its bytes or lines.
type makeup struct{ words, digits, brackets, slashes, blanks, indented, sentences, alike float64 }

func makeupOf(l *look) makeup {
	var n, digits, brackets, slashes, blanks, letters, indented, alike int
	last := ""
	for i, t := range l.lines {
		n += len(t)
		for j := range len(t) {
			switch c := t[j]; {
			case digit(c):
				digits++
			case strings.IndexByte("(){}[];=<>", c) >= 0:
				brackets++
			case c == '/' || c == '\\':
				slashes++
			case c == ' ':
				blanks++
			case letter(c) || c >= 0x80:
				letters++
			}
		}
		if indent(l.raw[i]) > 0 {
			indented++
		}
		if head := t[:min(len(t), 6)]; head == last {
			alike++
		} else {
			last = head
		}
	}
	of := func(x, y int) float64 { return float64(x) / float64(max(y, 1)) }
	return makeup{
		words: of(letters, n) * 0.6, digits: of(digits, n), brackets: of(brackets, n), slashes: of(slashes, n), blanks: of(blanks, n),
		indented: of(indented, len(l.lines)), sentences: l.of(sSentence), alike: of(alike, len(l.lines)),
	}
}
