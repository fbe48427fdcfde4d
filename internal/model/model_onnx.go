//go:build cgo

package model

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"winnow/internal/lexical"
	"winnow/internal/ortlib"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// chunk is the number of lines of one run: between runs the context is looked at.
const chunk = 2048

// defaultRuns is Options.Runs where that is 0: one run uses one core, and more
// than this takes the machine from the agent's own work.
const defaultRuns = 2

// Model is the resident judge. Its methods may be called from several
// goroutines at once.
type Model struct {
	runs chan struct{} // a place for each run under way
	done chan struct{} // closed by Close

	// mu is held for reading by each Score and for writing by Close, so that the
	// session outlives every run. closed is guarded by it.
	mu      sync.RWMutex
	closed  bool
	session *ort.DynamicAdvancedSession
	once    sync.Once
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
	session, err := newSession(blendONNX, []string{"lines", "doc"}, []string{"p", "failure"})
	if err != nil {
		return nil, err
	}
	if o.Runs <= 0 {
		o.Runs = defaultRuns
	}
	m := &Model{session: session, runs: make(chan struct{}, o.Runs), done: make(chan struct{})}
	if err := m.check(ctx); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return m, nil
}

// check refuses a model trained on other features and warms the session up: the
// first run allocates and costs more than those after it.
func (m *Model) check(ctx context.Context) error {
	v, err := property(m.session, "features")
	if err != nil {
		return err
	}
	if v != lexical.Version {
		return fmt.Errorf("model wants features %q, this build makes %q", v, lexical.Version)
	}
	if _, err := m.Score(ctx, prune.Query{}, text.Split("warm\nup")); err != nil {
		return fmt.Errorf("first run: %w", err)
	}
	return nil
}

// Close waits for scores under way, which end early with [ErrClosed], and
// frees the session. Further calls do nothing.
func (m *Model) Close() error {
	var err error
	m.once.Do(func() {
		close(m.done)
		m.mu.Lock()
		defer m.mu.Unlock()
		m.closed = true
		err = m.session.Destroy()
	})
	return err
}

// Score returns the model's probabilities, rounded. It loads nothing and gives
// the same numbers for the same arguments.
func (m *Model) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.closed {
		return prune.Scores{}, ErrClosed
	}
	if err := m.enter(ctx); err != nil {
		return prune.Scores{}, err
	}
	defer func() { <-m.runs }()
	t, err := lexical.NewTable(ctx, q, d)
	if err != nil {
		return prune.Scores{}, err
	}
	return m.score(ctx, t)
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

func (m *Model) score(ctx context.Context, t *lexical.Table) (prune.Scores, error) {
	n := t.Len()
	out := prune.Scores{Line: make([]float64, 0, n)}
	var rows []float32
	doc := t.Doc()
	for from := 0; from < n; from += chunk {
		select {
		case <-ctx.Done():
			return prune.Scores{}, ctx.Err()
		case <-m.done:
			return prune.Scores{}, ErrClosed
		default:
		}
		to := min(n, from+chunk)
		rows = t.Rows(from, to, rows[:0])
		p, failure, err := infer(m.session, rows, doc)
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

// infer runs the network on rows of features and a text's features.
func infer(s *ort.DynamicAdvancedSession, rows, doc []float32) (p []float32, failure float32, err error) {
	n := len(rows) / lexical.LineDim
	var t tensors
	defer func() { err = errors.Join(err, t.destroy()) }()
	p = make([]float32, n)
	fail := make([]float32, 1)
	in := []ort.Value{t.make(rows, int64(n), int64(lexical.LineDim)), t.make(doc, 1, int64(lexical.DocDim))}
	out := []ort.Value{t.make(p, int64(n)), t.make(fail, 1)}
	if t.err != nil {
		return nil, 0, t.err
	}
	if err := s.Run(in, out); err != nil {
		return nil, 0, err
	}
	for _, v := range append(p, fail...) {
		if math.IsNaN(float64(v)) {
			return nil, 0, errors.New("model answered NaN")
		}
	}
	return p, fail[0], nil
}

// tensors are made over Go's memory, which they do not copy, and freed together.
type tensors struct {
	all []*ort.Tensor[float32]
	err error
}

func (t *tensors) make(data []float32, shape ...int64) ort.Value {
	v, err := ort.NewTensor(ort.NewShape(shape...), data)
	if err != nil {
		t.err = errors.Join(t.err, fmt.Errorf("make tensor: %w", err))
		return nil
	}
	t.all = append(t.all, v)
	return v
}

func (t *tensors) destroy() error {
	var err error
	for _, v := range t.all {
		err = errors.Join(err, v.Destroy())
	}
	return err
}
