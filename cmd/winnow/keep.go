package main

import (
	"context"
	"errors"
	"os"
	"time"

	"winnow/internal/state"
)

// keepEvery is how often the daemon looks after its files: a few stat calls.
const keepEvery = 2 * time.Second

// keep looks after the files by which others find the daemon. What somebody
// removed by mistake is written again; when its folder is no longer its own, or
// its socket is gone, nobody can reach it any more and it leaves.
func (d *daemon) keep(ctx context.Context) {
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if !d.lock.Stands(d.dir.Lock()) {
			d.log.Warn("the folder is another daemon's or gone: leaving")
			d.server.Stop()
			return
		}
		if _, err := os.Stat(d.me.Socket); errors.Is(err, os.ErrNotExist) {
			d.log.Warn("the socket is gone: leaving", "err", err)
			d.server.Stop()
			return
		}
		d.restore()
		d.server.Mend()
		d.remember()
		d.desk.Sweep()
	}
}

// restore writes the token, daemon.json and the lock's owner again where they are
// missing or not ours. What cannot be written is said once.
func (d *daemon) restore() {
	if !d.lock.Signed() {
		_ = d.lock.Sign()
	}
	if t, err := d.dir.ReadToken(false); err != nil || t != d.me.Token {
		if err := state.WriteFile(d.dir.Token(), []byte(d.me.Token+"\n")); err != nil {
			d.sayOnce("token not restored", err)
		}
	}
	if at, err := d.dir.ReadDaemon(); err != nil || at.Pid != d.me.Pid || at.Token != d.me.Token {
		if err := d.dir.WriteDaemon(d.me); err != nil {
			d.sayOnce("daemon.json not restored", err)
		}
	}
}

// sayOnce logs what would else be logged every two seconds.
func (d *daemon) sayOnce(what string, err error) {
	if _, said := d.said.LoadOrStore(what, true); !said {
		d.log.Error(what, "err", err)
	}
}

// retract removes daemon.json and the socket, unless a later daemon's stand there.
func (d *daemon) retract() {
	if at, err := d.dir.ReadDaemon(); err == nil && at.Pid == d.me.Pid && at.Started == d.me.Started {
		os.Remove(d.dir.Daemon())
		os.Remove(d.me.Socket)
	}
}
