package door

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// scorer is a judge that counts its calls.
type scorer struct {
	calls atomic.Int64
	score func(ctx context.Context, d text.Doc) (prune.Scores, error)
}

func (s *scorer) Score(ctx context.Context, _ prune.Query, d text.Doc) (prune.Scores, error) {
	s.calls.Add(1)
	return s.score(ctx, d)
}

func length(_ context.Context, d text.Doc) (prune.Scores, error) {
	return prune.Scores{Line: make([]float64, d.Len())}, nil
}

func TestCachedAsksOnce(t *testing.T) {
	in := &scorer{score: length}
	c := Cached(in, 2)
	ask := func(req, src string) int {
		t.Helper()
		s, err := c.Score(context.Background(), prune.Query{Task: prune.Task{Request: req}}, text.Split(src))
		if err != nil {
			t.Fatal(err)
		}
		return len(s.Line)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if n := ask("q", "a\nb"); n != 2 {
				t.Errorf("Score of two lines has %d", n)
			}
		})
	}
	wg.Wait()
	if n := in.calls.Load(); n != 1 {
		t.Errorf("eight askers of one text cost %d judgements, want 1", n)
	}
	ask("other", "a\nb") // another query is another question
	ask("q", "a\nb\nc")  // and pushes the oldest out
	ask("q", "a\nb")
	if n := in.calls.Load(); n != 4 {
		t.Errorf("judgements = %d, want 4", n)
	}
}

func TestCachedForgetsErrors(t *testing.T) {
	fail := true
	in := &scorer{score: func(ctx context.Context, d text.Doc) (prune.Scores, error) {
		if fail {
			return prune.Scores{}, errors.New("too late")
		}
		return length(ctx, d)
	}}
	c := Cached(in, 2)
	if _, err := c.Score(context.Background(), prune.Query{}, text.Split("a")); err == nil {
		t.Fatal("the judge's error got lost")
	}
	fail = false
	if _, err := c.Score(context.Background(), prune.Query{}, text.Split("a")); err != nil {
		t.Errorf("a second try = %v, want an answer", err)
	}
}

// A few huge texts must not keep more than the bound.
func TestCachedBoundsLines(t *testing.T) {
	in := &scorer{score: length}
	c := Cached(in, 100).(*cached)
	for i := range 6 {
		src := strings.Repeat("\n", maxLines/3) + string(rune('a'+i))
		if _, err := c.Score(context.Background(), prune.Query{}, text.Split(src)); err != nil {
			t.Fatal(err)
		}
		if c.lines > maxLines {
			t.Errorf("%d lines remembered, at most %d allowed", c.lines, maxLines)
		}
	}
	if c.order.Len() != 2 || len(c.byKey) != 2 {
		t.Errorf("%d answers remembered, want 2", c.order.Len())
	}
}
