package prune

import (
	"context"
	"errors"
	"sort"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// The bands of a user who has set none. DefaultDrop is where the shipped judge's
// left-out figures hold: see docs/judge.md.
const (
	DefaultKeep = 0.5
	DefaultDrop = 0.04
)

// Options sets a [Pruner] up. The zero value is the documented default.
type Options struct {
	// Keep and Drop bound the three bands of a line's score: from Keep on it is
	// needed, below Drop it is hidden, between them it is kept and counted as
	// uncertain. 0: [DefaultKeep] and [DefaultDrop].
	Keep, Drop float64
	// MinChars is the length below which a text is left alone. 0: 1500.
	MinChars int
	// MinSaving is the least share of a text's characters worth a marker. 0: 0.2.
	MinSaving float64
	// Tools narrows the tools that are pruned ("Bash", "mcp__github__*"); it
	// cannot widen them. nil: Bash, Read, Grep, Glob, WebFetch and mcp__*.
	Tools []string
	// ExcludePaths are globs (see [matchPath]) for the file or folder that a
	// call names; ExcludeCommands are substrings of a shell command.
	ExcludePaths, ExcludeCommands []string
	// StateDir is winnow's own folder. Calls that name it are [Own].
	StateDir string
	// Live reports whether a key was issued and still leads somewhere. nil: none is live.
	Live func(marker.Key) bool
	// Propose, when set, names lines that may go at a score below [Repeats] times
	// Drop rather than below Drop.
	Propose Proposer
	// AllowNothing lets a text be pruned in which no line was found relevant:
	// set for the fake judge, which says nothing about relevance.
	AllowNothing bool
}

func (o Options) defaults() Options {
	if o.Keep == 0 {
		o.Keep = DefaultKeep
	}
	if o.Drop == 0 {
		o.Drop = DefaultDrop
	}
	if o.MinChars == 0 {
		o.MinChars = 1500
	}
	if o.MinSaving == 0 {
		o.MinSaving = 0.2
	}
	return o
}

// Pruner prunes texts; it keeps nothing between them and may be used by many
// at once.
type Pruner struct {
	scorer Scorer
	o      Options
}

// New returns a Pruner that asks s. With a nil s every text that passes the
// other gates is left alone as [NotReady].
func New(s Scorer, o Options) *Pruner { return &Pruner{s, o.defaults()} }

// Plan is a judged text whose lines are not yet hidden: a second judge may
// change Scores before [Pruner.Finish].
type Plan struct {
	Input Input
	// Reason, when not [Pruned], says why the text stays as it is; the fields
	// below are then unset.
	Reason Reason
	Err    error
	// Doc is the judged text: Input.Text with a Read's margin stripped, line for line.
	Doc text.Doc
	// Scores is the judge's answer for Doc.
	Scores Scores
	// Protected says for each line of Doc why it stays whatever the judge
	// says; 0 where only the judge decides.
	Protected []Cause

	v view
}

// Plan runs the gate, asks the judge and marks the protected lines.
func (p *Pruner) Plan(ctx context.Context, in Input) Plan {
	pl := Plan{Input: in}
	if pl.Reason = p.Gate(in); pl.Reason != Pruned {
		return pl
	}
	v := newView(&in)
	if pl.Reason = p.gateText(&in, &v); pl.Reason != Pruned {
		return pl
	}
	pl.v, pl.Doc = v, v.doc
	if in.Saved == nil || len(in.Text) <= maxSavedJudged {
		pl.Scores, pl.Err = p.scorer.Score(ctx, Query{in.Task, in.Tool}, judgedPart(v.doc))
	}
	if in.Saved != nil && errors.Is(pl.Err, ErrTooLong) {
		pl.Scores, pl.Err = Scores{}, nil // like one over maxSavedJudged
	}
	if pl.Err == nil {
		pl.Err = ctx.Err()
	}
	if pl.Err != nil {
		pl.Reason = errorReason(pl.Err)
		return pl
	}
	if in.Saved == nil {
		pl.Protected = protect(&in, &v)
	}
	return pl
}

// maxJudged bounds what a judge is asked to read, in bytes: what the client
// shows whole is at most some 256 KB. Of a longer text the judge sees the lines
// that fit; the others are unjudged, and so they are kept.
const maxJudged = 2 << 20

func judgedPart(d text.Doc) text.Doc {
	if len(d.Src) <= maxJudged {
		return d
	}
	n := sort.Search(len(d.Lines), func(i int) bool { return d.Lines[i].End > maxJudged })
	if n == 0 {
		return text.Split("")
	}
	return text.Doc{Src: d.Src[:d.Lines[n-1].End], Lines: d.Lines[:n]}
}

// errorReason names the trouble behind a judge's error.
func errorReason(err error) Reason {
	switch {
	case errors.Is(err, ErrNotReady):
		return NotReady
	case errors.Is(err, ErrBusy):
		return Busy
	case errors.Is(err, ErrTooLong):
		return TooLong
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Deadline
	}
	return JudgeError
}

// Finish hides what s allows to be hidden and renders the answer. s is
// usually pl.Scores.
func (p *Pruner) Finish(pl Plan, s Scores) Result {
	in := &pl.Input
	left := func(r Reason, err error) Result {
		res := Result{Text: in.Text, Reason: r, Err: err, Scores: s, StartLine: in.StartLine}
		if len(in.Folds) == 0 {
			return res
		}
		l := p.Look(*in)
		if p.FoldGate(l) != Pruned {
			return res
		}
		return p.foldAlone(in, &l.v, res)
	}
	if pl.Reason != Pruned {
		return left(pl.Reason, pl.Err)
	}
	if in.Saved != nil {
		res, ok := renderSaved(in, &pl.v, s, p.o)
		if !ok {
			return left(TooLittle, nil)
		}
		res.Scores = s
		return res
	}
	if s.Failure >= p.o.Keep || s.Failure != s.Failure { // NaN: no judgement
		return left(Failure, nil)
	}
	keep, uncertain, found := bands(pl.Doc.Len(), s, p.o)
	if !found && !p.o.AllowNothing {
		return left(NothingFound, nil)
	}
	keep = settle(keep, pl.Protected, &pl.v)
	p.propose(&pl, s, keep)
	res, ok := render(in, &pl.v, keep, p.o)
	if !ok {
		return left(TooLittle, nil)
	}
	res.Uncertain, res.Scores = uncertain, s
	if len(res.Hidden) == 0 { // only the folds were worth it
		res.Reason = TooLittle
	}
	return res
}

// Prune is Plan and Finish in one. It never fails: a panic of ours is
// [Internal] and leaves the text alone.
func (p *Pruner) Prune(ctx context.Context, in Input) (res Result) {
	defer func() {
		if r := recover(); r != nil {
			res = Result{Text: in.Text, Reason: Internal, Err: Panicked(r), StartLine: in.StartLine}
		}
	}()
	pl := p.Plan(ctx, in)
	return p.Finish(pl, pl.Scores)
}
