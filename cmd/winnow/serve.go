package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/client"
	"winnow/internal/doctor"
	"winnow/internal/install"
	"winnow/internal/lock"
	"winnow/internal/peer"
	"winnow/internal/state"
)

type serveFlags struct {
	ensure, replace, unstick, stop, status, json, foreground bool
	state                                                    string
}

func serveCmd() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon, or start, stop or ask the one that runs",
		Long: "Without a flag or with --foreground, run the daemon here. --ensure starts one in the background\n" +
			"unless one answers, and prints nothing; one of an older version is asked to leave first, a newer one\n" +
			"is used as it is. --replace does the same and replaces another build of this version, too. --unstick\n" +
			"ends one that no longer answers.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := stateDir(f.state)
			if err != nil {
				return err
			}
			switch {
			case f.ensure, f.replace:
				return ensureBuild(cmd.Context(), dir, f.replace)
			case f.unstick:
				return unstick(cmd.Context(), dir)
			case f.stop:
				return stop(cmd.Context(), dir)
			case f.status:
				return status(cmd, f.state, f.json)
			case f.json:
				return withHint(errors.New("--json goes with --status"), "winnow serve --status --json")
			}
			return runDaemon(cmd.Context(), dir)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.ensure, "ensure", false, "start a daemon unless one answers; print nothing")
	fl.BoolVar(&f.replace, "replace", false, "like --ensure; replace another build of the same version, too")
	fl.BoolVar(&f.unstick, "unstick", false, "end the daemon if it holds its lock but does not answer")
	fl.BoolVar(&f.stop, "stop", false, "ask the daemon to leave and wait until it has")
	fl.BoolVar(&f.status, "status", false, "like winnow status")
	fl.BoolVar(&f.json, "json", false, "with --status: print JSON")
	fl.BoolVar(&f.foreground, "foreground", false, "run the daemon here (the default)")
	fl.StringVar(&f.state, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	cmd.MarkFlagsMutuallyExclusive("replace", "unstick", "stop", "status", "foreground")
	cmd.MarkFlagsMutuallyExclusive("ensure", "unstick", "stop", "status", "foreground")
	return cmd
}

func ensure(ctx context.Context, dir state.Dir) error { return ensureBuild(ctx, dir, false) }

func ensureBuild(ctx context.Context, dir state.Dir, replace bool) error {
	exe, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find own binary: %w", err)
	}
	c, err := client.Ensure(ctx, client.Spawn{
		Dir: dir, Version: version, Build: build(), Replace: replace,
		Start: func() (<-chan error, error) {
			return detached(dir, exe)
		},
	})
	switch {
	case errors.Is(err, client.ErrNewer):
		return withHint(err, "winnow serve --stop && winnow serve --ensure  # if the older one is what you want")
	case errors.Is(err, client.ErrWire):
		return withHint(err, "winnow serve --stop && winnow serve --ensure  # or upgrade this binary")
	case err != nil:
		return withHint(err, "winnow serve --foreground  # says what is wrong")
	}
	c.Close()
	return nil
}

// detached starts the daemon from a copy outside the plugin's folder, or from exe
// itself where a copy cannot be made or run.
func detached(dir state.Dir, exe string) (<-chan error, error) {
	args := []string{"serve", "--foreground", "--state", string(dir)}
	if bin, err := install.DaemonBinary(dir, exe, version); err == nil && bin != exe {
		if ended, err := client.Detached(dir, bin, args...); err == nil {
			install.CleanCopies(dir, bin, time.Now())
			return ended, nil
		}
	}
	return client.Detached(dir, exe, args...)
}

func unstick(ctx context.Context, dir state.Dir) error {
	ended, err := client.Unstick(ctx, dir)
	if ended {
		fmt.Fprintln(os.Stderr, "winnow: ended a daemon that did not answer")
	}
	return err
}

// errHangs: somebody holds the folder and says nothing.
var errHangs = errors.New("holds the folder and does not answer")

// stop asks, then waits until the daemon is gone; it does not kill.
func stop(ctx context.Context, dir state.Dir) error {
	c, err := reach(ctx, dir)
	if c == nil || err != nil {
		return err
	}
	defer c.Close()
	if err := c.Stop(ctx); err != nil {
		return err
	}
	return client.Gone(ctx, dir, 10*time.Second) // it finishes what it answers
}

// reachWait is how long a daemon that holds its folder gets to answer: it may be
// starting, leaving, or on a machine that is busy.
const reachWait = 3 * time.Second

// reach returns a client to the daemon, nil where there is none. One that holds the
// folder and says nothing is an error: who asks it to stop must not think it has.
func reach(ctx context.Context, dir state.Dir) (*client.Client, error) {
	for end := time.Now().Add(reachWait); ; time.Sleep(20 * time.Millisecond) {
		c, err := client.Probe(ctx, dir)
		if err == nil || !errors.Is(err, client.ErrNoDaemon) {
			return c, err
		}
		o, held := lock.Holder(dir.Lock())
		switch {
		case !held:
			return nil, nil
		case errors.Is(err, state.ErrNotPrivate):
			return nil, withHint(fmt.Errorf("the daemon (pid %d) was not asked: %w", o.Pid, err), "chmod 700 "+doctor.Quote(string(dir))+" && winnow serve --stop")
		case time.Now().After(end):
			return nil, withHint(fmt.Errorf("pid %d %w", o.Pid, errHangs), "winnow serve --unstick")
		}
	}
}

// runDaemon is the daemon's life: lock, listen, load the judge behind, serve,
// leave. A second one for the same folder ends at once, without a fault.
func runDaemon(ctx context.Context, dir state.Dir) error {
	ctx, cancel := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if err := dir.Make(); err != nil {
		return err
	}
	log, logFile, err := openLog(dir)
	if err != nil {
		return err
	}
	defer logFile.Close()
	d, err := startDaemon(ctx, dir, log, clocks{now: daemonClock()})
	if err != nil {
		log.Error("not started", "err", err)
		return err
	}
	log.Info("listening", "pid", os.Getpid(), "version", version, "build", build(), "socket", d.me.Socket, "port", d.me.Port)
	err = d.serve(ctx)
	log.Info("left", "err", err)
	return err
}

// maxLog is when the log of earlier runs is set aside at a start.
const maxLog = 4 << 20

func openLog(dir state.Dir) (*slog.Logger, *os.File, error) {
	if fi, err := os.Lstat(dir.Log()); err == nil && fi.Size() > maxLog {
		os.Rename(dir.Log(), dir.Log()+".1")
	}
	f, err := os.OpenFile(dir.Log(), os.O_APPEND|os.O_CREATE|os.O_WRONLY|noFollow, 0o600)
	if err != nil {
		return nil, nil, withHint(fmt.Errorf("open log: %w", err), "ls -l "+doctor.Quote(dir.Log())+"  # it must be a plain file or none")
	}
	fi, err := f.Stat()
	if err == nil && !fi.Mode().IsRegular() {
		err = withHint(fmt.Errorf("open log: %s is not a plain file", dir.Log()), "mv "+doctor.Quote(dir.Log())+" "+doctor.Quote(dir.Log()+".odd"))
	}
	if err == nil && fi.Mode().Perm() != 0o600 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return slog.New(slog.NewTextHandler(f, nil)), f, nil
}

// listen opens the socket (0600 from the start) and the TCP port; a port that
// somebody else has is no reason to fail: the socket will do. The daemon's lock
// is held, so a socket that is still there belongs to nobody.
func listen(sock string, port int, log *slog.Logger) (on []net.Listener, has int, taken string, err error) {
	if err := os.Remove(sock); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, 0, "", fmt.Errorf("remove old socket: %w", err)
	}
	unix, err := listenPrivate(sock)
	if err != nil {
		return nil, 0, "", fmt.Errorf("listen on socket: %w", err)
	}
	tcp, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		taken = err.Error()
		if by, found := peer.Listener(port); found {
			taken = fmt.Sprintf("127.0.0.1:%d was taken by %s at the start", port, by)
		}
		log.Warn("port not to be had; going on with the socket alone", "port", port, "why", taken)
		return []net.Listener{unix}, 0, taken, nil
	}
	return []net.Listener{unix, tcp}, tcp.Addr().(*net.TCPAddr).Port, "", nil
}
