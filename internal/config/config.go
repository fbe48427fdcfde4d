// Package config reads the user's settings: defaults, then the env file of the
// state folder, then the environment. It checks them as a whole and watches
// the file. It never writes one, and it holds no state: a [Config] is a value.
package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Modes: what winnow does with what it judged.
const (
	Shadow = "shadow" // judge and log, change nothing
	Active = "active" // prune
	Off    = "off"    // do not even judge
	// Auto prunes where the judge's losses are known and small, and is shadow
	// elsewhere.
	Auto = "auto"
)

// What the second judge is asked about: see [Config.Second].
const (
	SecondOff     = "off"
	SecondCascade = "cascade"
	SecondClient  = "client"
)

// FileName is the settings file in the state folder.
const FileName = "env"

// Config is the settings in force.
type Config struct {
	// Mode is [Auto], [Shadow], [Active] or [Off]. WINNOW_MODE.
	Mode string
	// Keep and Drop are the bands of a line's score: Keep and above is needed,
	// below Drop is hidden, between is kept as uncertain. WINNOW_KEEP, WINNOW_DROP.
	Keep, Drop float64
	// Repeats lets lines of a log that only repeat others go at twice Drop. WINNOW_REPEATS.
	Repeats bool
	// Judge is "onnx", "lexical", "fake" or "off" (rules only). WINNOW_JUDGE.
	Judge string
	// MinChars is the length in characters below which nothing is judged. WINNOW_MIN_CHARS.
	MinChars int
	// Tools narrows the tools whose results are pruned; empty means all that
	// winnow can prune. WINNOW_TOOLS.
	Tools []string
	// ExcludePaths and ExcludeCommands are never pruned: patterns of files, and of
	// shell commands. WINNOW_EXCLUDE_PATHS, WINNOW_EXCLUDE_COMMANDS.
	ExcludePaths, ExcludeCommands []string
	// Port is the loopback port for hooks; 0 means any free one. WINNOW_PORT.
	Port int
	// IdleMinutes is how long the daemon stays without a request; 0 means for
	// ever. WINNOW_IDLE_MINUTES.
	IdleMinutes int
	// Seen says what becomes of lines that the loop was shown before: [Active] puts
	// a reference in their place, [Shadow] only counts, [Off] does not look. With
	// Mode set to [Shadow] and nothing said about this, it is [Shadow], too.
	// WINNOW_SEEN.
	Seen string
	// SeenShare is the share of the context's window in which such a reference may
	// point back. WINNOW_SEEN_SHARE.
	SeenShare float64
	// LogTasks puts the words of tasks into the decision log, not only a hash.
	// WINNOW_LOG_TASKS.
	LogTasks bool
	// Second is the second judge: "off", "cascade" (the client's own small model is
	// asked where the local judge is unsure and it pays) or "client" (about all that
	// may be pruned). WINNOW_SECOND.
	Second string
	// ClientModel is the model that the client is asked to use, ClientBudget what its
	// answers may cost a day, in dollars. WINNOW_CLIENT_MODEL, WINNOW_CLIENT_BUDGET.
	ClientModel  string
	ClientBudget float64

	// Warnings says what in the file was ignored. It is no setting.
	Warnings []string
	// From says where a setting came from, by its variable's name; a name that is
	// missing has its default. It is no setting.
	From map[string]Origin
}

// Default returns the settings of a user who has set nothing.
func Default() Config {
	return Config{
		Mode: Auto, Keep: 0.5, Drop: 0.04, Repeats: true, Judge: "onnx", MinChars: 1500,
		Port: 47311, IdleMinutes: 45, Seen: Active, SeenShare: 0.5,
		Second: SecondOff, ClientModel: "haiku", ClientBudget: 0.5,
	}
}

// Dir returns the state folder: WINNOW_DIR, or .winnow in the home folder. It
// is absolute, as callers start in different folders and must agree on it.
func Dir(getenv func(string) string) (string, error) {
	home := getenv("HOME")
	if home == "" && runtime.GOOS == "windows" {
		home = getenv("USERPROFILE")
	}
	dir := getenv("WINNOW_DIR")
	switch {
	case dir == "" && home == "":
		return "", errors.New("neither WINNOW_DIR nor HOME is set")
	case dir == "":
		dir = filepath.Join(home, ".winnow")
	case dir == "~" || strings.HasPrefix(dir, "~/"):
		if home == "" {
			return "", fmt.Errorf("WINNOW_DIR is %s and HOME is not set", dir)
		}
		dir = filepath.Join(home, dir[1:])
	}
	if !filepath.IsAbs(dir) {
		return "", fmt.Errorf("state folder %s is not an absolute path", dir)
	}
	return filepath.Clean(dir), nil
}

// maxFile bounds the file's size: what is longer is not a settings file.
const maxFile = 1 << 20

// Load reads the settings. A missing file is fine. On any mistake, in the file
// or in the environment, it returns [Default] and an error that names them all.
func Load(path string, getenv func(string) string) (Config, error) {
	b, err := read(path)
	if err != nil {
		return Default(), fmt.Errorf("read settings: %w", err)
	}
	return parse(path, b, getenv)
}

// read returns the file's bytes, nil for a missing file.
func read(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !fi.Mode().IsRegular(): // reading a pipe would wait for ever
		return nil, fmt.Errorf("%s is not a regular file", path)
	case fi.Size() > maxFile:
		return nil, fmt.Errorf("%s is larger than %d bytes", path, maxFile)
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) { // removed since
		return nil, nil
	}
	return b, err
}

func parse(path string, b []byte, getenv func(string) string) (Config, error) {
	c := Default()
	file, warnings, errs := parseEnv(string(b))
	for _, s := range settings {
		v, from := file[s.name].value, Origin{Path: path, Line: file[s.name].line}
		if e := strings.TrimSpace(getenv(s.name)); e != "" {
			v, from = e, Origin{Environment: true}
		}
		if v == "" {
			continue
		}
		if err := s.set(&c, v); err != nil {
			errs = append(errs, fmt.Errorf("%v: %s=%s: %w", from, s.name, v, err))
		}
		c.cameFrom(s.name, from)
	}
	if len(errs) == 0 && c.Drop > c.Keep {
		errs = append(errs, fmt.Errorf("WINNOW_DROP=%g is above WINNOW_KEEP=%g", c.Drop, c.Keep))
	}
	if _, said := c.From["WINNOW_SEEN"]; !said && c.Mode == Shadow {
		c.Seen = Shadow // who wants to see nothing changed means all of it
	}
	if len(errs) > 0 {
		c = Default()
	}
	c.Warnings = warnings
	return c, errors.Join(errs...)
}
