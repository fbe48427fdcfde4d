package second

import (
	"winnow/internal/prune"
	"winnow/internal/text"
)

// What makes a result worth a question, in cascade.
const (
	// UncertainShare is the least share of a text's characters about which the local
	// judge must be unsure.
	UncertainShare = 0.25
	// Stay is how many requests a result stays in the conversation: half of all
	// results of recorded sessions have that many after them.
	Stay = 20
	// Times is how often a question's price all that it may hide must be worth: a
	// perfect answer hides a quarter of it, see docs/second-judge.md.
	Times = 6
)

// Stakes are what a question about a planned text is about, in characters.
type Stakes struct {
	Chars int
	// Open is what a reply could hide: lines that are asked about, that nothing
	// protects, and that the local judge does not call needed. Uncertain is the part
	// of it that the local judge would keep.
	Open, Uncertain int
}

// Weigh adds up what is at stake.
func Weigh(pl prune.Plan, b Bands, asked int) (s Stakes) {
	for i := range pl.Doc.Len() {
		n := text.Chars(pl.Doc.Line(i)) + 1
		s.Chars += n
		if i >= asked || i < len(pl.Protected) && pl.Protected[i] != 0 {
			continue
		}
		p := b.Drop // a line without a number is one that the local judge would keep
		if i < len(pl.Scores.Line) && pl.Scores.Line[i] == pl.Scores.Line[i] {
			p = pl.Scores.Line[i]
		}
		switch {
		case p >= b.Keep:
		case p >= b.Drop:
			s.Uncertain += n
			fallthrough
		default:
			s.Open += n
		}
	}
	return s
}

// Unsure reports whether the local judge leaves enough open.
func (s Stakes) Unsure() bool {
	return s.Uncertain > 0 && float64(s.Uncertain) >= UncertainShare*float64(s.Chars)
}

// charsPerToken makes an estimate of tokens that is rather low for what is saved;
// bytesPerToken one that is rather high for what is asked.
const (
	charsPerToken = 4
	bytesPerToken = 3
)

// May estimates the tokens that a reply may hide beyond the local judge.
func (s Stakes) May() int { return s.Uncertain / charsPerToken }

// Tokens estimates a question's tokens.
func (r Request) Tokens() int { return r.Bytes() / bytesPerToken }
