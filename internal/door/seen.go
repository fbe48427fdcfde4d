package door

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"winnow/internal/decisions"
	"winnow/internal/prune"
	"winnow/internal/seen"
	"winnow/internal/transcript"
)

// seenLeast is the length in characters from which a result is worth a look at
// what the loop was shown before: shorter ones never come to the mod's door.
const seenLeast = 1500

// looks reports whether anything is to be done about lines that were shown before.
func (c Current) looks() bool { return c.Mode != Off && (c.Seen == Shadow || c.Seen == Active) }

// glance is what a text holds that its loop was shown before.
type glance struct {
	turn seen.Turn
	// folds are what may be folded of it, and alone the text with nothing hidden
	// but these.
	folds []prune.Fold
	alone prune.Result
}

// glance looks for it; nil where nobody looks. Whatever cannot be told means
// that nothing was shown.
func (d *Door) glance(ctx context.Context, cur Current, it *item) *glance {
	if d.Seen == nil || !cur.looks() || !it.told || it.in.Saved != nil {
		return nil
	}
	in := it.in
	in.CanRecall = in.CanRecall || cur.Seen != Active
	ids := make([]string, len(in.Calls))
	for i, c := range in.Calls {
		ids[i] = c.ID
	}
	g := new(glance)
	d.Seen.With(it.session, it.loop, func(l *seen.Ledger) {
		l.Begin(it.id, ids, d.Seen.Now())
		if it.rows != nil {
			l.Keep(func(s seen.Source) bool { return it.rows[s.ID] })
		}
		g.turn = l.Take(cur.Pruner, in, it.id)
	})
	if len(g.turn.Folds) > 0 && it.standing != nil {
		d.stand(ctx, it, &g.turn)
	}
	if g.folds = g.turn.Given(); len(g.folds) > 0 {
		in.Folds = g.folds
		g.alone = cur.Pruner.Fold(in)
	}
	if len(g.alone.Folded) == 0 {
		g.folds = nil
	}
	return g
}

// stand takes out of a turn what refers to results of which the transcript does
// not say that they stand, and has the ledger forget these and all before them.
func (d *Door) stand(ctx context.Context, it *item, t *seen.Turn) {
	var ids []string
	for _, f := range t.Folds {
		if !slices.Contains(ids, f.Source.ID) {
			ids = append(ids, f.Source.ID)
		}
	}
	stands := it.standing(ctx, ids, t.Holds)
	gone := slices.DeleteFunc(ids, func(id string) bool { return stands[id] })
	if len(gone) == 0 {
		return
	}
	t.Folds = slices.DeleteFunc(t.Folds, func(f seen.Fold) bool { return slices.Contains(gone, f.Source.ID) })
	d.Seen.With(it.session, it.loop, func(l *seen.Ledger) {
		l.Keep(func(s seen.Source) bool { return !slices.Contains(gone, s.ID) })
	})
}

// took takes note of what the model is shown of a text: all but hidden.
func (d *Door) took(it *item, g *glance, hidden []prune.Hidden, shown string) {
	if g == nil {
		return
	}
	d.Seen.With(it.session, it.loop, func(l *seen.Ledger) {
		l.Took(g.turn, seen.Source{ID: it.id}, hidden, utf8.RuneCountInString(shown))
	})
}

// note takes note of what winnow itself shows: lines that were recalled are in the
// context from now on. They are no result to be counted or cut.
func (d *Door) note(ctx context.Context, cur Current, base item, texts []string) {
	for _, text := range texts {
		it := base.turn(time.Now())
		it.in.Text = text
		d.took(&it, d.glance(ctx, cur, &it), nil, text)
	}
}

// bookFold counts what was folded and puts it into a decision.
func (d *Door) bookFold(cur Current, g *glance, in int) *decisions.Fold {
	if g == nil || len(g.folds) == 0 {
		return nil
	}
	f := &decisions.Fold{Mode: cur.Seen, Saved: in - utf8.RuneCountInString(g.alone.Text)}
	for _, h := range g.alone.Folded {
		f.Hidden += utf8.RuneCountInString(h.Text)
		f.Keys = append(f.Keys, string(h.Key))
	}
	for _, t := range g.turn.Folds {
		f.Ago = max(f.Ago, t.Ago)
	}
	d.Count("seen."+cur.Seen+".results", 1)
	d.Count("seen."+cur.Seen+".keys", int64(len(f.Keys)))
	d.Count("seen."+cur.Seen+".chars_hidden", int64(f.Saved))
	return f
}

// hiddenOf is all that a result hides, in the text's order.
func hiddenOf(res prune.Result) []prune.Hidden {
	all := append(slices.Clone(res.Hidden), res.Folded...)
	slices.SortFunc(all, func(a, b prune.Hidden) int { return a.Start - b.Start })
	return all
}

// retract takes back what was noted of a call before: its result is asked for
// anew, and this answer is the one that counts.
func (d *Door) retract(cur Current, session, loop, id string) {
	if d.Seen != nil && cur.looks() {
		d.Seen.With(session, loop, func(l *seen.Ledger) { l.Retract(id) })
	}
}

// standing says of results which of them still stand in a loop's context as they
// are known.
type standing func(ctx context.Context, ids []string, holds transcript.Holds) map[string]bool

// inFile says it from a session's file, for a call that the file holds.
func inFile(path string, o transcript.Options) standing {
	return func(ctx context.Context, ids []string, holds transcript.Holds) map[string]bool {
		stands, err := transcript.Standing(ctx, path, o, ids, holds)
		if err != nil {
			return nil
		}
		return stands
	}
}

// uncleared says it for the mod, whose rows say all but whether results were
// cleared at the API and what became of their texts behind it.
func uncleared(path string, o transcript.Options) standing {
	return func(ctx context.Context, ids []string, holds transcript.Holds) map[string]bool {
		if !transcript.Wait(ctx, path, o, lag) {
			return nil
		}
		stands, err := transcript.Uncleared(ctx, path, o, ids, holds)
		if err != nil {
			return nil
		}
		return stands
	}
}
