package prune

import "winnow/internal/text"

// Proposer names runs of lines of body, the output itself, that repeat others by
// their form. It may propose too much: the floor and the judge have the last word.
type Proposer func(in Input, body text.Doc) []Fold

// Repeats is how many times [Options.Drop] a proposed line's score must stay below,
// and below [Options.Keep] in any case: the judge refuses the others. Chosen on
// repositories that were left out, see docs/judge.md.
const Repeats = 2

// propose takes out of keep what is proposed, but for what a rule protects, its
// neighbours and headings, and lines that the judge refuses or did not see.
func (p *Pruner) propose(pl *Plan, s Scores, keep []bool) {
	if p.o.Propose == nil || pl.v.from >= pl.v.to {
		return
	}
	runs := p.o.Propose(pl.Input, text.Split(pl.v.doc.Run(pl.v.from, pl.v.to-1)))
	if len(runs) == 0 {
		return
	}
	veto := min(Repeats*p.o.Drop, p.o.Keep)
	floor := settle(make([]bool, len(keep)), pl.Protected, &pl.v)
	for _, f := range runs {
		for i := pl.v.from + max(f.Start, 0); i <= pl.v.from+f.End && i < min(pl.v.to, len(s.Line)); i++ {
			if !floor[i] && s.Line[i] < veto { // NaN stays
				keep[i] = false
			}
		}
	}
}
