package door

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"
	"time"

	"winnow/internal/api"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// Early judges what will come to Result in a moment, so that the row need not
// wait for it, and asks the second judge. Nothing is stored and no text answered.
func (d *Door) Early(ctx context.Context, req *api.ResultRequest) (reply api.EarlyReply) {
	cur := d.Now()
	d.Greet(req.Session, time.Now())
	if cur.Mode == Off || cur.Pruner == nil {
		return reply
	}
	ctx, cancel := context.WithTimeout(ctx, Budget)
	defer cancel()
	base := d.base(ctx, cur.Pruner, req)
	for i, t := range req.Texts {
		it := base.turn(time.Now())
		if d.fill(&it, t, req.Transcript) != prune.Pruned {
			continue
		}
		cur.Pruner.Plan(ctx, it.in)
		if q := d.earlySecond(ctx, cur, &it, req, i); q != nil {
			reply.Questions = append(reply.Questions, *q)
		}
	}
	return reply
}

// maxLines bounds the remembered scores of all answers together: 8 MB.
const maxLines = 1 << 20

// Cached returns a scorer that remembers inner's newest answers by query and
// text, max of them and [maxLines] scores in all, and lets a second asker wait
// for the first. Scores depend on nothing but query and text, so neither do the
// remembered ones.
func Cached(inner prune.Scorer, max int) prune.Scorer {
	return &cached{inner: inner, max: max, byKey: map[[32]byte]*list.Element{}}
}

var _ prune.Scorer = (*cached)(nil)

type cached struct {
	inner prune.Scorer
	max   int

	mu    sync.Mutex // guards the fields below
	byKey map[[32]byte]*list.Element
	order list.List // of *answer, newest first
	lines int       // in all of order
}

type answer struct {
	key [32]byte
	// lines is the size of the text, known before the scores are.
	lines int
	done  chan struct{} // closed when the fields below are set
	s     prune.Scores
	err   error
}

func (c *cached) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	defer clock(ctx, time.Now())
	key := cacheKey(q, d)
	a, first := c.entry(key, d.Len())
	if first {
		return c.fill(ctx, a, q, d)
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		return prune.Scores{}, ctx.Err()
	}
	if a.err != nil {
		return c.inner.Score(ctx, q, d)
	}
	return a.s, nil
}

// fill asks the judge. Only a good answer is remembered: a missed deadline says
// nothing about the next try. A panic passes on and leaves nobody waiting.
func (c *cached) fill(ctx context.Context, a *answer, q prune.Query, d text.Doc) (prune.Scores, error) {
	a.err = prune.ErrNotReady
	defer func() {
		if a.err != nil {
			c.forget(a.key)
		}
		close(a.done)
	}()
	a.s, a.err = c.inner.Score(ctx, q, d)
	return a.s, a.err
}

// entry returns the answer for key; first says that the caller must fill it in.
func (c *cached) entry(key [32]byte, lines int) (a *answer, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.order.MoveToFront(e)
		return e.Value.(*answer), false
	}
	a = &answer{key: key, lines: lines, done: make(chan struct{})}
	c.byKey[key] = c.order.PushFront(a)
	c.lines += lines
	for c.order.Len() > 1 && (c.order.Len() > c.max || c.lines > maxLines) {
		c.drop(c.order.Back())
	}
	return a, true
}

// drop forgets an entry; mu is held.
func (c *cached) drop(e *list.Element) {
	a := c.order.Remove(e).(*answer)
	delete(c.byKey, a.key)
	c.lines -= a.lines
}

func (c *cached) forget(key [32]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.byKey[key]; ok {
		c.drop(e)
	}
}

func cacheKey(q prune.Query, d text.Doc) [32]byte {
	h := sha256.New()
	b, err := json.Marshal(q)
	if err != nil { // a tool input that is no JSON: its bytes stand for it
		b = []byte(q.Task.Request + "\x00" + q.Task.Intent + "\x00" + q.Tool.Name + "\x00" + string(q.Tool.Input))
	}
	h.Write(b)
	h.Write([]byte{0})
	h.Write([]byte(d.Src))
	return [32]byte(h.Sum(nil))
}
