package lexical

// A signal is a number in 0..1 that every line has and that its surroundings
// matter for: each is also seen as a mean over neighbours and as the best of
// the line's block.
type signal int

const (
	sigRequest      signal = iota // BM25 against the request, the text's best line being 1
	sigIntent                     // the same against the agent's intent
	sigArgs                       // and against the call's arguments
	sigRel                        // BM25 against all three together
	sigExactRequest               // identifiers that the line shares with the request
	sigExactIntent                // with the intent
	sigExactArgs                  // with the arguments
	sigFeedback                   // words that the line shares with relevant lines
	sigCount
)

// signals holds the lines' signals. Sums are in fixed point, so that they are
// the same on every machine; they may wrap around, their differences over a
// few lines do not.
type signals struct {
	of    [][sigCount]float32
	sums  [][sigCount]uint32
	block [][sigCount]float32
}

const fixed = 1 << 20

func (s *signals) sum() {
	s.sums = make([][sigCount]uint32, len(s.of)+1)
	for i, v := range s.of {
		s.sums[i+1] = s.sums[i]
		for j, x := range v {
			s.sums[i+1][j] += uint32(x * fixed)
		}
	}
}

// best finds each block's greatest values.
func (s *signals) best(lines []line, blocks int) {
	s.block = make([][sigCount]float32, blocks)
	for i, v := range s.of {
		b := &s.block[lines[i].block]
		for j, x := range v {
			b[j] = max(b[j], x)
		}
	}
}

// around returns the mean over the n lines on either side and i itself.
func (s *signals) around(k signal, i, n int) float32 {
	from, to := max(0, i-n), min(len(s.of), i+n+1)
	return float32(s.sums[to][k]-s.sums[from][k]) / (fixed * float32(to-from))
}

// scale divides a signal by its greatest value, which it returns.
func (s *signals) scale(k signal) float32 {
	top := float32(0)
	for i := range s.of {
		top = max(top, s.of[i][k])
	}
	if top > 0 {
		for i := range s.of {
			s.of[i][k] /= top
		}
	}
	return top
}

func (t *Table) rel(i int) float32 {
	if i < 0 || i >= len(t.lines) {
		return 0
	}
	return t.signals.of[i][sigRel]
}
