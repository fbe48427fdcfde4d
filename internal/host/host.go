// Package host reads what Claude Code's own configuration says that concerns
// winnow: its settings files and its registry of MCP servers. By them it decides
// whether an agent at the hook door could ask for hidden lines.
//
// It only reads. What it does not understand counts as a no: then nothing is hidden.
package host

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// File is one settings file, as far as it concerns us.
type File struct {
	Path    string
	Managed bool
	// Err says why the file is not understood; the other fields are then empty.
	Err     error
	NoHooks bool // disableAllHooks
	// ManagedHooks is allowManagedHooksOnly: hooks of users and plugins are off.
	// ManagedRules is allowManagedPermissionRulesOnly.
	ManagedHooks, ManagedRules bool
	// URLs is allowedHttpHookUrls; nil where it is not set.
	URLs []string
	Env  map[string]string
	// Allow, Ask and Deny are the permission rules.
	Allow, Ask, Deny []string
	// MCPAllowed and MCPDenied are allowedMcpServers (nil: not set) and deniedMcpServers.
	MCPAllowed, MCPDenied []MCPRule
	Hooks                 []Hook
	// Plugins is enabledPlugins: NAME@MARKETPLACE.
	Plugins map[string]bool
}

// MCPRule names a server by one of these.
type MCPRule struct {
	Name    string   `json:"serverName"`
	Command []string `json:"serverCommand"`
}

// Hook is one hook of a settings file.
type Hook struct {
	Event   string            `json:"-"`
	Matcher string            `json:"-"`
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Command string            `json:"command"`
	Headers map[string]string `json:"headers"`
	Timeout float64           `json:"timeout"`
}

// Places says where the files are. An empty one is left out.
type Places struct {
	Managed string // the folder of managed settings
	User    string // the folder of the user's configuration
	Project string
}

// ManagedDir is the folder of managed settings on this system.
func ManagedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// UserDir is the folder of the user's configuration, "" where there is no home.
func UserDir(getenv func(string) string) string {
	if d := getenv("CLAUDE_CONFIG_DIR"); d != "" {
		return d
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// paths lists the settings files in their precedence, the managed ones first.
func (p Places) paths() (managed, others []string) {
	if p.Managed != "" {
		managed, _ = filepath.Glob(filepath.Join(p.Managed, "managed-settings.d", "*.json"))
		slices.Reverse(managed) // the last one counts
		managed = append(managed, filepath.Join(p.Managed, "managed-settings.json"))
	}
	if p.Project != "" {
		dir := filepath.Join(p.Project, ".claude")
		others = append(others, filepath.Join(dir, "settings.local.json"), filepath.Join(dir, "settings.json"))
	}
	if p.User != "" {
		if user := filepath.Join(p.User, "settings.json"); !slices.Contains(others, user) {
			others = append(others, user)
		}
	}
	return managed, others
}

// Files reads the settings files that exist, in their precedence.
func Files(p Places) []File { return files(p, Read) }

func files(p Places, read func(string) (File, bool)) (out []File) {
	managed, others := p.paths()
	for i, path := range append(managed, others...) {
		if f, there := read(path); there {
			f.Managed = i < len(managed)
			out = append(out, f)
		}
	}
	return out
}

// maxFile bounds a file that is read: the registry of servers grows with the projects.
const maxFile = 32 << 20

// plain reads a plain file; opening a pipe would wait for ever.
func plain(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > maxFile {
		return nil, errors.New("not a plain settings file")
	}
	return os.ReadFile(path)
}

// Read reads one settings file; there is false when it does not exist.
func Read(path string) (f File, there bool) {
	b, err := plain(path)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, false
	}
	f.Path = path
	if err == nil {
		err = f.parse(b)
	}
	f.Err = err
	return f, true
}

// parse takes what concerns us; a value of another kind counts as not set.
func (f *File) parse(b []byte) error {
	b = []byte(strings.TrimPrefix(string(b), "\ufeff"))
	if len(strings.TrimSpace(string(b))) == 0 {
		return nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	var rules map[string]json.RawMessage
	_ = json.Unmarshal(all["permissions"], &rules)
	for _, v := range []struct {
		raw json.RawMessage
		to  any
	}{
		{all["disableAllHooks"], &f.NoHooks}, {all["allowManagedHooksOnly"], &f.ManagedHooks},
		{all["allowManagedPermissionRulesOnly"], &f.ManagedRules}, {all["allowedHttpHookUrls"], &f.URLs},
		{all["env"], &f.Env}, {all["allowedMcpServers"], &f.MCPAllowed}, {all["deniedMcpServers"], &f.MCPDenied},
		{rules["allow"], &f.Allow}, {rules["ask"], &f.Ask}, {rules["deny"], &f.Deny},
	} {
		if v.raw != nil {
			_ = json.Unmarshal(v.raw, v.to)
		}
	}
	var plugins map[string]json.RawMessage
	_ = json.Unmarshal(all["enabledPlugins"], &plugins)
	f.Plugins = map[string]bool{}
	for name, v := range plugins { // a list of versions means on
		f.Plugins[name] = string(v) != "false" && string(v) != "null"
	}
	f.Hooks = hooks(all["hooks"])
	return nil
}

func hooks(raw json.RawMessage) (out []Hook) {
	var events map[string][]struct {
		Matcher string `json:"matcher"`
		Hooks   []Hook `json:"hooks"`
	}
	if raw == nil || json.Unmarshal(raw, &events) != nil {
		return nil
	}
	for event, groups := range events {
		for _, g := range groups {
			for _, h := range g.Hooks {
				h.Event, h.Matcher = event, g.Matcher
				out = append(out, h)
			}
		}
	}
	return out
}

// URLMatches reports whether a pattern of allowedHttpHookUrls, in which * stands
// for anything, is the whole URL.
func URLMatches(pattern, url string) bool {
	re := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$"
	found, err := regexp.MatchString(re, url)
	return err == nil && found
}
