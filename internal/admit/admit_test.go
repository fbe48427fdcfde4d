package admit

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// judge takes a while for each text and scores each line by its length.
type judge struct {
	takes time.Duration
	calls atomic.Int64
}

func (j *judge) Score(ctx context.Context, _ prune.Query, d text.Doc) (prune.Scores, error) {
	j.calls.Add(1)
	select {
	case <-time.After(j.takes):
	case <-ctx.Done():
		return prune.Scores{}, ctx.Err()
	}
	var s prune.Scores
	for i := range d.Lines {
		s.Line = append(s.Line, float64(len(d.Line(i)))/100)
	}
	return s, nil
}

const budget = 2 * time.Second

// costs 900 ms at pace 1.
func cost(text.Doc) time.Duration { return 900 * time.Millisecond }

func ask(t *testing.T, g *Gate, src string) (prune.Scores, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), budget)
	defer cancel()
	return g.Score(ctx, prune.Query{}, text.Split(src))
}

// Of six results at once that take 0.9 s, two at a time, four fit into two seconds.
// The other two are told so at once and cost nothing; the four get the scores that
// they would get alone.
func TestManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &judge{takes: 900 * time.Millisecond}
		g := Before(j, Options{Cost: cost})
		start := time.Now()
		var mu sync.Mutex
		got := map[string]int{}
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				s, err := ask(t, g, "a\nbbb")
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil && cmp.Equal(s.Line, []float64{0.01, 0.03}):
					got["judged after "+time.Since(start).String()]++
				case errors.Is(err, prune.ErrBusy):
					got["busy after "+time.Since(start).String()]++
				default:
					t.Errorf("Score = %v, %v", s, err)
				}
			})
		}
		wg.Wait()
		want := map[string]int{"judged after 900ms": 2, "judged after 1.8s": 2, "busy after 0s": 2}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		if n := j.calls.Load(); n != 4 {
			t.Errorf("the judge was asked %d times, want 4", n)
		}
	})
}

// A machine that becomes three times slower: the first text is given up, the next
// ones cost nothing, and now and then one is tried.
func TestSlowMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &judge{takes: 2700 * time.Millisecond}
		g := Before(j, Options{Cost: cost})
		if _, err := ask(t, g, "x"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the first: %v, want the deadline", err)
		}
		tried := 0
		for range 40 {
			if _, err := ask(t, g, "x"); !errors.Is(err, prune.ErrBusy) {
				tried++
			}
		}
		if tried == 0 || tried > 8 {
			t.Errorf("%d of 40 were tried, want a few", tried)
		}
		j.takes = 900 * time.Millisecond // the bad hour is over
		judged := 0
		for range 20 {
			if _, err := ask(t, g, "x"); err == nil {
				judged++
			}
		}
		if judged < 12 {
			t.Errorf("%d of 20 were judged after the bad hour", judged)
		}
		if p := g.Pace(); p > 1.1 {
			t.Errorf("pace = %.2f after the bad hour, want about 1", p)
		}
	})
}

// The bound on lines holds on any machine.
func TestTooManyLines(t *testing.T) {
	j := &judge{}
	g := Before(j, Options{Cost: Onnx, MaxLines: 100})
	if _, err := ask(t, g, strings.Repeat("123\n", 100)); !errors.Is(err, prune.ErrTooLong) || j.calls.Load() != 0 {
		t.Errorf("101 lines: %v after %d calls, want ErrTooLong and none", err, j.calls.Load())
	}
	if s, err := ask(t, g, strings.Repeat("123\n", 99)); err != nil || len(s.Line) != 100 {
		t.Errorf("100 lines: %d scores, %v", len(s.Line), err)
	}
}

// Who gives up while waiting is no longer in the way, and a panic frees its place.
func TestPlacesAreFreed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &judge{takes: time.Second}
		g := Before(j, Options{Cost: func(text.Doc) time.Duration { return 0 }, Runs: 1})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { ask(t, g, "first") })
		synctest.Wait()
		wg.Go(func() {
			if _, err := g.Score(ctx, prune.Query{}, text.Split("gives up")); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		})
		synctest.Wait()
		cancel()
		wg.Wait()
		b := Before(panics{}, Options{Cost: cost, Runs: 1})
		for range 3 {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				ask(t, b, "x")
			}()
		}
		if len(g.running)+len(g.waiting)+len(b.running)+len(b.waiting) != 0 {
			t.Errorf("still held: %v %v %v %v", g.running, g.waiting, b.running, b.waiting)
		}
	})
}

type panics struct{}

func (panics) Score(context.Context, prune.Query, text.Doc) (prune.Scores, error) { panic("boom") }

// A queue has an end, also for those who would wait for ever.
func TestQueueEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := &judge{takes: time.Second}
		g := Before(j, Options{Cost: cost})
		var busy atomic.Int64
		var wg sync.WaitGroup
		for range 2 + maxWaiting + 5 {
			wg.Go(func() {
				if _, err := g.Score(t.Context(), prune.Query{}, text.Split("x")); errors.Is(err, prune.ErrBusy) {
					busy.Add(1)
				}
			})
		}
		wg.Wait()
		if busy.Load() != 5 {
			t.Errorf("%d were turned away, want 5", busy.Load())
		}
	})
}
