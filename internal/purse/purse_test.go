package purse

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/price"
)

var haiku = price.Rate{Input: 1, Output: 5, CacheWrite: 1.25, CacheRead: 0.1}

// world is a clock that tests move and a disk that may be full.
type world struct {
	now  time.Time
	disk []byte
	full bool
}

func newWorld() *world { return &world{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

// open opens what the disk holds, as a daemon that starts.
func (w *world) open(budget price.Nano) *Purse {
	p := Open(w.disk, Options{Now: func() time.Time { return w.now }, Save: func(b []byte) error {
		if w.full {
			return errors.New("no space left")
		}
		w.disk = append([]byte(nil), b...)
		return nil
	}})
	p.SetBudget(budget)
	return p
}

func (w *world) sum(t *testing.T, p *Purse) Sum {
	t.Helper()
	p.Flush()
	s, err := Read(w.disk, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func reserve(t *testing.T, p *Purse, worst price.Nano, why string) int64 {
	t.Helper()
	id, got := p.Reserve(worst)
	if got != why {
		t.Fatalf("Reserve(%d): %q, want %q", worst, got, why)
	}
	return id
}

func TestBudget(t *testing.T) {
	w := newWorld()
	p := w.open(100)
	reserve(t, p, 101, NoBudget)
	reserve(t, p, 0, NoBudget)
	a := reserve(t, p, 60, "")
	reserve(t, p, 60, NoBudget) // another session's: the first has no answer yet
	p.Paid(a, price.Usage{}, haiku)
	if got := p.State(); got != NoBudget {
		t.Errorf("State = %q", got)
	}
	b := reserve(t, p, 100, "")
	if got := p.Unknown(b); got != 100 {
		t.Errorf("what is not known costs %d, want the worst case", got)
	}
	p.Paid(b, price.Usage{}, haiku) // too late: it is booked
	reserve(t, p, 1, NoBudget)
	w.now = w.now.Add(24 * time.Hour)
	reserve(t, p, 100, "")
	w.now = w.now.Add(-24 * time.Hour) // a clock that is set back gives nothing back
	reserve(t, p, 1, NoBudget)
	p.SetBudget(0)
	w.now = w.now.Add(72 * time.Hour)
	reserve(t, p, 1, NoBudget)
}

func TestBudgetOverRestarts(t *testing.T) {
	w := newWorld()
	p := w.open(100)
	reserve(t, p, 60, "")
	p = w.open(100) // killed: nobody will say what became of it
	reserve(t, p, 41, NoBudget)
	reserve(t, p, 40, "")
	if s := w.sum(t, w.open(100)); s.Questions != 2 || s.Cost+s.Held != 100 {
		t.Errorf("sum = %+v", s)
	}
	w.disk = []byte(`{"days":`)
	p = w.open(100)
	reserve(t, p, 1, NoBudget)
	w.now = w.now.Add(24 * time.Hour)
	reserve(t, p, 100, "")
	w.disk = []byte(`{"days":{"2026-03-02":{"cost":-500}}}`)
	reserve(t, w.open(100), 1, NoBudget)
	if _, err := Read([]byte("x"), w.now); err == nil {
		t.Error("nonsense is summed up")
	}
}

func TestNothingIsAskedUnsaved(t *testing.T) {
	w := newWorld()
	p := w.open(100)
	w.full = true
	reserve(t, p, 60, Unsaved)
	w.full = false
	reserve(t, p, 100, "")
}

// TestNeverExceeded: whatever many sessions do at once, restarts among it, a
// day costs no more than its budget.
func TestNeverExceeded(t *testing.T) {
	const budget = 10_000
	rnd := rand.New(rand.NewPCG(1, 2))
	w := newWorld()
	for range 20 {
		p := w.open(budget)
		var wg sync.WaitGroup
		for range 8 {
			seed := rnd.Uint64()
			wg.Go(func() {
				r := rand.New(rand.NewPCG(seed, 3))
				for range 50 {
					worst := price.Nano(r.IntN(900))
					id, why := p.Reserve(worst)
					if why != "" {
						continue
					}
					switch r.IntN(4) {
					case 0:
						p.Paid(id, price.Usage{Output: int(worst) / 5000}, haiku)
					case 1:
						p.Paid(id, price.Usage{}, haiku)
					case 2:
						p.Unknown(id)
					}
				}
			})
		}
		wg.Wait()
		for day, d := range p.l.Days {
			if d.Cost+d.Held > budget {
				t.Fatalf("%s cost %d of %d", day, d.Cost+d.Held, budget)
			}
		}
		if rnd.IntN(3) == 0 {
			w.now = w.now.Add(11 * time.Hour)
		}
		if rnd.IntN(2) == 0 {
			p.Flush()
		}
	}
}

func TestPause(t *testing.T) {
	w := newWorld()
	p := w.open(1000)
	for range Failures - 1 {
		if p.Failed() {
			t.Fatal("paused too early")
		}
	}
	p.Understood() // not in a row
	for range Failures - 1 {
		p.Failed()
	}
	reserve(t, p, 1, "")
	if !p.Failed() {
		t.Fatal("not paused")
	}
	reserve(t, p, 1, Paused)
	p.Flush()
	p = w.open(1000)
	w.now = w.now.Add(Pause - time.Second)
	reserve(t, p, 1, Paused)
	w.now = w.now.Add(time.Second)
	reserve(t, p, 1, "")
	if p.Failed() {
		t.Error("one failure after a pause pauses again")
	}
	p.Failed()
	p.Failed()
	w.now = w.now.Add(-240 * time.Hour) // a clock that was set back must not pause for days
	reserve(t, p, 1, "")
}

// asked books a question of this cost and a cut that is read for some requests.
func asked(t *testing.T, p *Purse, output, tokens, stay int) {
	t.Helper()
	id := reserve(t, p, 1_000_000, "")
	p.Paid(id, price.Usage{Output: output}, haiku)
	p.Cut(id, "s", "main", 1, tokens, haiku)
	p.Heard("s", "main", 1+stay)
	p.Heard("s", "main", 0)
}

func TestSwitchesItselfOff(t *testing.T) {
	w := newWorld()
	p := w.open(price.Of(10))
	for range Window {
		asked(t, p, 100, 0, 0) // nothing was hidden
	}
	if got := p.State(); got != "" || p.Notice() != "" {
		t.Fatalf("off after %d questions: %q", Window, got)
	}
	asked(t, p, 100, 0, 0)
	reserve(t, p, 1, Off)
	p.Flush()
	p = w.open(price.Of(10))
	reserve(t, p, 1, Off)
	if n := p.Notice(); !strings.Contains(n, "cost more than they saved") {
		t.Errorf("Notice = %q", n)
	}
	if n := p.Notice(); n != "" {
		t.Errorf("told twice: %q", n)
	}
	p.Resume()
	reserve(t, p, 1, "")
}

func TestStaysOnWherePaying(t *testing.T) {
	w := newWorld()
	p := w.open(price.Of(10))
	for range 2 * Window {
		asked(t, p, 100, 1000, 3) // $0.0005 of question, $0.00125 + 3 * $0.0001 of tokens
	}
	if got := p.State(); got != "" {
		t.Errorf("State = %q", got)
	}
}

func TestWorthByStay(t *testing.T) {
	w := newWorld()
	p := w.open(price.Of(1))
	id := reserve(t, p, 1_000_000, "")
	p.Paid(id, price.Usage{Input: 1000, Output: 100}, haiku)
	p.Cut(id, "s", "main", 7, 2000, haiku)
	p.Heard("s", "main", 7)
	p.Heard("s", "agent", 90) // another conversation
	p.Heard("s", "main", 10)
	p.Flush()
	p = w.open(price.Of(1)) // the credit goes on after a restart
	p.Heard("s", "main", 12)
	p.Recalled(id, "s", "main", 500, haiku)
	p.Heard("s", "main", 14)
	p.Heard("s", "main", 3) // a reload begins to count anew
	p.Heard("s", "main", 4)
	s := w.sum(t, p)
	want := Day{
		Questions: 1, Usage: price.Usage{Input: 1000, Output: 100}, Cost: haiku.Of(price.Usage{Input: 1000, Output: 100}),
		Kept: 2000, Reads: 2000*5 + 1500*3,
		Gross:   haiku.Of(price.Usage{CacheWrite: 2000, CacheRead: 2000*5 + 1500*3}),
		Recalls: 1, RecallCost: haiku.Of(price.Usage{CacheWrite: 500, Output: recallTokens}),
	}
	if d := cmp.Diff(want, s.Day); d != "" {
		t.Error(d)
	}
	if want := s.Gross - s.Cost - s.RecallCost; s.Net() != want {
		t.Errorf("Net = %d, want %d", s.Net(), want)
	}
}

func TestStayIsBounded(t *testing.T) {
	w := newWorld()
	p := w.open(price.Of(1))
	p.Cut(1, "s", "main", 1, 100, haiku)
	p.Heard("s", "main", 1_000_000)
	p.Heard("s", "main", 2_000_000)
	if s := w.sum(t, p); s.Reads != MaxStay*100 {
		t.Errorf("%d reads", s.Reads)
	}
	for i := range 10 * maxLoops {
		for range 2 * maxCuts / maxLoops {
			p.Cut(int64(i), "s", strings.Repeat("x", i), 1, 1, haiku)
		}
	}
	if len(p.l.Cuts) > maxLoops {
		t.Errorf("%d conversations are followed", len(p.l.Cuts))
	}
}

func TestWorth(t *testing.T) {
	if got, want := Worth(1000, 20, haiku), price.Of(0.00125+0.002); got != want {
		t.Errorf("Worth = %d, want %d", got, want)
	}
	if Worth(-5, 20, haiku) != 0 || Worth(5, -1, haiku) != 0 {
		t.Error("nothing is worth something")
	}
}
