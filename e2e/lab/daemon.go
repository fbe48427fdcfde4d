//go:build e2e

package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Daemon is what the daemon wrote of itself.
type Daemon struct {
	Pid   int    `json:"pid"`
	Port  int    `json:"port"`
	Token string `json:"token"`
}

// Status is what the tests read of the daemon's status, by its names on the wire.
type Status struct {
	Pid        int              `json:"pid"`
	Mode       string           `json:"mode"`
	Judge      string           `json:"judge"`
	JudgeState string           `json:"judge_state"`
	Counts     map[string]int64 `json:"counts"`
}

// UseWinnow loads the plugin and configures the daemon.
func (l *Lab) UseWinnow(env string) {
	l.Helper()
	l.Plugin = l.Repo
	l.Configure(env)
}

// Configure writes the daemon's configuration; a running one follows it.
func (l *Lab) Configure(env string) {
	l.Helper()
	if err := os.WriteFile(filepath.Join(l.Winnow, "env"), []byte(env), 0o600); err != nil {
		l.Fatal(err)
	}
}

// Command runs the winnow command and returns what it printed.
func (l *Lab) Command(args ...string) (stdout string, err error) {
	return l.Exec(filepath.Join(l.Repo, "bin", "winnow"), args...)
}

// Exec runs another winnow.
func (l *Lab) Exec(exe string, args ...string) (stdout string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Dir, cmd.Env = l.Project, l.environ()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("winnow %v: %w: %s", args, err, errs.String())
	}
	return out.String(), nil
}

// StartDaemon starts the daemon and waits until its judge is ready.
func (l *Lab) StartDaemon() {
	l.Helper()
	if _, err := l.Command("serve", "--ensure"); err != nil {
		l.Fatal(err)
	}
	l.AwaitReady()
}

// AwaitReady waits until a daemon answers with its judge ready.
func (l *Lab) AwaitReady() { l.await(func(s Status) bool { return s.JudgeState == "ready" }) }

// AwaitMode waits until the daemon has followed a change of its mode.
func (l *Lab) AwaitMode(mode string) { l.await(func(s Status) bool { return s.Mode == mode }) }

// AwaitSecond waits until the daemon says so of its second judge.
func (l *Lab) AwaitSecond(says string) {
	l.Helper()
	l.await(func(Status) bool {
		out, err := l.Command("status")
		return err == nil && strings.Contains(out, says)
	})
}

func (l *Lab) await(ok func(Status) bool) {
	l.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		s, err := l.Status()
		if err == nil && ok(s) {
			return
		}
		if time.Now().After(deadline) {
			l.Errorf("the daemon is not so: %+v, %v\n%s", s, err, tail(l.DaemonLog(), 4000))
			return
		}
	}
}

// Status asks the daemon.
func (l *Lab) Status() (Status, error) {
	var s Status
	out, err := l.Command("status", "--json")
	if err == nil {
		err = json.Unmarshal([]byte(out), &s)
	}
	return s, err
}

// DaemonLog returns the daemon's log.
func (l *Lab) DaemonLog() string {
	b, _ := os.ReadFile(filepath.Join(l.Winnow, "daemon.log"))
	return string(b)
}

// Daemon reads the daemon's own file; the zero value when there is none.
func (l *Lab) Daemon() (d Daemon) {
	b, err := os.ReadFile(filepath.Join(l.Winnow, "daemon.json"))
	if err != nil || json.Unmarshal(b, &d) != nil {
		return Daemon{}
	}
	return d
}

// DaemonPID returns the pid of the daemon of this lab's state folder, 0 when
// none runs. The process must name our folder: a pid alone is reused.
func (l *Lab) DaemonPID() int {
	d := l.Daemon()
	if d.Pid <= 1 {
		return 0
	}
	cmd, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(d.Pid), "cmdline"))
	if err != nil || !bytes.Contains(cmd, []byte(l.Winnow)) {
		return 0
	}
	return d.Pid
}

// Signal sends sig to this lab's daemon. A mock's step may call it, so it does
// not end the test.
func (l *Lab) Signal(sig syscall.Signal) {
	l.Helper()
	pid := l.DaemonPID()
	if pid == 0 {
		l.Error("no daemon to signal")
		return
	}
	if err := syscall.Kill(pid, sig); err != nil {
		l.Error(err)
	}
}

// StopDaemon ends this lab's daemon, however it is, and waits for its end.
func (l *Lab) StopDaemon() {
	pid := l.DaemonPID()
	if pid == 0 {
		return
	}
	syscall.Kill(pid, syscall.SIGCONT)
	syscall.Kill(pid, syscall.SIGTERM)
	for i := 0; l.DaemonPID() == pid; i++ {
		if i == 100 {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
