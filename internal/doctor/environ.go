package doctor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func (f *facts) binary(context.Context) Finding {
	return ok("%s, version %s (%s)", f.Exe, f.Version, f.Build)
}

// path looks for the command that a marker's hint names at the hook door.
func (f *facts) path(ctx context.Context) Finding {
	dir := `export PATH=` + Quote(filepath.Dir(f.Exe)) + `:"$PATH"`
	found, err := lookPath("winnow", f.Getenv("PATH"))
	if err != nil {
		return warn(dir, "winnow is not on PATH: with settings-file hooks the agent recalls by that command")
	}
	mine, merr := os.Stat(f.Exe)
	theirs, terr := os.Stat(found)
	if merr == nil && terr == nil && !os.SameFile(mine, theirs) && !f.leadsHere(ctx, found) {
		return warn(dir, "winnow on PATH is %s, this one is %s", found, f.Exe)
	}
	return ok("winnow on PATH is %s", found)
}

// leadsHere reports whether a launcher, or a copy, is of this version and build.
func (f *facts) leadsHere(ctx context.Context, exe string) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "--version")
	cmd.WaitDelay = time.Second
	said, err := cmd.Output()
	return err == nil && strings.Contains(string(said), f.Version+" ("+f.Build+")")
}

// lookPath is [exec.LookPath] in a PATH of its own; a relative folder there is
// passed over.
func lookPath(name, path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if p, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return p, nil
		}
	}
	return "", exec.ErrNotFound
}

// proxy looks for variables that make the client send a loopback hook to a
// proxy. Their values may hold passwords and are not shown.
func (f *facts) proxy(context.Context) Finding {
	var set []string
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		if f.clientEnv(name) != "" {
			set = append(set, name)
		}
	}
	no := f.clientEnv("NO_PROXY") + "," + f.clientEnv("no_proxy")
	switch {
	case len(set) == 0:
		return ok("no proxy is set")
	case spares(no):
		return ok("%s is set, and NO_PROXY has 127.0.0.1", strings.Join(set, ", "))
	}
	return warn(`export NO_PROXY="127.0.0.1,$NO_PROXY"`,
		"%s is set and NO_PROXY does not have 127.0.0.1: settings-file hooks go to the proxy; the plugin's socket does not", strings.Join(set, ", "))
}

// clientEnv is a variable as the client has it: its settings' env over ours.
func (f *facts) clientEnv(name string) string {
	for _, h := range f.host {
		if v, found := h.Env[name]; found {
			return v
		}
	}
	return f.Getenv(name)
}

// spares reports whether a NO_PROXY names 127.0.0.1. Ranges and names are not
// counted: not every client understands them.
func spares(no string) bool {
	for _, e := range strings.FieldsFunc(no, func(r rune) bool { return r == ',' || r == ' ' }) {
		host, _, _ := strings.Cut(e, ":")
		if e == "*" || host == "127.0.0.1" {
			return true
		}
	}
	return false
}
