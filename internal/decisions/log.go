package decisions

import (
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"winnow/internal/prune"
)

// queued bounds the entries that wait to be written: some seconds of the
// busiest session, and of a long session's earlier calls some megabytes.
const queued = 128

// leaving bounds how long [Log.Close] waits for a disk that does not answer.
const leaving = 2 * time.Second

// Options of a [Log].
type Options struct {
	// MaxBytes is the size at which a file is set aside. 0: 16 MB.
	MaxBytes int64
	// Count counts "decisions.written", ".dropped" (the queue was full) and
	// ".failed" (not written). nil: nobody counts.
	Count func(name string, n int64)
	// Log hears of the first failure of a row and of its end. nil discards.
	Log *slog.Logger
	// Now is the clock. nil: time.Now.
	Now func() time.Time
}

// Log writes decisions behind the answers. All methods may be called at the same
// time; on a nil Log they do nothing.
type Log struct {
	o     Options
	words atomic.Bool
	file  *file
	done  chan struct{}

	mu     sync.Mutex // guards closed, and the queue against a send after its close
	closed bool
	queue  chan Entry

	// Only the writer uses these.
	heard   map[string]map[string]bool // loop -> calls that are in the log
	failing bool
}

// Open starts a log at path. It does not fail: a file that cannot be opened is
// tried again with each decision.
func Open(path string, o Options) *Log {
	if o.MaxBytes == 0 {
		o.MaxBytes = 16 << 20
	}
	if o.Count == nil {
		o.Count = func(string, int64) {}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	l := &Log{o: o, file: &file{path: path, max: o.MaxBytes}, done: make(chan struct{}),
		queue: make(chan Entry, queued), heard: map[string]map[string]bool{}}
	go l.run()
	return l
}

// Words says whether tasks are logged with their text.
func (l *Log) Words(on bool) {
	if l != nil {
		l.words.Store(on)
	}
}

// Add logs a decision. It never waits: when the queue is full, the entry is dropped.
func (l *Log) Add(e Entry) {
	if l == nil {
		return
	}
	if e.Time.IsZero() {
		e.Time = l.o.Now()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	select {
	case l.queue <- e:
	default:
		l.o.Count("decisions.dropped", 1)
	}
}

// Close writes what waits and closes the file.
func (l *Log) Close() {
	if l == nil {
		return
	}
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.queue)
	}
	l.mu.Unlock()
	select {
	case <-l.done:
	case <-time.After(leaving):
		l.o.Log.Error("decisions not written out: the disk does not answer")
	}
}

func (l *Log) run() {
	defer close(l.done)
	defer l.file.close()
	for e := range l.queue {
		l.write(e)
	}
}

func (l *Log) write(e Entry) {
	defer func() { // the log is never a reason for the daemon to fall
		if p := recover(); p != nil {
			l.o.Count("decisions.failed", 1)
			l.o.Log.Error("decision not logged", "err", prune.Panicked(p))
		}
	}()
	r := record(e, l.words.Load())
	heard := l.heardIn(e.Session, e.Loop)
	if e.Event == Result {
		r.Prev = news(heard, e.Calls)
	}
	b, err := json.Marshal(r)
	if err == nil {
		err = l.file.write(append(b, '\n'))
	}
	if err != nil {
		l.o.Count("decisions.failed", 1)
		if !l.failing {
			l.o.Log.Error("decisions are not logged", "err", err)
		}
		l.failing = true
		return
	}
	l.o.Count("decisions.written", 1)
	if l.failing {
		l.o.Log.Info("decisions are logged again")
	}
	l.failing = false
	for _, p := range r.Prev {
		heard[p.Call] = true
	}
	if r.Call != "" {
		heard[r.Call] = true
	}
}

// Bounds of what is remembered of loops; forgetting only writes calls twice.
const (
	maxLoops = 256
	maxCalls = 4096
)

func (l *Log) heardIn(session, loop string) map[string]bool {
	key := session + "\x00" + loop
	m := l.heard[key]
	if m == nil || len(m) > maxCalls {
		if len(l.heard) >= maxLoops {
			clear(l.heard)
		}
		m = map[string]bool{}
		l.heard[key] = m
	}
	return m
}

// news returns those calls of which nothing was heard.
func news(heard map[string]bool, calls []prune.Call) []Prev {
	var out []Prev
	for _, c := range calls {
		if c.ID != "" && !heard[c.ID] {
			out = append(out, prev(c))
		}
	}
	return out
}
