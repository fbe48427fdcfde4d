// Package door carries tool results between Claude Code and the pruning core.
// It has two faces: Result for the mod (session.append) and Hook for Claude
// Code's hook JSON. Both rebuild the task, fill a [prune.Input], store what is
// hidden before they answer, and log sizes, keys and reasons, never text.
//
// It decides nothing about lines: that is package prune's. In shadow mode it
// does all but change the answer.
package door

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"winnow/internal/decisions"
	"winnow/internal/hook"
	"winnow/internal/marker"
	"winnow/internal/price"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/seen"
)

// Modes.
const (
	Shadow = "shadow"
	Active = "active"
	Off    = "off"
	// Auto is active where the judge's losses are known and small, shadow elsewhere.
	Auto = "auto"
)

// Budget is what one result may take inside the daemon; the mod gives up at 2.5 s.
const Budget = 2 * time.Second

// Store is what the doors need of the recall store.
type Store interface {
	Put(items []recall.Item) error
	CutCalls(session, loop string) map[string]bool
	Offered(session, loop string) bool
}

// Current is what one request works with; a request keeps the one it began with.
type Current struct {
	Mode   string
	Pruner *prune.Pruner
	// Proven says for which calls the judge's losses are known and small: what
	// [Auto] goes by. nil means for none.
	Proven func(prune.Tool) bool
	// Seen says what becomes of lines that the loop was shown before: [Shadow],
	// [Active] or [Off].
	Seen string
	// Second is what the second judge goes by.
	Second Second
}

// For is the mode for a result of t: never [Auto].
func (c Current) For(t prune.Tool) string {
	switch {
	case c.Mode != Auto:
		return c.Mode
	case c.Proven != nil && c.Proven(t):
		return Active
	}
	return Shadow
}

// Told is the mode that the mod is told: with Auto it must be ready for both.
func (c Current) Told() string {
	switch {
	case c.Mode != Off && c.Seen == Active:
		return Active
	case c.Mode != Auto:
		return c.Mode
	case c.Proven != nil:
		return Active
	}
	return Shadow
}

// Door serves both doors. All fields are set before the first call.
type Door struct {
	Now   func() Current
	Store Store // nil: nothing can be hidden
	Count func(name string, n int64)
	Log   *slog.Logger
	// Decided, when set, hears of every decision; it must not wait.
	Decided func(decisions.Entry)
	// Kind names what sort of call it is, for decisions. nil: it has no name.
	Kind func(prune.Tool) string
	// Hint is the sentence that tells the agent of a hook payload how it can recall,
	// "" where it cannot. nil: by the command.
	Hint func(*hook.Event) string
	// Live reports whether a key is one that can be recalled. nil: nobody is warned of one.
	Live func(marker.Key) bool
	// Seen knows what each loop was shown. nil: nobody does.
	Seen *seen.Book
	// Desk knows the second judge's questions. nil: nobody is asked.
	Desk *Desk

	mods mods
}

// item is one text of one result, on its way through.
type item struct {
	in      prune.Input
	session string
	loop    string
	project string
	id      string
	// shown is what the host would have shown without us, in characters.
	shown int
	// face is the door's face; began is when this text's turn began, and judged
	// the time that it waited for the judge, both for the decision.
	face   string
	began  time.Time
	judged *atomic.Int64
	// told says that in.Calls are all the calls that the loop made lately. rows,
	// when set, are the calls whose results still stand in the loop's context;
	// standing asks, of some, what the transcript says about that.
	told     bool
	rows     map[string]bool
	standing standing
	// fold is what was folded, for the decision.
	fold *decisions.Fold
	// second is the question whose answer decides; asked what became of it.
	second *reader
	asked  string
	paid   price.Nano // for it, where that is known
}

// turn begins another text's turn.
func (it item) turn(began time.Time) item {
	it.began, it.judged = began, new(atomic.Int64)
	return it
}

// run prunes one text and stores what was hidden. What comes back is what the
// model shall see; ok reports that it is something else than the original.
func (d *Door) run(ctx context.Context, cur Current, it item) (shown prune.Result, ok bool) {
	mode := cur.For(it.in.Tool)
	g := d.glance(ctx, cur, &it)
	folding := g != nil && len(g.folds) > 0 && cur.Seen == Active
	asked := it.in
	if mode != Active {
		asked.CanRecall = true // shadow asks what would be hidden
	}
	if folding {
		asked.Folds = g.folds // the judge works on the rest
	}
	res := cur.Pruner.Prune(clocked(ctx, it.judged), asked)
	shown = res
	switch {
	case mode == Active:
	case folding:
		shown = g.alone
	default:
		shown.Text, shown.Hidden, shown.Folded = it.in.Text, nil, nil
	}
	if hidden := hiddenOf(shown); len(hidden) > 0 || res.Reason == prune.Pruned {
		var why prune.Reason
		err := ctx.Err()
		if err != nil { // nobody waits for it any more
			why = prune.Deadline
		} else if err = d.store(it, hidden); err != nil {
			why = NotStored
			d.Count("store.failed", 1)
			d.Log.Error("not stored, so not hidden", "err", err)
		}
		if err != nil {
			res = prune.Result{Text: it.in.Text, Reason: why, Err: err, Scores: res.Scores}
			shown, folding = res, false
			if g != nil {
				g.folds = nil
			}
		}
	}
	d.took(&it, g, hiddenOf(shown), shown.Text)
	in := utf8.RuneCountInString(it.in.Text)
	it.fold = d.bookFold(cur, g, in)
	left := in // for the judge to save from
	if folding {
		left = utf8.RuneCountInString(g.alone.Text)
		it.shown -= in - left
	}
	d.readBy(ctx, &it, shown)
	d.book(mode, it, res, left)
	d.decide(mode, &it, res, in)
	return shown, len(shown.Hidden)+len(shown.Folded) > 0
}

func (d *Door) store(it item, hidden []prune.Hidden) error {
	if len(hidden) == 0 {
		return nil
	}
	if d.Store == nil {
		return fmt.Errorf("no store: %w", recall.ErrLocked)
	}
	items := make([]recall.Item, 0, len(hidden))
	for _, h := range hidden {
		items = append(items, recall.Item{Text: h.Text, Issue: recall.Issue{
			Key: h.Key, First: h.First, Last: h.Last,
			Session: it.session, Loop: it.loop, Project: it.project, ToolUseID: it.id,
		}})
	}
	return d.Store.Put(items)
}

// book counts and logs one decision about a text of in characters.
func (d *Door) book(mode string, it item, res prune.Result, in int) {
	hidden := 0
	d.Count("results", 1)
	d.Count("chars.in", int64(in))
	if res.Reason != prune.Pruned {
		d.Count("reason."+string(res.Reason), 1)
	} else {
		out := utf8.RuneCountInString(res.Text)
		hidden = in - out
		d.Count(mode+".pruned", 1)
		d.Count(mode+".keys", int64(len(res.Hidden)))
		if it.in.Saved != nil {
			d.Count(mode+".view_cost", int64(out-it.shown))
		} else {
			d.Count(mode+".chars_hidden", int64(hidden))
		}
	}
	d.Count("lines.uncertain", int64(res.Uncertain))
	if res.Reason == prune.Small || res.Reason == prune.OtherTool || res.Reason == prune.NoTask {
		return // the bulk of all calls says nothing
	}
	attrs := []any{"mode", mode, "tool", it.in.Tool.Name, "call", it.id, "loop", it.loop, "reason", string(res.Reason),
		"chars", in, "hidden", hidden, "uncertain", res.Uncertain, "keys", keys(res.Hidden)}
	if res.Err != nil {
		attrs = append(attrs, "err", res.Err)
	}
	d.Log.Info("result", attrs...)
}

func keys(hidden []prune.Hidden) []marker.Key {
	out := make([]marker.Key, len(hidden))
	for i, h := range hidden {
		out[i] = h.Key
	}
	return out
}

// calls marks those earlier calls whose results were cut.
func (d *Door) calls(session, loop string, calls []prune.Call) []prune.Call {
	if d.Store == nil || len(calls) == 0 {
		return calls
	}
	cut := d.Store.CutCalls(session, loop)
	out := append([]prune.Call(nil), calls...) // the caller's stay as they are
	for i := range out {
		out[i].Cut = cut[out[i].ID]
	}
	return out
}
