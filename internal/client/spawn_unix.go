//go:build unix

package client

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"winnow/internal/state"
)

// Detached starts exe with args as a daemon: its own session, null stdio (an
// inherited pipe would keep the caller's reader waiting), the state folder as
// its working directory, and no more environment than it needs.
func Detached(dir state.Dir, exe string, args ...string) (<-chan error, error) {
	cmd := exec.Command(exe, args...)
	cmd.Dir = string(dir)
	cmd.Env = daemonEnv(os.Environ())
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() { // ends with the daemon, or with this process
		err := cmd.Wait()
		if err == nil {
			err = errors.New("exit status 0")
		}
		ended <- err
	}()
	return ended, nil
}

// daemonEnv keeps what locates folders and what configures winnow; a session's
// keys and sockets are none of the daemon's business.
func daemonEnv(env []string) []string {
	var kept []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case strings.HasPrefix(name, "WINNOW_"), name == "HOME", name == "PATH", name == "USER",
			name == "XDG_CACHE_HOME", name == "LANG", name == "LD_LIBRARY_PATH", name == "GOCOVERDIR":
			kept = append(kept, kv)
		}
	}
	return kept
}
