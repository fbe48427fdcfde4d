package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"winnow/internal/client"
	"winnow/internal/metrics"
	"winnow/internal/peer"
	"winnow/internal/state"
)

// daemon says whether one runs, answers and has its judge.
func (f *facts) daemon(context.Context) Finding {
	if f.status == nil {
		return f.noDaemon()
	}
	st := f.status
	what := fmt.Sprintf("pid %d answers, up %v, judge %s: %s", st.Pid, (time.Duration(st.UptimeMS) * time.Millisecond).Round(time.Second), st.Judge, st.JudgeState)
	switch {
	case strings.HasPrefix(st.JudgeState, "failed"):
		return fail(f.restart(), "%s", what)
	case strings.HasPrefix(st.JudgeState, "ready; "):
		return warn(f.restart(), "%s", what)
	}
	return ok("%s", what)
}

func (f *facts) noDaemon() Finding {
	switch why := f.lastStart(); {
	case errors.Is(f.probeErr, client.ErrForeign):
		return fail("ls -l "+Quote(string(f.Dir)), "%v", f.probeErr)
	case f.held:
		return fail(f.winnow("serve --unstick")+" && "+f.winnow("serve --ensure"), "pid %d holds the folder and does not answer", f.owner.Pid)
	case errors.Is(f.probeErr, state.ErrNotPrivate):
		return fail(f.winnow("serve --ensure"), "%v", f.probeErr)
	case why != "":
		return fail(f.winnow("serve --foreground"), "the last start went wrong: %s", why)
	}
	return warn(f.winnow("serve --ensure"), "none runs; a session with the plugin starts one")
}

// lastStart returns why the newest start went wrong, "" when it did not.
func (f *facts) lastStart() string {
	const tail = 4 << 10
	fi, err := os.Stat(f.Dir.Log())
	if err != nil || !fi.Mode().IsRegular() { // opening a pipe would wait for ever
		return ""
	}
	log, err := os.Open(f.Dir.Log())
	if err != nil {
		return ""
	}
	defer log.Close()
	b, err := io.ReadAll(io.NewSectionReader(log, max(0, fi.Size()-tail), tail))
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	_, why, found := strings.Cut(lines[len(lines)-1], `msg="not started" err=`)
	if !found || strings.Contains(why, "already runs") {
		return ""
	}
	if s, err := strconv.Unquote(why); err == nil {
		return s
	}
	return why
}

// log says whether the running daemon had trouble that its log tells of.
func (f *facts) log(context.Context) Finding {
	if f.status == nil {
		return ok("%s, when a daemon runs", f.Dir.Log())
	}
	warnings, errs := f.status.Counts[metrics.Warnings], f.status.Counts[metrics.Errors]
	if errs > 0 {
		return warn("grep level=ERROR "+Quote(f.Dir.Log())+" | tail -n 20", "%s since the daemon started", count(int(errs), "error"))
	}
	return ok("no error since the daemon started, %s", count(int(warnings), "warning"))
}

// build compares the daemon with this binary: after an upgrade the old one runs
// on until somebody asks for a newer.
func (f *facts) build(context.Context) Finding {
	mine := f.Version + " (" + f.Build + ")"
	if f.status == nil {
		return ok("no daemon to compare with; this is %s", mine)
	}
	if theirs := f.status.Version + " (" + f.status.Build + ")"; theirs != mine {
		return warn(f.restart(), "the daemon is %s, this binary is %s", theirs, mine)
	}
	return ok("the daemon's is this binary's: %s", mine)
}

func (f *facts) socket(context.Context) Finding {
	if f.status != nil {
		return ok("%s answers", f.status.Socket)
	}
	path, err := f.Dir.Socket()
	if err != nil {
		return fail("export WINNOW_DIR=/a/shorter/path", "%v", err)
	}
	folder := filepath.Dir(path)
	if fi, err := os.Stat(folder); err != nil || !fi.IsDir() {
		return ok("%s, when a daemon runs", path) // what may be wrong there, folder says
	}
	if err := state.CheckFolder(folder); err != nil {
		return warn("chmod 700 "+Quote(folder), "%v", err)
	}
	return ok("%s, when a daemon runs", path)
}

// port asks who has the port of settings-file hooks. The mod does without.
func (f *facts) port(context.Context) Finding {
	if f.status != nil {
		return f.portOfDaemon(f.status.Port)
	}
	if f.cfg.Port == 0 {
		return ok("any free one, when a daemon starts")
	}
	if why := taken(f.cfg.Port); why != "" {
		return f.portTaken(f.cfg.Port, why)
	}
	return ok("127.0.0.1:%d is free", f.cfg.Port)
}

func (f *facts) portOfDaemon(has int) Finding {
	want := f.cfg.Port
	switch {
	case has != 0 && (want == 0 || want == has):
		return ok("127.0.0.1:%d is the daemon's", has)
	case has != 0:
		return warn(f.restart(), "127.0.0.1:%d is the daemon's; the settings of now say %d", has, want)
	}
	if want == 0 {
		return warn(f.restart(), "the daemon has none and works by its socket alone")
	}
	if why := taken(want); why != "" {
		return f.portTaken(want, why)
	}
	return warn(f.restart(), "127.0.0.1:%d was taken when the daemon started and is free now", want)
}

func (f *facts) portTaken(port int, why string) Finding {
	return warn(f.set("WINNOW_PORT", "0")+" && "+f.restart(),
		"127.0.0.1:%d is not to be had: %s; the plugin works by the socket, settings-file hooks do not", port, why)
}

// taken says who keeps us from the port, "" when nobody does.
func taken(port int) string {
	ln, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err == nil {
		ln.Close()
		return ""
	}
	if p, found := peer.Listener(port); found {
		return p.String() + " has it"
	}
	return err.Error()
}
