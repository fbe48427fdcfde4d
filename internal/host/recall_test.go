package host

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lab is a user's home, configuration and project, and a session in it.
type lab struct {
	t    *testing.T
	home string
	r    *Recaller
	s    Session
}

func newLab(t *testing.T) *lab {
	t.Helper()
	root := t.TempDir()
	l := &lab{t: t, home: filepath.Join(root, "home")}
	project := filepath.Join(root, "work", "shop.api")
	l.r = &Recaller{Managed: filepath.Join(root, "managed"), Home: l.home, Server: "winnow", Tool: "winnow_recall"}
	slug := notAlnum.ReplaceAllString(project, "-")
	l.s = Session{ID: "s", Cwd: project, Mode: "default", Transcript: filepath.Join(l.home, ".claude", "projects", slug, "s.jsonl")}
	exe := l.put(filepath.Join(root, "bin", "winnow"), "#!/bin/sh\n")
	if err := os.Chmod(exe, 0o700); err != nil {
		t.Fatal(err)
	}
	l.json(".claude.json", map[string]any{"mcpServers": map[string]any{"winnow": map[string]any{"command": exe, "args": []string{"mcp"}}}})
	return l
}

func (l *lab) put(path, content string) string {
	l.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(l.home, path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		l.t.Fatal(err)
	}
	return path
}

func (l *lab) json(path string, v any) {
	l.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		l.t.Fatal(err)
	}
	l.put(path, string(b))
}

func rulesFile(kind string, rules ...string) map[string]any {
	return map[string]any{"permissions": map[string]any{kind: rules}}
}

func (l *lab) user(kind string, rules ...string) {
	l.json(".claude/settings.json", rulesFile(kind, rules...))
}

func TestWay(t *testing.T) {
	const tool = "mcp__winnow__winnow_recall"
	for _, c := range []struct {
		name string
		set  func(*lab)
		want Way
		why  string
	}{
		{"allowed", func(l *lab) { l.user("allow", tool) }, ByTool, ""},
		{"the whole server", func(l *lab) { l.user("allow", "mcp__winnow") }, ByTool, ""},
		{"all of its tools", func(l *lab) { l.user("allow", "mcp__winnow__*") }, ByTool, ""},
		{"in the project", func(l *lab) {
			l.json(filepath.Join(l.s.Cwd, ".claude/settings.local.json"), rulesFile("allow", tool))
		}, ByTool, ""},
		{"managed", func(l *lab) { l.json(filepath.Join(l.r.Managed, "managed-settings.json"), rulesFile("allow", tool)) }, ByTool, ""},
		{"no rule", func(l *lab) {}, None, "no rule allows"},
		{"another tool's rule", func(l *lab) { l.user("allow", "mcp__winnow__other", "Bash(ls:*)", "mcp__winnower") }, None, "no rule allows"},
		{"nobody asks", func(l *lab) { l.s.Mode = "bypassPermissions" }, ByTool, ""},
		{"denied in the project", func(l *lab) {
			l.user("allow", tool)
			l.json(filepath.Join(l.s.Cwd, ".claude/settings.json"), rulesFile("deny", "mcp__*"))
		}, None, "forbids"},
		{"asked, where nobody else asks", func(l *lab) { l.user("ask", tool); l.s.Mode = "bypassPermissions" }, None, "asks"},
		{"denied where the agent has gone down", func(l *lab) {
			l.user("allow", tool)
			l.json(filepath.Join(l.s.Cwd, ".claude/settings.json"), rulesFile("deny", tool))
			l.s.Cwd = filepath.Join(l.s.Cwd, "internal", "deep")
		}, None, "forbids"},
		{"only managed rules count", func(l *lab) {
			l.user("allow", tool)
			l.json(filepath.Join(l.r.Managed, "managed-settings.d", "10.json"), map[string]any{"allowManagedPermissionRulesOnly": true})
		}, None, "no rule allows"},
		{"not registered", func(l *lab) { l.user("allow", tool); l.json(".claude.json", map[string]any{}) }, None, "not registered"},
		{"no registry", func(l *lab) {
			l.user("allow", tool)
			if err := os.Remove(filepath.Join(l.home, ".claude.json")); err != nil {
				l.t.Fatal(err)
			}
		}, None, "not registered"},
		{"the binary is gone", func(l *lab) {
			l.user("allow", tool)
			l.json(".claude.json", map[string]any{"mcpServers": map[string]any{"winnow": map[string]any{"command": "/nowhere/winnow"}}})
		}, None, "/nowhere/winnow"},
		{"switched off in the project", func(l *lab) {
			l.user("allow", tool)
			l.registered(func(r map[string]any) {
				r["projects"] = map[string]any{l.s.Cwd: map[string]any{"disabledMcpServers": []string{"winnow"}}}
			})
		}, None, "not registered"},
		{"the project's own server", func(l *lab) {
			l.user("allow", tool)
			l.json(filepath.Join(l.s.Cwd, ".mcp.json"), map[string]any{"mcpServers": map[string]any{"winnow": map[string]any{"command": "sh"}}})
		}, None, "not registered"},
		{"servers denied", func(l *lab) {
			l.json(".claude/settings.json", map[string]any{"permissions": map[string]any{"allow": []string{tool}},
				"deniedMcpServers": []any{map[string]any{"serverName": "winnow"}}})
		}, None, "keeps the MCP server"},
		{"servers allowed, not ours", func(l *lab) {
			l.json(".claude/settings.json", map[string]any{"permissions": map[string]any{"allow": []string{tool}}, "allowedMcpServers": []any{}})
		}, None, "keeps the MCP server"},
		{"a file with a mistake", func(l *lab) {
			l.user("allow", tool)
			l.put(filepath.Join(l.s.Cwd, ".claude/settings.json"), "{")
		}, None, "not understood"},
		{"an agent with tools of its own", func(l *lab) { l.user("allow", tool); l.s.AgentType = "reviewer" }, None, "reviewer"},
		{"a general agent", func(l *lab) { l.user("allow", tool); l.s.AgentType = "general-purpose" }, ByTool, ""},
		{"a folder of configuration elsewhere", func(l *lab) {
			l.s.Transcript = filepath.Join(l.home, "conf", "projects", filepath.Base(filepath.Dir(l.s.Transcript)), "s.jsonl")
			l.json("conf/settings.json", rulesFile("allow", tool))
			b, err := os.ReadFile(filepath.Join(l.home, ".claude.json"))
			if err != nil {
				l.t.Fatal(err)
			}
			l.put("conf/.claude.json", string(b))
		}, ByTool, ""},
		{"by the command", func(l *lab) {
			l.user("allow", "Bash(winnow recall:*)")
			l.r.Command = func() bool { return true }
		}, ByCommand, ""},
		{"by the command, not on PATH", func(l *lab) {
			l.user("allow", "Bash(winnow recall:*)")
			l.r.Command = func() bool { return false }
		}, None, "no rule allows"},
		{"by the command, denied", func(l *lab) {
			l.json(".claude/settings.json", map[string]any{"permissions": map[string]any{"allow": []string{"Bash"}, "deny": []string{"Bash(winnow *)"}}})
			l.r.Command = func() bool { return true }
		}, None, "no rule allows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t)
			c.set(l)
			if got, why := l.r.Way(l.s); got != c.want || !strings.Contains(why, c.why) || (why == "") != (got != None) {
				t.Errorf("Way = %v, %q, want %v, %q", got, why, c.want, c.why)
			}
		})
	}
}

// registered changes the registry.
func (l *lab) registered(change func(map[string]any)) {
	l.t.Helper()
	b, err := os.ReadFile(filepath.Join(l.home, ".claude.json"))
	var r map[string]any
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		l.t.Fatal(err)
	}
	change(r)
	l.json(".claude.json", r)
}

// A rule that is added or taken away counts from the next result on, also where
// the file's size stays; and an agent that left the project keeps its rules.
func TestWayFollows(t *testing.T) {
	l := newLab(t)
	const tool = "mcp__winnow__winnow_recall"
	want := func(w Way) {
		t.Helper()
		if got, why := l.r.Way(l.s); got != w {
			t.Errorf("Way = %v (%s), want %v", got, why, w)
		}
	}
	want(None)
	l.user("allow", tool)
	want(ByTool)
	path := filepath.Join(l.home, ".claude", "settings.json")
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	want(ByTool)
	l.user("deny ", tool) // no such kind of rule
	want(None)
	l.user("allow", tool)
	l.json(filepath.Join(l.s.Cwd, ".claude/settings.json"), rulesFile("deny", tool))
	want(None)
	l.s.Cwd = l.home
	want(None)
	if err := os.Remove(filepath.Join(filepath.Dir(l.home), "work", "shop.api", ".claude", "settings.json")); err != nil {
		t.Fatal(err)
	}
	want(ByTool)
}

func TestMeansCommand(t *testing.T) {
	for _, c := range []struct {
		rule, command string
		want          bool
	}{
		{"Bash", "ls", true}, {"Bash(*)", "ls", true}, {"Bash(:*)", "ls", true},
		{"Bash(winnow recall:*)", "winnow recall k", true}, {"Bash(winnow recall:*)", "winnow recalls k", false},
		{"Bash(winnow recall *)", "winnow recall k", true}, {"Bash(winnow:*)", "winnow recall k", true},
		{"Bash(winnow recall)", "winnow recall k", false}, {"Bash(winnow recall", "winnow recall k", false},
		{"BashOutput", "ls", false}, {"Read", "ls", false}, {"", "ls", false},
	} {
		if got := meansCommand(c.rule, c.command); got != c.want {
			t.Errorf("meansCommand(%q, %q) = %v, want %v", c.rule, c.command, got, c.want)
		}
	}
}
