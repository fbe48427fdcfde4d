//go:build unix

package client

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"winnow/internal/api"
	"winnow/internal/lock"
	"winnow/internal/state"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A socket in a folder that others can write to is not spoken at: not a byte
// goes out, the token least of all.
func TestForeignSocketHearsNothing(t *testing.T) {
	dir := state.Dir(t.TempDir())
	if err := dir.Make(); err != nil {
		t.Fatal(err)
	}
	if _, err := dir.ReadToken(true); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", filepath.Join(open, "s"))
	if err != nil {
		t.Fatal(err)
	}
	heard := make(chan struct{}, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if c, err := ln.Accept(); err == nil {
			heard <- struct{}{}
			c.Close()
		}
	}()
	if err := dir.WriteDaemon(api.Daemon{Pid: os.Getpid(), Socket: filepath.Join(open, "s")}); err != nil {
		t.Fatal(err)
	}
	c, err := Probe(t.Context(), dir)
	if !errors.Is(err, state.ErrNotPrivate) {
		t.Errorf("Probe = %v, %v, want ErrNotPrivate", c, err)
	}
	ln.Close()
	<-done
	select {
	case <-heard:
		t.Error("the socket was spoken at")
	default:
	}
}

// A daemon that ends at once is reported as such, without the full wait.
func TestEnsureSeesADaemonEnd(t *testing.T) {
	dir := state.Dir(t.TempDir())
	_, err := Ensure(t.Context(), Spawn{Dir: dir, Start: func() (<-chan error, error) {
		ended := make(chan error, 1)
		ended <- errStub
		return ended, nil
	}})
	if !errors.Is(err, errStub) {
		t.Errorf("Ensure = %v, want why the daemon ended", err)
	}
}

var errStub = errors.New("exit status 1")

// A hook waits less than three seconds for a daemon that hangs: two pings before,
// the wait, one ping before it is ended.
func TestAHungDaemonIsGivenUpInTime(t *testing.T) {
	if all := 3*ping + hung; all > 2500*time.Millisecond {
		t.Errorf("%v, want some room below 3 s", all)
	}
	dir := state.Dir(t.TempDir())
	l, err := lock.Acquire(dir.Lock(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if listened(dir) {
		t.Error("a daemon that wrote nothing down counts as one that has listened")
	}
	me := api.Daemon{Pid: os.Getpid(), Started: lock.StartTime(os.Getpid())}
	if err := dir.WriteDaemon(me); err != nil || !listened(dir) {
		t.Errorf("one that wrote where it listens counts as starting (%v)", err)
	}
	me.Started += "0"
	if err := dir.WriteDaemon(me); err != nil || listened(dir) {
		t.Errorf("what an earlier process of this pid wrote counts (%v)", err)
	}
}

// While somebody else starts one for too long, what answers is used, or the caller told.
func TestAnotherStartForTooLong(t *testing.T) {
	dir := state.Dir(t.TempDir())
	l, err := lock.Acquire(dir.StartLock(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	_, err = meanwhile(t.Context(), Spawn{Dir: dir}, lock.ErrHeld)
	if !errors.Is(err, lock.ErrHeld) {
		t.Errorf("meanwhile = %v, want %v", err, lock.ErrHeld)
	}
}
