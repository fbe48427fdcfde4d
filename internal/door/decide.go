package door

import (
	"context"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/marker"
	"winnow/internal/prune"
)

// Faces of the door, as decisions name them.
const (
	modFace  = "mod"
	hookFace = "hook"
)

// Reasons of the door's own: the core never saw the text.
const (
	// NotStored: the store refused, and what cannot be recalled is not hidden.
	NotStored prune.Reason = "not-stored"
	// Persisted: a saved output of a tool whose files are not read.
	Persisted prune.Reason = "persisted"
	// SavedUnreadable: the file of a saved output cannot be read, or is not ours to read.
	SavedUnreadable prune.Reason = "saved-unreadable"
	// Shape: the result has none that is known.
	Shape prune.Reason = "shape"
	// OtherDoor: the mod serves this session; the hook door leaves its results alone.
	OtherDoor prune.Reason = "other-door"
)

// decide hands the decision about a text of in characters to whoever keeps them.
func (d *Door) decide(mode string, it *item, res prune.Result, in int) {
	if d.Decided == nil || it.in.Text == "" && res.Reason == prune.Small {
		return // an empty block is no result
	}
	now := time.Now()
	e := decisions.Entry{
		Task: it.in.Task, Tool: it.in.Tool, Args: it.in.Args, Calls: it.in.Calls,
		Scores: res.Scores, Judged: len(res.Scores.Line) > 0, Keys: keys(res.Hidden),
		Record: decisions.Record{
			Time: now, Door: it.face, Session: it.session, Loop: it.loop, Call: it.id, Tool: it.in.Tool.Name,
			Mode: mode, Fold: it.fold, Reason: string(res.Reason), Uncertain: res.Uncertain, Second: it.asked, SecondCost: int64(it.paid),
			In: in, Shown: it.shown, Out: it.shown,
			Lines: strings.Count(it.in.Text, "\n") + 1, Saved: it.in.Saved != nil,
			JudgeUS: time.Duration(it.judged.Load()).Microseconds(), WholeUS: now.Sub(it.began).Microseconds(),
		},
	}
	if d.Kind != nil {
		e.Kind = d.Kind(it.in.Tool)
	}
	if res.Reason == prune.Pruned {
		e.Out = utf8.RuneCountInString(res.Text)
		if !e.Saved { // the one key of a saved output is all of it
			for _, h := range res.Hidden {
				e.Hidden += utf8.RuneCountInString(h.Text)
			}
		}
	}
	d.Decided(e)
}

// pass counts and records a result that the core never saw.
func (d *Door) pass(cur Current, it *item, why prune.Reason) {
	d.Count("reason."+string(why), 1)
	d.decide(cur.For(it.in.Tool), it, prune.Result{Reason: why}, utf8.RuneCountInString(it.in.Text))
}

// Recalled is the decision log's entry for a recall that was answered in took.
func Recalled(req api.RecallRequest, r api.RecallReply, took time.Duration) decisions.Entry {
	e := decisions.Entry{Record: decisions.Record{
		Event: decisions.Recall, Session: req.Session, Loop: req.Loop, Miss: !r.Found || r.Bad, WholeUS: took.Microseconds(),
		Shown: utf8.RuneCountInString(r.Text),
		// What the conversation grew by: the question is part of it, too.
		Out: utf8.RuneCountInString(r.Text + r.Note + req.Key + req.Lines + req.Pattern),
	}}
	if key, ok := marker.Parse(req.Key); ok {
		e.Keys = []marker.Key{key}
	}
	return e
}

// clockKey is the context's key of the time that an answer waits for the judge.
type clockKey struct{}

// clocked lets what scores with the context add its time to c.
func clocked(ctx context.Context, c *atomic.Int64) context.Context {
	return context.WithValue(ctx, clockKey{}, c)
}

// clock adds the time since from to the context's, if it has one.
func clock(ctx context.Context, from time.Time) {
	if c, ok := ctx.Value(clockKey{}).(*atomic.Int64); ok {
		c.Add(int64(time.Since(from)))
	}
}
