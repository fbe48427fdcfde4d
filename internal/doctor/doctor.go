// Package doctor looks an installation over: one small check for each thing
// that can be wrong, and for each fault the next command to type. It only looks:
// it starts no daemon, mends nothing, and of the client's configuration it reads
// the settings files and nothing else.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/config"
	"winnow/internal/lock"
	"winnow/internal/prune"
	"winnow/internal/state"
)

// State says how a finding is.
type State string

// The states. Only [Fail] is a fault: with a [Warn] winnow works.
const (
	OK   State = "ok"
	Warn State = "warn"
	Fail State = "fail"
)

// Finding is what one check found. Next, the command to type, is set unless the
// state is [OK].
type Finding struct {
	Name  string `json:"name"`
	State State  `json:"state"`
	Found string `json:"found"`
	Next  string `json:"next,omitempty"`
}

// Judge is a loaded judge.
type Judge struct {
	Name string
	// Note says why it is not the one that was asked for.
	Note   string
	Scorer prune.Scorer
	Close  func() error
}

// Options says what is looked at, and by whom.
type Options struct {
	Dir state.Dir
	// DirFlag is what commands must be given to work on Dir, "" for the default.
	DirFlag string
	Getenv  func(string) string
	Environ []string // NAME=value
	// Version and Build are this binary's; Exe is its path.
	Version, Build, Exe string
	// Judge loads a judge by its name in the settings.
	Judge func(ctx context.Context, name string) (Judge, error)
	// Proven names the calls for which mode auto is active with these settings.
	Proven func(config.Config) []string
	// Cwd is the project whose settings files of the client are read; "": none.
	Cwd string
	// Managed is the folder of the client's managed settings; "": the system's.
	Managed string
}

// facts is what several checks go by. Nobody changes it once the checks run.
type facts struct {
	Options
	cfg    config.Config
	cfgErr error
	// status is the running daemon's, nil when none answers; probeErr says why.
	status   *api.Status
	probeErr error
	// owner holds the daemon's lock without answering, if held.
	owner lock.Owner
	held  bool
	host  []hostFile
	// clientVersion asks the client once.
	clientVersion func() (string, error)
	// blocked reports that the folder is there and cannot be read: [facts.folder]
	// says why, and what lies in it cannot be looked at.
	blocked bool
}

// patience bounds one check: a cold start of the judge takes a second or two.
const patience = 20 * time.Second

// check is one look at one thing.
type check struct {
	name string
	run  func(context.Context) Finding
}

// within is a check of what lies in the folder.
func (f *facts) within(run func(context.Context) Finding) func(context.Context) Finding {
	if !f.blocked {
		return run
	}
	return func(context.Context) Finding {
		return warn(f.winnow("doctor"), "not looked at: first the folder has to be mended")
	}
}

// all lists the checks in the order in which things depend on each other.
func (f *facts) all() []check {
	return append(f.own(), f.hookDoor()...)
}

// own lists the checks of winnow itself and of the plugin.
func (f *facts) own() []check {
	return []check{
		{"binary", f.binary}, {"path", f.path},
		{"folder", f.folder}, {"files", f.within(f.files)}, {"disk", f.disk},
		{"config", f.within(f.config)}, {"mode", f.mode},
		{"library", f.library}, {"weights", f.weights}, {"self-test", f.selfTest},
		{"store", f.within(f.store)},
		{"daemon", f.within(f.daemon)}, {"log", f.log}, {"build", f.build}, {"socket", f.within(f.socket)},
		{"stale", f.within(f.stale)},
		{"client", f.client}, {"plugin", f.plugin}, {"mod", f.within(f.mod)}, {"rewrites", f.within(f.rewrites)},
	}
}

// Run makes every check.
func Run(ctx context.Context, o Options) []Finding {
	var out []Finding
	for _, c := range look(ctx, o).all() {
		out = append(out, c.look(ctx))
	}
	return out
}

// look makes the check; a bug in it must not hide what the others find.
func (c check) look(ctx context.Context) (out Finding) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			out = warn("winnow --version, for a report of this bug", "the check itself broke: %v", p)
		}
		out.Name = c.name
	}()
	return c.run(ctx)
}

func look(ctx context.Context, o Options) *facts {
	f := &facts{Options: o, host: hostFiles(o)}
	f.clientVersion = sync.OnceValues(func() (string, error) { return askClient(ctx, o) })
	if _, err := os.ReadDir(string(o.Dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.blocked = true
	}
	f.cfg, f.cfgErr = config.Load(o.Dir.Env(), o.Getenv)
	c, err := client.Probe(ctx, o.Dir)
	if err == nil {
		defer c.Close()
		var st api.Status
		if st, err = c.Status(ctx); err == nil {
			f.status = &st
			return f
		}
	}
	f.probeErr = err
	f.owner, f.held = lock.Holder(o.Dir.Lock())
	return f
}

func ok(format string, a ...any) Finding { return Finding{State: OK, Found: fmt.Sprintf(format, a...)} }

func warn(next, format string, a ...any) Finding {
	return Finding{State: Warn, Found: fmt.Sprintf(format, a...), Next: next}
}

func fail(next, format string, a ...any) Finding {
	return Finding{State: Fail, Found: fmt.Sprintf(format, a...), Next: next}
}

// winnow is a command line of ours that works on the same folder.
func (f *facts) winnow(args string) string {
	line := f.called() + " " + args
	if f.DirFlag != "" {
		line += " --state " + Quote(f.DirFlag)
	}
	return line
}

// called is how a shell finds us.
func (f *facts) called() string {
	if _, err := lookPath("winnow", f.Getenv("PATH")); err != nil {
		return Quote(f.Exe)
	}
	return "winnow"
}

// restart makes a daemon of this binary with the settings of now.
func (f *facts) restart() string {
	return f.winnow("serve --stop") + " && " + f.winnow("serve --ensure")
}

// set is how to change a setting where it was made.
func (f *facts) set(name, value string) string {
	if f.cfg.From[name].Environment {
		return "export " + name + "=" + value
	}
	return SetLine(f.Dir, name, value)
}

// SetLine is how to put a setting into the settings file of a folder, which may not
// be there yet.
func SetLine(dir state.Dir, name, value string) string {
	line := "echo " + name + "=" + value + " >> " + Quote(dir.Env())
	if _, err := os.Stat(string(dir)); err != nil {
		return "mkdir -p " + Quote(string(dir)) + " && " + line
	}
	return line
}

// Edit is how to open a file; the comment says what for.
func Edit(path, what string) string { return "${EDITOR:-vi} " + Quote(path) + "  # " + what }

// Quote makes one word for a shell.
func Quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
