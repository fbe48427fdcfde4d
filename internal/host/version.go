package host

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The first releases of Claude Code with which each door works; docs/clients.md
// says how that was found.
const (
	// MinMod has every event that the mod listens to; an older one loads none of it.
	MinMod = "2.1.328"
	// MinHook lets a settings-file hook change the result of any tool.
	MinHook = "2.1.121"
)

// Find returns the client that a shell would run, "" for none.
func Find(getenv func(string) string) string {
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		path := filepath.Join(dir, "claude")
		if fi, err := os.Stat(path); err == nil && filepath.IsAbs(path) && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0 {
			return path
		}
	}
	return ""
}

// VersionRE finds a version in what a client says.
var VersionRE = regexp.MustCompile(`\d+\.\d+\.\d+`)

// Version asks a client for its version. It runs in an empty folder with an empty
// configuration, so that it neither reads nor writes the user's.
func Version(ctx context.Context, exe string) (string, error) {
	dir, err := os.MkdirTemp("", "winnow-version-")
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
	if err != nil {
		return "", fmt.Errorf("does not say its version: %w", err)
	}
	said := strings.TrimSpace(string(out))
	if v := VersionRE.FindString(said); v != "" {
		return v, nil
	}
	return "", fmt.Errorf("says %.60q for a version", said)
}

// Older compares two versions of three numbers.
func Older(a, b string) bool {
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
