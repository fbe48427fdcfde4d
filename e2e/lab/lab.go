//go:build e2e

// Package lab runs the real client in a folder of its own: own home, own
// configuration, own project, own state folder of winnow, an environment built
// from nothing, and the mock as its only API. It asserts nothing; it hands back
// what the client did. Nothing it starts outlives the test.
package lab

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/e2e/mockapi"
)

// Lab is one throw-away installation of the client.
type Lab struct {
	testing.TB
	API *mockapi.Server
	// Root holds everything; its path is short, for sockets live below it.
	Root, Home, Config, Project, Winnow string
	// Env is added to the client's environment.
	Env map[string]string
	// Settings is the client's settings file; nil leaves the file alone.
	Settings map[string]any
	// MCP lists servers by name, as --mcp-config takes them.
	MCP map[string]any
	// Repo is the repository; Plugin is the plugin's folder, "" for none.
	Repo, Plugin string

	client string
}

// New makes a lab without winnow. The client comes from repo/build/claude, or is
// what E2E_CLIENT names.
func New(tb testing.TB, repo string) *Lab {
	tb.Helper()
	root, err := os.MkdirTemp("", "wl")
	if err != nil {
		tb.Fatal(err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		tb.Fatal(err)
	}
	l := &Lab{TB: tb, Root: root, Repo: repo,
		Home: filepath.Join(root, "home"), Config: filepath.Join(root, "home", ".claude"),
		Project: filepath.Join(root, "project"), Winnow: filepath.Join(root, "w"),
		Env: map[string]string{}, Settings: map[string]any{}, MCP: map[string]any{},
		client: filepath.Join(repo, "build", "claude", "claude"),
	}
	if other := os.Getenv("E2E_CLIENT"); other != "" {
		l.client = other
	}
	tb.Cleanup(l.clean)
	for _, d := range []string{l.Config, l.Project, l.tmp(), l.Winnow} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			tb.Fatal(err)
		}
	}
	if l.API, err = mockapi.New(); err != nil {
		tb.Fatal(err)
	}
	return l
}

// clean stops the daemon, the API, and removes the folder.
func (l *Lab) clean() {
	l.StopDaemon()
	if l.API != nil {
		l.API.Close()
	}
	if l.Failed() && os.Getenv("E2E_KEEP") != "" {
		l.Logf("kept %s", l.Root)
		return
	}
	os.RemoveAll(l.Root)
}

func (l *Lab) tmp() string { return filepath.Join(l.Root, "tmp") }

// Write puts a file into the project and returns its path.
func (l *Lab) Write(name, content string) string {
	l.Helper()
	p := filepath.Join(l.Project, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
		l.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o600); err != nil {
		l.Fatal(err)
	}
	return p
}

// environ is the client's environment: nothing of ours is inherited but PATH,
// under which the tools' commands are found.
func (l *Lab) environ() []string {
	e := map[string]string{
		"PATH": os.Getenv("PATH"), "TERM": "xterm-256color", "LANG": "C.UTF-8", "SHELL": "/bin/bash",
		"HOME": l.Home, "CLAUDE_CONFIG_DIR": l.Config, "TMPDIR": l.tmp(), "CLAUDE_CODE_TMPDIR": l.tmp(),
		"ANTHROPIC_BASE_URL": l.API.URL, "ANTHROPIC_API_KEY": "sk-ant-dummy",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1",
		"WINNOW_DIR": l.Winnow,
	}
	maps.Copy(e, l.Env)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(e)) {
		out = append(out, k+"="+e[k])
	}
	return out
}

func (l *Lab) writeSettings() {
	l.Helper()
	if l.Settings != nil {
		l.writeJSON("settings.json", l.Settings)
	}
}

// writeJSON writes v below the client's configuration folder.
func (l *Lab) writeJSON(name string, v any) {
	l.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		l.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.Config, name), b, 0o600); err != nil {
		l.Fatal(err)
	}
}

// args are the arguments every run shares.
func (l *Lab) args(tools []string) []string {
	a := []string{"--debug-file", l.debugFile(), "--permission-mode", "default"}
	if len(tools) > 0 {
		a = append(a, "--allowedTools", strings.Join(tools, ","))
	}
	if l.Plugin != "" {
		a = append(a, "--plugin-dir", l.Plugin)
	}
	if len(l.MCP) > 0 {
		b, err := json.Marshal(map[string]any{"mcpServers": l.MCP})
		if err != nil {
			l.Fatal(err)
		}
		a = append(a, "--mcp-config", string(b), "--strict-mcp-config")
	}
	return a
}

func (l *Lab) debugFile() string { return filepath.Join(l.Root, "debug.log") }

// Debug returns the client's debug log of all runs so far.
func (l *Lab) Debug() string {
	b, _ := os.ReadFile(l.debugFile())
	return string(b)
}

// SavedOutputs returns the paths of the tool outputs that the client saved.
func (l *Lab) SavedOutputs() []string {
	ps, _ := filepath.Glob(filepath.Join(l.Config, "projects", "*", "*", "tool-results", "*"))
	return ps
}
