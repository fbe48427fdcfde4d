// Package admit stands before a judge. What the judge could not answer in time is
// turned away at once, before it has cost anything: a text with too many lines, one
// that would take too long by itself, one that too many others are before.
//
// It decides only whether a text is judged, never how: a text is judged in full or
// not at all, so its scores are the same under any load.
package admit

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// Options of a [Gate].
type Options struct {
	// Runs is how many texts are judged at once. 0: 2.
	Runs int
	// MaxLines is the most lines of a text, whatever the machine. 0: no bound.
	MaxLines int
	// Cost is what a text would cost a machine of pace 1.
	Cost func(text.Doc) time.Duration
	// Now is the clock. nil: time.Now.
	Now func() time.Time
}

// maxWaiting bounds the queue.
const maxWaiting = 64

// Gate is a [prune.Scorer] that asks another one when there is time for it.
type Gate struct {
	inner prune.Scorer
	o     Options

	mu      sync.Mutex // guards the fields below
	pace    pace
	running []*job
	waiting []*job // in the order of their coming
}

// job is a text on its way.
type job struct {
	cost  time.Duration // at pace 1
	began time.Time
	turn  chan struct{} // closed when it runs
}

var _ prune.Scorer = (*Gate)(nil)

// Before returns a gate before inner.
func Before(inner prune.Scorer, o Options) *Gate {
	if o.Runs <= 0 {
		o.Runs = 2
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Gate{inner: inner, o: o, pace: 1}
}

// Score asks the judge, or answers [prune.ErrTooLong] or [prune.ErrBusy] at once.
func (g *Gate) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	if g.o.MaxLines > 0 && d.Len() > g.o.MaxLines {
		return prune.Scores{}, fmt.Errorf("%w: %d lines, over %d", prune.ErrTooLong, d.Len(), g.o.MaxLines)
	}
	j := &job{cost: g.o.Cost(d), turn: make(chan struct{})}
	if err := g.enter(ctx, j); err != nil {
		return prune.Scores{}, err
	}
	if err := g.await(ctx, j); err != nil {
		return prune.Scores{}, err
	}
	s, err := prune.Scores{}, prune.ErrNotReady
	defer func() { g.leave(ctx, j, err) }() // a panic passes on and frees the place
	s, err = g.inner.Score(ctx, q, d)
	return s, err
}

// enter queues the text, unless it would not be judged in time.
func (g *Gate) enter(ctx context.Context, j *job) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.o.Now()
	if end, ok := ctx.Deadline(); ok {
		left, takes, wait := end.Sub(now), g.pace.of(j.cost), g.wait(now)
		switch {
		case takes > left:
			g.pace.doubt()
			return fmt.Errorf("%w: of late such a text takes %v", prune.ErrBusy, takes.Round(time.Millisecond))
		case wait+takes > left:
			return fmt.Errorf("%w: %v to wait, %v to judge", prune.ErrBusy, wait.Round(time.Millisecond), takes.Round(time.Millisecond))
		}
	}
	if len(g.waiting) >= maxWaiting {
		return fmt.Errorf("%w: %d wait", prune.ErrBusy, len(g.waiting))
	}
	g.waiting = append(g.waiting, j)
	g.next()
	return nil
}

// wait is how long a text that came now would wait; mu is held.
func (g *Gate) wait(now time.Time) time.Duration {
	free := make([]time.Duration, g.o.Runs) // until each place is free
	for i, r := range g.running {
		free[i] = max(0, g.pace.of(r.cost)-now.Sub(r.began))
	}
	for _, w := range g.waiting {
		slices.Sort(free)
		free[0] += g.pace.of(w.cost)
	}
	return slices.Min(free)
}

// next gives free places to those who wait longest; mu is held.
func (g *Gate) next() {
	for len(g.running) < g.o.Runs && len(g.waiting) > 0 {
		j := g.waiting[0]
		g.waiting = g.waiting[1:]
		j.began = g.o.Now()
		g.running = append(g.running, j)
		close(j.turn)
	}
}

// await waits for the turn. What has become too late meanwhile is turned away, too.
func (g *Gate) await(ctx context.Context, j *job) error {
	select {
	case <-j.turn:
	case <-ctx.Done():
		g.drop(j)
		return ctx.Err()
	}
	g.mu.Lock()
	takes := g.pace.of(j.cost)
	end, bound := ctx.Deadline()
	late := bound && takes > end.Sub(j.began)
	g.mu.Unlock()
	if late || ctx.Err() != nil {
		g.drop(j)
		return fmt.Errorf("%w: its turn came too late", prune.ErrBusy)
	}
	return nil
}

// drop takes a text out that was not judged.
func (g *Gate) drop(j *job) {
	g.mu.Lock()
	defer g.mu.Unlock()
	same := func(o *job) bool { return o == j }
	g.waiting = slices.DeleteFunc(g.waiting, same)
	g.running = slices.DeleteFunc(g.running, same)
	g.next()
}

// leave takes a judged text out and learns from it.
func (g *Gate) leave(ctx context.Context, j *job, err error) {
	g.mu.Lock()
	took := g.o.Now().Sub(j.began)
	switch {
	case err == nil:
		g.pace.learn(j.cost, took)
	case ctx.Err() != nil:
		g.pace.atLeast(j.cost, took)
	}
	g.mu.Unlock()
	g.drop(j)
}

// Pace returns how many times longer than reckoned a text takes of late.
func (g *Gate) Pace() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return float64(g.pace)
}
