package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// MaxBody bounds one request; the client itself shows at most some 256 KB, and
// saved outputs come by path.
const MaxBody = 32 << 20

const (
	// maxInFlight bounds the bodies being worked on together; over it a result
	// passes through at once.
	maxInFlight = 48 << 20
	// A body, or a saved output, over large is worked on alone, since work on it
	// takes several times its size; another one waits for its turn at most turnWait.
	large    = 2 << 20
	turnWait = time.Second
	// largeRead is what the rest of a large body may take to come: it is in the
	// way of others meanwhile.
	largeRead = 2 * time.Second
	// firstRead bounds what is set aside for a body before any of it has come.
	firstRead = 1 << 20
	// freeAfter is how long after a large body its memory is given back.
	freeAfter = time.Second
)

var errBusy = errors.New("too much in flight")

// bodies bounds the memory that requests take. The zero value is ready.
type bodies struct {
	total atomic.Int64 // bytes of bodies being worked on

	once sync.Once
	turn chan struct{} // held by the one large body

	mu    sync.Mutex // guards the fields below
	timer *time.Timer
	ended bool
}

func (b *bodies) init() { b.once.Do(func() { b.turn = make(chan struct{}, 1) }) }

// meter is a request's body: it counts what is read, waits for its turn where it
// is large, and fails where there is too much. Bytes count as they come, so that a
// sender who promises much and sends nothing holds up nobody.
type meter struct {
	io.ReadCloser
	b    *bodies
	ctx  context.Context // of the request whose body it is
	w    http.ResponseWriter
	n    int64
	turn bool
}

func (b *bodies) meter(w http.ResponseWriter, r *http.Request) *meter {
	b.init()
	return &meter{ReadCloser: http.MaxBytesReader(w, r.Body, MaxBody), b: b, ctx: r.Context(), w: w}
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.n += int64(n)
	if m.b.total.Add(int64(n)) > maxInFlight {
		return n, errBusy
	}
	if m.n > large && !m.turn {
		if !m.take() {
			return n, errBusy
		}
		m.until(largeRead)
	}
	return n, err
}

// take waits for the turn of a large body.
func (m *meter) take() bool {
	t := time.NewTimer(turnWait)
	defer t.Stop()
	select {
	case m.b.turn <- struct{}{}:
	case <-t.C:
		return false
	case <-m.ctx.Done():
		return false
	}
	m.turn = true
	return true
}

// until bounds the reading; a connection that cannot say so has other bounds.
func (m *meter) until(d time.Duration) {
	_ = http.NewResponseController(m.w).SetReadDeadline(time.Now().Add(d))
}

// release gives the bytes free when the request has been answered.
func (m *meter) release() {
	m.b.total.Add(-m.n)
	if m.turn {
		<-m.b.turn
		m.b.freeSoon()
	}
}

// read takes the body in whole.
func (s *Server) read(r *http.Request) (body []byte, ok bool) {
	// Read in large pieces: each small one would be a system call.
	buf := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), firstRead)+bytes.MinRead))
	m, ok := r.Body.(*meter)
	if !ok {
		return nil, false
	}
	_, err := buf.ReadFrom(io.LimitReader(m, firstRead))
	if err == nil && int64(buf.Len()) == firstRead {
		// It comes: the rest needs no buffer that doubles.
		buf.Grow(int(min(max(r.ContentLength-firstRead, 0), MaxBody)) + bytes.MinRead)
		_, err = buf.ReadFrom(m)
	}
	if m.turn && err == nil { // else what is left of it is not waited for
		m.until(readTimeout)
	}
	switch {
	case errors.Is(err, errBusy):
		s.o.Counters.Add("refused.busy", 1)
	case err != nil:
		s.o.Counters.Add("refused.body", 1)
	}
	return buf.Bytes(), err == nil
}

// freeSoon gives memory back to the system when no large body has come for a while:
// the runtime would keep it for minutes.
func (b *bodies) freeSoon() {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.ended:
	case b.timer == nil:
		b.timer = time.AfterFunc(freeAfter, b.free)
	default:
		b.timer.Reset(freeAfter)
	}
}

func (b *bodies) free() {
	b.mu.Lock() // so that wait waits for it
	defer b.mu.Unlock()
	if !b.ended && len(b.turn) == 0 {
		debug.FreeOSMemory()
	}
}

// wait ends what freeSoon began.
func (b *bodies) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	if b.timer != nil {
		b.timer.Stop()
	}
}
