package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// MinClient is the first release of Claude Code with every event that the mod
// listens to; an older one loads none of it.
const MinClient = "2.1.329"

// client judges the version of the claude on PATH.
func (f *facts) client(context.Context) Finding {
	exe, err := lookPath("claude", f.Getenv("PATH"))
	if err != nil {
		return ok("no claude on PATH, so its version is not known; the plugin needs %s", MinClient)
	}
	v, err := f.clientVersion()
	switch {
	case err != nil:
		return warn(quote(exe)+" --version", "%s %v", exe, err)
	case older(v, MinClient) && f.posts():
		return ok("%s is %s: too old for the plugin, which needs %s; settings-file hooks are set up instead", exe, v, MinClient)
	case older(v, MinClient):
		return fail("claude update", "%s is %s; the plugin needs %s and is not loaded at all by an older one", exe, v, MinClient)
	}
	return ok("%s is %s; the plugin needs %s", exe, v, MinClient)
}

var versionRE = regexp.MustCompile(`\d+\.\d+\.\d+`)

// askClient asks the claude on PATH for its version; "" with no error: there is none.
func askClient(ctx context.Context, o Options) (string, error) {
	exe, err := lookPath("claude", o.Getenv("PATH"))
	if err != nil {
		return "", nil
	}
	said, err := saidVersion(ctx, exe)
	if err != nil {
		return "", fmt.Errorf("does not say its version: %w", err)
	}
	if v := versionRE.FindString(said); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("says %.60q for a version", said)
}

// saidVersion runs the client in an empty folder with an empty configuration,
// so that it neither reads nor writes the user's.
func saidVersion(ctx context.Context, exe string) (string, error) {
	dir, err := os.MkdirTemp("", "winnow-doctor-")
	if err != nil {
		return "", fmt.Errorf("make a folder for it: %w", err)
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "--version")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CLAUDE_CONFIG_DIR="+dir, "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
	cmd.WaitDelay = time.Second // a child that keeps the pipe does not keep us
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// older compares two versions of three numbers.
func older(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range 3 {
		x, _ := strconv.Atoi(as[i])
		y, _ := strconv.Atoi(bs[i])
		if x != y {
			return x < y
		}
	}
	return false
}
