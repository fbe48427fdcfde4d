package seen

import (
	"winnow/internal/prune"
	"winnow/internal/text"
)

// Explain says, by reason, how many characters of a turn's text stand in
// earlier results and are not folded. The call's result must not have been
// taken note of yet.
func (l *Ledger) Explain(t Turn, id string) map[string]int {
	lost := map[string]int{}
	if t.Reason != prune.Pruned {
		for _, m := range l.Match(id, t.lines) {
			lost[string(t.Reason)] += text.Chars(t.look.Doc.Run(m.Start, m.End))
		}
		return lost
	}
	causes := []prune.Cause(nil)
	folded := map[int]bool{}
	for _, f := range t.Folds {
		for i := f.Start; i <= f.End; i++ {
			folded[i] = true
		}
	}
	for _, m := range t.Matches {
		if causes == nil {
			causes = t.look.Causes()
		}
		why := "neighbours"
		if text.Chars(t.look.Doc.Run(m.Start, m.End)) < MinChars {
			why = "short"
		}
		for i := m.Start; i <= m.End; i++ {
			switch n := text.Chars(t.look.Doc.Line(i)) + 1; {
			case folded[i]:
			case i < t.look.From || i >= t.look.To:
				lost["outside"] += n
			case causes[i]&prune.Fixes != 0:
				lost["stays: "+(causes[i]&prune.Fixes).String()] += n
			case i >= m.Start+Neighbours && i <= m.End-Neighbours && why != "short":
				lost["short pieces between them"] += n
			default:
				lost[why] += n
			}
		}
	}
	return lost
}
