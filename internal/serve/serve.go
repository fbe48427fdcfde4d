// Package serve is the daemon: it listens on the state folder's socket and on
// 127.0.0.1, lets nobody in without the token, hands results to package door,
// answers recalls, and leaves when idle or asked.
//
// It listens before any model is loaded; what comes in meanwhile passes through.
package serve

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/door"
	"winnow/internal/metrics"
	"winnow/internal/prune"
	"winnow/internal/recall"
)

// Options of a Server.
type Options struct {
	Token   string
	Version string
	Build   string
	Pid     int
	// Socket and Port are where it listens, for the status.
	Socket string
	Port   int
	// Store may be nil: then nothing can be hidden; StoreError says why.
	Store      *recall.Store
	StoreError string
	Counters   *metrics.Counters
	Log        *slog.Logger // nil discards
	// Decided, when set, hears of every decision and recall; it must not wait.
	Decided func(decisions.Entry)
	// Kind names what sort of call it is, for decisions.
	Kind func(prune.Tool) string
	// Greeted, when set, hears of every session that loaded the mod.
	Greeted func(api.HelloRequest)
	// Asked, when set, is called for each status question: whoever asks goes on
	// to look for the files by which the daemon is found.
	Asked func()
	// Idle ends the daemon after that long without a request (0: never).
	Idle time.Duration
}

// Server is one daemon.
type Server struct {
	o       Options
	door    *door.Door
	start   time.Time
	stop    chan struct{}
	stopOne sync.Once

	// cur is replaced whole; a request keeps the one it began with.
	cur atomic.Pointer[current]
	// inFlight bounds the bytes of bodies being worked on.
	inFlight atomic.Int64
	// active counts requests in flight; last is when the newest one ended.
	active atomic.Int64
	last   atomic.Int64
}

// current is what a configuration and a loaded judge make together.
type current struct {
	mode, judge, judgeState, configError string
	pruner                               *prune.Pruner
	proven                               Proven
	settings                             []api.Setting
}

// New returns a server that passes everything through until [Server.SetPruner].
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Counters == nil {
		o.Counters = &metrics.Counters{}
	}
	s := &Server{o: o, start: time.Now(), stop: make(chan struct{})}
	s.cur.Store(&current{mode: door.Shadow, judgeState: "loading", pruner: prune.New(nil, prune.Options{})})
	s.door = &door.Door{Now: s.now, Count: o.Counters.Add, Log: o.Log, Decided: o.Decided, Kind: o.Kind}
	if o.Store != nil {
		s.door.Store = o.Store
	}
	s.touch()
	return s
}

func (s *Server) now() door.Current {
	c := s.cur.Load()
	return door.Current{Mode: c.mode, Pruner: c.pruner, Proven: c.proven.For}
}

func (s *Server) set(change func(*current)) {
	for {
		old := s.cur.Load()
		c := *old
		change(&c)
		if s.cur.CompareAndSwap(old, &c) {
			return
		}
	}
}

// Use swaps all that decides about a result at once: no request may meet a mode
// and the judge of another one.
func (s *Server) Use(mode string, proven Proven, p *prune.Pruner, judge, state string) {
	s.set(func(c *current) {
		c.mode, c.proven, c.pruner, c.judge, c.judgeState = mode, proven, p, judge, state
	})
}

// Proven says for which calls the judge's losses are known: For answers for one,
// Names lists them for people. The zero Proven is for none.
type Proven struct {
	For   func(prune.Tool) bool
	Names []string
}

// SetConfigError records the last bad reload, "" after a good one.
func (s *Server) SetConfigError(msg string) { s.set(func(c *current) { c.configError = msg }) }

// SetSettings records the settings in force, for the status.
func (s *Server) SetSettings(v []api.Setting) { s.set(func(c *current) { c.settings = v }) }

// shutdown is how long requests in flight may take when the daemon leaves.
const shutdown = 3 * time.Second

// Serve answers on all listeners until ctx is done, somebody asks it to stop,
// or it has been idle; then it finishes what is in flight and returns nil.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	srv := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		IdleTimeout:       2 * time.Minute,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connKey{}, c)
		},
		ErrorLog: slog.NewLogLogger(s.o.Log.Handler(), slog.LevelWarn),
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make(chan error, len(listeners))
	for _, ln := range listeners {
		go func() { errs <- srv.Serve(ln) }()
	}
	idle := s.watchIdle(ctx)
	var err error
	left := len(listeners)
	select {
	case err = <-errs:
		left--
	case <-ctx.Done():
	case <-s.stop:
	case <-idle:
	}
	cancel()
	sctx, done := context.WithTimeout(context.WithoutCancel(ctx), shutdown)
	defer done()
	if serr := srv.Shutdown(sctx); serr != nil {
		srv.Close()
	}
	for ; left > 0; left-- {
		err = errors.Join(err, ignoreClosed(<-errs))
	}
	<-idle
	return ignoreClosed(err)
}

func ignoreClosed(err error) error {
	if err == nil || errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}

// Stop makes Serve return.
func (s *Server) Stop() { s.stopOne.Do(func() { close(s.stop) }) }

func (s *Server) touch() { s.last.Store(time.Now().UnixNano()) }

// watchIdle returns a channel that is closed when the daemon has been idle for
// the period, or when ctx is done. Monotonic time is not used: a suspended
// laptop has been idle, too.
func (s *Server) watchIdle(ctx context.Context) <-chan struct{} {
	out := make(chan struct{})
	go func() {
		defer close(out)
		if s.o.Idle <= 0 {
			<-ctx.Done()
			return
		}
		tick := time.NewTicker(max(s.o.Idle/20, time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				quiet := time.Duration(time.Now().UnixNano() - s.last.Load())
				if s.active.Load() == 0 && quiet >= s.o.Idle {
					return
				}
			}
		}
	}()
	return out
}

func (s *Server) status() api.Status {
	c := s.cur.Load()
	counts := s.o.Counters.Snapshot()
	if s.o.Store != nil {
		if pruned, recalled, err := s.o.Store.Counts(); err == nil {
			counts["keys.pruned"], counts["keys.recalled"] = pruned, recalled
		}
	}
	st := api.Status{
		Pid: s.o.Pid, Version: s.o.Version, Build: s.o.Build,
		UptimeMS: time.Since(s.start).Milliseconds(),
		Mode:     s.now().Told(), Setting: c.mode, Judge: c.judge, JudgeState: c.judgeState,
		Socket: s.o.Socket, Port: s.o.Port,
		ConfigError: c.configError, Settings: c.settings, StoreError: s.o.StoreError,
		Counts: counts,
	}
	if c.mode == door.Auto {
		st.ActiveFor = c.proven.Names
	}
	return st
}
