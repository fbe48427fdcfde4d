//go:build cgo

package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"winnow/internal/lexical"
	"winnow/internal/ortlib"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// chunk is the most lines that are judged together: a longer text is judged in
// pieces. Between runs the context is looked at.
const chunk = 4096

// piece is the most lines of a run of the cheap stage, which judges each by
// itself and takes some 30 KB a line meanwhile.
const piece = 512

// maxLines is the longest text that is judged. More lines than this take longer
// than anybody waits, and their features more memory than a daemon should have.
const maxLines = 1 << 16

// defaultRuns is Options.Runs where that is 0: one run uses one core, and more
// than this takes the machine from the agent's own work.
const defaultRuns = 2

// Model is the resident judge. Its methods may be called from several
// goroutines at once.
type Model struct {
	runs chan struct{} // a place for each run under way
	done chan struct{} // closed by Close

	// mu is held for reading by each Score and for writing by Close, so that the
	// sessions outlive every run. closed is guarded by it.
	mu       sync.RWMutex
	closed   bool
	reader   *reader
	features *ort.DynamicAdvancedSession
	judge    *ort.DynamicAdvancedSession
	once     sync.Once
}

var _ prune.Scorer = (*Model)(nil)

// Open loads onnxruntime and the model and runs it once. It takes tens of
// milliseconds, some more on the first start ever; callers do it in the
// background. An error wraps [ErrUnavailable] where no model could work here.
func Open(ctx context.Context, o Options) (*Model, error) {
	library, err := ortlib.Path(o.CacheDir)
	if err != nil {
		return nil, fmt.Errorf("find onnxruntime: %w: %w", ErrUnavailable, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := environment(library); err != nil {
		return nil, err
	}
	if o.Runs <= 0 {
		o.Runs = defaultRuns
	}
	m := &Model{runs: make(chan struct{}, o.Runs), done: make(chan struct{})}
	if err := errors.Join(m.load(), m.check(ctx)); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

func (m *Model) load() (err error) {
	if m.features, err = newSession(featuresONNX, []string{"lines"}, []string{"odds"}); err != nil {
		return err
	}
	if m.judge, err = newSession(judgeONNX, []string{"lines", "odds", "vectors", "matches", "query", "doc"}, []string{"p", "failure"}); err != nil {
		return err
	}
	m.reader, err = newReader()
	return err
}

// check refuses a model trained on other features and warms the sessions up: the
// first run allocates and costs more than those after it.
func (m *Model) check(ctx context.Context) error {
	if m.reader == nil {
		return nil // load has said why
	}
	for _, s := range []*ort.DynamicAdvancedSession{m.features, m.judge} {
		v, err := property(s, "features")
		if err != nil {
			return err
		}
		if v != lexical.Version {
			return fmt.Errorf("model wants features %q, this build makes %q", v, lexical.Version)
		}
	}
	if _, err := m.Score(ctx, prune.Query{}, text.Split("warm\nup")); err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	return nil
}

// Close waits for scores under way, which end early with [ErrClosed], and
// frees the sessions. Further calls do nothing.
func (m *Model) Close() error {
	var err error
	m.once.Do(func() {
		close(m.done)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.closed = true
		for _, s := range m.sessions() {
			err = errors.Join(err, s.Destroy())
		}
	})
	return err
}

// sessions returns those that were made.
func (m *Model) sessions() []*ort.DynamicAdvancedSession {
	all := []*ort.DynamicAdvancedSession{m.features, m.judge}
	if m.reader != nil {
		all = append(all, m.reader.session)
	}
	return slices.DeleteFunc(all, func(s *ort.DynamicAdvancedSession) bool { return s == nil })
}

// Score returns the model's probabilities, rounded. It loads nothing and gives
// the same numbers for the same arguments. Of a text of too many lines it says
// [ErrLong].
func (m *Model) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return prune.Scores{}, ErrClosed
	}
	if d.Len() > maxLines {
		return prune.Scores{}, fmt.Errorf("%w: %d, over %d", ErrLong, d.Len(), maxLines)
	}
	if err := m.enter(ctx); err != nil {
		return prune.Scores{}, err
	}
	defer func() { <-m.runs }()
	t, err := lexical.NewTable(ctx, q, d)
	if err != nil {
		return prune.Scores{}, err
	}
	return m.score(ctx, q, d, t)
}

// enter takes a place among the runs.
func (m *Model) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil { // select would choose at random
		return err
	}
	select {
	case m.runs <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-m.done:
		return ErrClosed
	}
}

func (m *Model) score(ctx context.Context, q prune.Query, d text.Doc, t *lexical.Table) (prune.Scores, error) {
	odds, err := m.odds(ctx, t)
	if err != nil {
		return prune.Scores{}, err
	}
	found, err := m.reader.read(func() error { return m.open(ctx) }, q, d, odds)
	if err != nil {
		return prune.Scores{}, err
	}
	n := t.Len()
	out := prune.Scores{Line: make([]float64, 0, n)}
	g := newGiven(min(n, chunk), t.Doc(), found.query)
	for from := 0; from < n; from += chunk {
		if err := m.open(ctx); err != nil {
			return prune.Scores{}, err
		}
		g.fill(t, odds, found, from, min(n, from+chunk))
		p, failure, err := m.infer(g)
		if err != nil {
			return prune.Scores{}, err
		}
		for _, v := range p {
			out.Line = append(out.Line, lexical.Round(float64(v)))
		}
		out.Failure = lexical.Round(float64(failure))
	}
	t.SettleBlank(out.Line)
	return out, nil
}

// open is asked between runs.
func (m *Model) open(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-m.done:
		return ErrClosed
	default:
		return nil
	}
}

// odds runs the cheap stage: the log odds of each line by its features.
func (m *Model) odds(ctx context.Context, t *lexical.Table) ([]float32, error) {
	n := t.Len()
	out := make([]float32, n)
	var rows []float32
	for from := 0; from < n; from += piece {
		if err := m.open(ctx); err != nil {
			return nil, err
		}
		to := min(n, from+piece)
		rows = t.Rows(from, to, rows[:0])
		var v tensors
		err := v.run(m.features,
			[]ort.Value{v.make(rows, int64(to-from), int64(lexical.LineDim))},
			[]ort.Value{v.make(out[from:to], int64(to-from), 1)})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
