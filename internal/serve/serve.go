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
	"winnow/internal/hook"
	"winnow/internal/marker"
	"winnow/internal/metrics"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/seen"
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
	// PortError says why there is no port.
	PortError string
	// Store is what hidden text goes into. nil: nothing can be hidden until
	// [Server.SetStore]; with Opening that is expected soon, and recalls wait for it.
	Store    *recall.Store
	Opening  bool
	Counters *metrics.Counters
	Log      *slog.Logger // nil discards
	// Decided, when set, hears of every decision and recall; it must not wait.
	Decided func(decisions.Entry)
	// Kind names what sort of call it is, for decisions.
	Kind func(prune.Tool) string
	// Greeted, when set, hears of every session that loaded the mod.
	Greeted func(api.HelloRequest)
	// Known are the sessions that loaded the mod before this daemon came.
	Known []api.Hello
	// Hint says how the agent of a hook payload can recall, see [door.Door].
	Hint func(*hook.Event) string
	// Seen knows what each loop was shown. nil: nobody does.
	Seen *seen.Book
	// Desk knows the second judge's questions. nil: nobody is asked.
	Desk *door.Desk
	// Asked, when set, is called for each status question: whoever asks goes on
	// to look for the files by which the daemon is found.
	Asked func()
	// Idle ends the daemon after that long without a request (0: never).
	Idle time.Duration
	// Ticks, when set, stands for the clock of Idle: [idleTicks] ticks are the period.
	Ticks <-chan time.Time
}

// Server is one daemon.
type Server struct {
	o       Options
	door    *door.Door
	start   time.Time
	stop    chan struct{}
	stopOne sync.Once

	// cur is replaced whole; a request keeps the one it began with.
	cur   atomic.Pointer[current]
	shelf shelf
	// reducer is what /v1/compress asks.
	reducer reducer
	doors   doors
	// bodies bounds what is being worked on.
	bodies bodies
	// active counts requests in flight, asked all that ever came.
	active, asked atomic.Int64
	leaving       atomic.Bool
}

// current is what a configuration and a loaded judge make together.
type current struct {
	mode, judge, judgeState, configError string
	seen                                 string
	pruner                               *prune.Pruner
	proven                               Proven
	settings                             []api.Setting
	second                               door.Second
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
	s.shelf.log, s.shelf.now = o.Log, make(chan struct{})
	switch {
	case o.Store != nil:
		s.SetStore(o.Store, "")
	case !o.Opening:
		s.SetStore(nil, noStore)
	}
	s.door = &door.Door{Now: s.now, Store: &s.shelf, Count: o.Counters.Add, Log: o.Log, Decided: s.judgedBy(o.Decided), Kind: o.Kind, Hint: o.Hint, Live: s.isLive, Seen: o.Seen, Desk: o.Desk}
	for _, h := range o.Known {
		s.door.Greet(h.Session, h.At)
	}
	return s
}

// judgedBy names the judge of the day in what is decided.
func (s *Server) judgedBy(decided func(decisions.Entry)) func(decisions.Entry) {
	if decided == nil {
		return nil
	}
	return func(e decisions.Entry) {
		if e.Judged {
			e.Judge = s.cur.Load().judge
		}
		decided(e)
	}
}

func (s *Server) isLive(k marker.Key) bool {
	store := s.shelf.get()
	return store != nil && store.Live(k)
}

func (s *Server) now() door.Current {
	c := s.cur.Load()
	return door.Current{Mode: c.mode, Pruner: c.pruner, Proven: c.proven.For, Seen: c.seen, Second: c.second}
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

// SetSeen sets what becomes of lines that a loop was shown before.
func (s *Server) SetSeen(mode string) { s.set(func(c *current) { c.seen = mode }) }

// SetConfigError records the last bad reload, "" after a good one.
func (s *Server) SetConfigError(msg string) { s.set(func(c *current) { c.configError = msg }) }

// SetSettings records the settings in force, for the status.
func (s *Server) SetSettings(v []api.Setting) { s.set(func(c *current) { c.settings = v }) }

// readTimeout bounds the coming of one request.
const readTimeout = 30 * time.Second

// drain is how long a daemon that leaves waits for a moment without requests in
// flight; shutdown is what those still in flight may then take.
const (
	drain    = 3 * time.Second
	shutdown = 3 * time.Second
)

// Serve answers on all listeners until ctx is done, somebody asks it to stop,
// or it has been idle; then it finishes what is in flight and returns nil.
func (s *Server) Serve(ctx context.Context, listeners ...net.Listener) error {
	srv := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       readTimeout,
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
	s.finish()
	sctx, done := context.WithTimeout(context.WithoutCancel(ctx), shutdown)
	defer done()
	if serr := srv.Shutdown(sctx); serr != nil {
		srv.Close()
	}
	for ; left > 0; left-- {
		err = errors.Join(err, ignoreClosed(<-errs))
	}
	<-idle
	s.bodies.wait()
	return ignoreClosed(err)
}

// finish waits for a moment without requests in flight. Until then everything is
// answered as before, pings above all: whoever asks sees that the daemon leaves
// and does not hang.
func (s *Server) finish() {
	s.leaving.Store(true)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.NewTimer(drain)
	defer end.Stop()
	for s.active.Load() > 0 {
		select {
		case <-tick.C:
		case <-end.C:
			return
		}
	}
}

func ignoreClosed(err error) error {
	if err == nil || errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}

// Stop makes Serve return.
func (s *Server) Stop() { s.stopOne.Do(func() { close(s.stop) }) }

func (s *Server) status() api.Status {
	c := s.cur.Load()
	counts := s.o.Counters.Snapshot()
	if store := s.shelf.get(); store != nil {
		if pruned, recalled, err := store.Counts(); err == nil {
			counts["keys.pruned"], counts["keys.recalled"] = pruned, recalled
		}
	}
	st := api.Status{
		Pid: s.o.Pid, Version: s.o.Version, Build: s.o.Build, Wire: api.Wire, Leaving: s.leaving.Load(),
		UptimeMS: time.Since(s.start).Milliseconds(),
		Mode:     s.now().Told(), Setting: c.mode, Judge: c.judge, JudgeState: c.judgeState,
		Socket: s.o.Socket, Port: s.o.Port, PortError: s.o.PortError, Doors: s.doors.list(),
		ConfigError: c.configError, Settings: c.settings,
		Counts: counts,
	}
	st.StoreOpening, st.StoreError = s.shelf.state()
	st.Second = s.secondStatus(c)
	if c.mode == door.Auto {
		st.ActiveFor = c.proven.Names
	}
	return st
}
