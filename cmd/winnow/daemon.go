package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"winnow/internal/api"
	"winnow/internal/config"
	"winnow/internal/decisions"
	"winnow/internal/doctor"
	"winnow/internal/door"
	"winnow/internal/lexical"
	"winnow/internal/lock"
	"winnow/internal/metrics"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/seen"
	"winnow/internal/serve"
	"winnow/internal/state"
)

// daemon is everything one running daemon holds.
type daemon struct {
	// good says that a good configuration was ever read.
	good      atomic.Bool
	dir       state.Dir
	log       *slog.Logger
	lock      *lock.Lock
	store     atomic.Pointer[recall.Store] // nil until it is open
	decided   *decisions.Log
	seen      *seen.Book
	desk      *door.Desk
	server    *serve.Server
	listeners []net.Listener
	// me is what daemon.json says.
	me api.Daemon
	// began is the configuration at the start: some settings count only then.
	began config.Config
	clocks

	hellos sync.Mutex // held while one is written
	said   sync.Map   // what sayOnce has said

	mu     sync.Mutex // guards cfg and judges; held while a judge is loaded
	cfg    config.Config
	judges map[string]judge
}

// clocks are what a daemon goes by beside deadlines: the store's time, the ticks of
// idleness, the rounds of upkeep. nil is the real one; tests let days pass.
type clocks struct {
	now           func() time.Time
	ticks, rounds <-chan time.Time
}

// startDaemon takes the lock and listens; nothing is judged yet.
func startDaemon(ctx context.Context, dir state.Dir, log *slog.Logger, by clocks) (_ *daemon, err error) {
	// Somebody who looks whether it is held holds it for a moment.
	l, err := lock.Acquire(dir.Lock(), 100*time.Millisecond)
	if errors.Is(err, lock.ErrHeld) {
		return nil, withHint(fmt.Errorf("a daemon already runs for %s", dir), "winnow status")
	}
	if err != nil {
		return nil, withHint(err, "ls -l "+doctor.Quote(dir.Lock())+"  # it must be a plain file or none")
	}
	d := &daemon{dir: dir, log: log, lock: l, judges: map[string]judge{}, clocks: by}
	defer func() {
		if err != nil {
			d.close()
		}
	}()
	token, err := dir.ReadToken(true)
	if err != nil {
		return nil, err
	}
	cfg, cfgErr := config.Load(dir.Env(), os.Getenv)
	if cfgErr != nil {
		// Whoever wrote the file may have meant off or shadow.
		cfg = config.Default()
		cfg.Mode = config.Shadow
	}
	d.cfg, d.began = cfg, cfg
	counts := &metrics.Counters{}
	log = slog.New(metrics.Logged(log.Handler(), counts))
	d.log = log
	d.decided = decisions.Open(decisionsFile(dir), decisions.Options{Count: counts.Add, Log: log})
	d.decided.Words(cfg.LogTasks)
	d.seen = openSeen(string(dir), log, by.now)
	d.desk = openDesk(dir, log, by.now)
	sock, err := dir.Socket()
	if err != nil {
		return nil, err
	}
	d.me = api.Daemon{Pid: os.Getpid(), Started: lock.StartTime(os.Getpid()), Version: version, Socket: sock, Token: token, Mode: cfg.Mode}
	var taken string
	if d.listeners, d.me.Port, taken, err = listen(sock, cfg.Port, log); err != nil {
		return nil, err
	}
	d.server = serve.New(serve.Options{
		Token: token, Version: version, Build: build(), Pid: d.me.Pid,
		Socket: sock, Port: d.me.Port, PortError: taken, Opening: true,
		Counters: counts, Log: log, Decided: d.decided.Add, Kind: lexical.Kind, Hint: hookHint(log), Known: greetings(dir), Greeted: d.greeted, Asked: d.restore, Seen: d.seen, Desk: d.desk, Idle: time.Duration(cfg.IdleMinutes) * idleUnit, Ticks: d.ticks,
	})
	d.loading(cfg)
	d.server.SetSettings(shown(cfg))
	d.configState(cfg, cfgErr)
	return d, d.publish()
}

// idleUnit is the unit of WINNOW_IDLE_MINUTES; a test's minutes are short.
var idleUnit = time.Minute

// publish writes where the daemon listens. A full disk is no reason to fail:
// [daemon.restore] tries again until it can be written.
func (d *daemon) publish() error {
	err := d.dir.WriteDaemon(d.me)
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		d.log.Warn("daemon.json not written: the mod cannot find this daemon yet", "err", err)
		return nil
	}
	return err
}

// openStore opens the store behind the listener, and tries again while it cannot
// be opened: a disk gets room, whoever holds the file lets go.
func (d *daemon) openStore(ctx context.Context) {
	said := ""
	for wait := time.Second; ; wait = min(2*wait, time.Minute) {
		s, err := recall.Open(d.dir.Store(), recall.Options{Now: d.now})
		if err == nil {
			if at := s.Damaged(); at != "" {
				d.log.Warn("the store was damaged: set aside, a new one made", "at", at)
			}
			d.store.Store(s)
			d.server.SetStore(s, "")
			return
		}
		if err.Error() != said { // one line, not one a minute
			said = err.Error()
			d.log.Error("store not opened: nothing will be hidden", "err", err)
		}
		d.server.SetStore(nil, said)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

// serve answers until ctx is done, it is asked to leave, or it was idle. The
// judge is loaded behind, and again when the configuration names another.
func (d *daemon) serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	first := d.cfg
	opened := make(chan struct{})
	wg.Go(func() {
		defer close(opened)
		d.openStore(ctx)
	})
	wg.Go(func() {
		d.apply(ctx, first)
		<-opened
		d.upkeep(ctx) // not while the judge loads and the first results come
	})
	wg.Go(func() {
		err := config.Watch(ctx, d.dir.Env(), os.Getenv, func(c config.Config, err error) { d.reload(ctx, c, err) })
		if err != nil && ctx.Err() == nil {
			d.log.Error("configuration is not watched", "err", err)
		}
	})
	wg.Go(func() { d.keep(ctx) })
	err := d.server.Serve(ctx, d.listeners...)
	cancel()
	wg.Wait()
	d.retract()
	d.close()
	return err
}

// reload takes a changed configuration; a bad one leaves the last good one.
func (d *daemon) reload(ctx context.Context, c config.Config, err error) {
	d.configState(c, err)
	if err != nil {
		return
	}
	d.log.Info("configuration read again", "mode", c.Mode, "judge", c.Judge)
	d.apply(ctx, c)
}

// configState shows a bad configuration, or what a good one holds that means
// nothing, in the status.
func (d *daemon) configState(c config.Config, err error) {
	msg := strings.Join(c.Warnings, "; ")
	if err != nil {
		stays := "the last good settings stay"
		if !d.good.Load() {
			stays = "until it is mended all is shadow, the rest as by default"
		}
		msg = err.Error() + "; " + stays
	} else {
		d.good.Store(true)
	}
	if msg != "" {
		d.log.Warn("configuration", "state", msg)
	}
	d.server.SetConfigError(msg)
}

// loading lets results pass until the judge of c is there.
func (d *daemon) loading(c config.Config) {
	d.server.Use(c.Mode, proven(c), prune.New(nil, prune.Options{}), c.Judge, "loading")
}

// apply puts a configuration in force, mode and judge together. A loaded judge
// stays for the daemon's life: closing sessions does not give their memory back.
func (d *daemon) apply(ctx context.Context, c config.Config) {
	d.server.SetSettings(shown(c.Since(d.began)))
	d.decided.Words(c.LogTasks)
	d.server.SetSeen(c.Seen)
	d.server.SetSecond(d.secondOf(c))
	d.seen.Reach(int64(c.SeenShare * windowChars))
	d.mu.Lock()
	defer d.mu.Unlock()
	j, ok := d.judges[c.Judge]
	if !ok {
		d.loading(c)
		var err error
		if j, err = openJudge(ctx, c.Judge); err != nil {
			d.sayOnce("judge not loaded: "+c.Judge, err)
			d.server.Use(c.Mode, serve.Proven{}, prune.New(nil, prune.Options{}), c.Judge, "failed: "+err.Error())
			return
		}
		j = admitted(j)
		d.judges[c.Judge] = j
		d.log.Info("judge ready", "judge", j.name, "note", j.note)
	}
	d.server.Settled(ctx) // without a store nothing is hidden, so nothing is ready
	d.cfg = c
	ready, p := "ready", proven(c)
	if j.note != "" { // nothing is known of the one that stands in
		ready, p = "ready; "+j.note, serve.Proven{}
	}
	d.server.Use(c.Mode, p, pruner(j, c, d.dir, d.server.Live), j.name, ready)
}

// close gives everything back, the lock last.
func (d *daemon) close() {
	for _, ln := range d.listeners {
		ln.Close()
	}
	for _, j := range d.judges {
		if err := j.close(); err != nil {
			d.log.Error("close judge", "err", err)
		}
	}
	d.decided.Close()
	d.remember()
	d.desk.Close()
	if s := d.store.Load(); s != nil {
		if err := s.Close(); err != nil {
			d.log.Error("close store", "err", err)
		}
	}
	d.lock.Release()
}
