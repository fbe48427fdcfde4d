package seen

import (
	"strings"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// Turn is one text of a result on its way to the model: what of it may be
// folded, and what is needed to take note of it afterwards.
type Turn struct {
	// Reason says why nothing may be folded; [prune.Pruned]: it may.
	Reason prune.Reason
	// Matches are what stands in earlier results, Folds what of it may be folded.
	Matches []Match
	Folds   []Fold

	look  prune.Look
	lines Lines
}

// Take looks for what of a text the loop was shown. The call must have been begun.
func (l *Ledger) Take(p *prune.Pruner, in prune.Input, id string) Turn {
	t := Turn{look: p.Look(in)}
	t.lines = l.Lines(t.look.Doc)
	if t.Reason = p.FoldGate(t.look); t.Reason != prune.Pruned {
		return t
	}
	t.Matches = l.Match(id, t.lines)
	if t.look.Twice && t.covered() {
		t.Reason, t.Matches = prune.Again, nil
	}
	if len(t.Matches) > 0 {
		t.Folds = Folds(t.Matches, Page{t.look.Doc, Span{t.look.From, t.look.To - 1}, t.look.Of, t.look.File, t.fixed()})
	}
	return t
}

// covered reports whether all of the output was shown before: nothing of it changed,
// whatever a call in between looked like.
func (t *Turn) covered() bool {
	at := t.look.From
	for _, m := range t.Matches {
		if m.Start > at {
			return false
		}
		at = m.End + 1
	}
	return at >= t.look.To
}

// Holds reports whether a call's result, as a transcript has it, holds all that
// the turn's folds refer to: each run in one piece, with a Read's margin or
// without. Hashes and notes are what a fold is found by; this is what it stands on.
func (t *Turn) Holds(id, shown string) bool {
	raw := "\n" + shown + "\n"
	bare := "\n" + text.Unnumbered(shown) + "\n"
	for _, f := range t.Folds {
		if f.Source.ID != id {
			continue
		}
		run := "\n" + strings.TrimLeft(t.look.Doc.Run(f.Start, f.End), "\n") + "\n" // a host trims blank lines
		if !strings.Contains(raw, run) && !strings.Contains(bare, run) {
			return false
		}
	}
	return true
}

// Given returns the folds as the core takes them.
func (t Turn) Given() []prune.Fold {
	out := make([]prune.Fold, len(t.Folds))
	for i, f := range t.Folds {
		out[i] = prune.Fold{Start: f.Start, End: f.End, Digest: f.Digest()}
	}
	return out
}

// Took takes note of what the model was shown in the end: the text but for what
// was hidden of it, in ascending order. shown is its length in characters.
func (l *Ledger) Took(t Turn, src Source, hidden []prune.Hidden, shown int) {
	src.Name, src.Of = t.look.Name, t.look.Of
	var spans []Span
	at := t.look.From
	for _, h := range hidden {
		if h.Start > at {
			spans = append(spans, Span{at, min(h.Start, t.look.To) - 1})
		}
		at = max(at, h.End+1)
	}
	if at < t.look.To {
		spans = append(spans, Span{at, t.look.To - 1})
	}
	l.Show(src, t.lines, t.look.Numbers, spans, shown)
}

func (t *Turn) fixed() []bool {
	causes := t.look.Causes()
	out := make([]bool, len(causes))
	for i, c := range causes {
		out[i] = c&prune.Fixes != 0
	}
	return out
}
