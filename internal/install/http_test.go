package install

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/host"
	"winnow/internal/mcp"
	"winnow/internal/state"
)

// home is a user's home with the given files.
func httpHome(t *testing.T, files map[string]string) Target {
	t.Helper()
	home := t.TempDir()
	for name, content := range files {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Target{Config: filepath.Join(home, ".claude"), Home: home, State: state.Dir(filepath.Join(home, ".winnow")), Exe: filepath.Join(home, "my bin", "winnow")}
}

func httpDoors(h HTTP) []Door { return []Door{h} }

func putHTTP(t *testing.T, tg Target, h HTTP) *Changes {
	t.Helper()
	c, err := Install(tg, h, httpDoors(h))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); err != nil {
		t.Fatal(err)
	}
	return c
}

func takeHTTP(t *testing.T, tg Target) {
	t.Helper()
	c, err := Uninstall(tg, httpDoors(HTTP{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); err != nil {
		t.Fatal(err)
	}
}

func contentOf(t *testing.T, tg Target, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(tg.Home, name))
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const (
	settingsName = ".claude/settings.json"
	registryName = ".claude.json"
)

const commented = `{
  // how I like it
  "theme": "dark",
  "permissions": { "allow": ["Bash(ls:*)"] }, /* not more */
  "hooks": {
    "PostToolUse": [
      { "matcher": "Write", "hooks": [{ "type": "command", "command": "fmt" }] },
    ],
  },
  "allowedHttpHookUrls": ["https://hooks.example/*"]
}
`

func TestHTTPPut(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"nothing there":       {},
		"comments and hooks":  {settingsName: commented, registryName: `{"numStartups": 5, "projects": {"/a": {}}}`},
		"a rule and all URLs": {settingsName: `{"permissions":{"allow":["mcp__winnow__winnow_recall"]},"allowedHttpHookUrls":["http://127.0.0.1:*/*"]}`},
		"another MCP server":  {registryName: "{\n  \"mcpServers\": {\n    \"files\": {\"command\": \"files\"}\n  }\n}\n"},
		// A public report: an installer wrote at the top level (B179).
		"entries at the top": {settingsName: `{
 "model": "opus",
 "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "/usr/local/bin/guard"}]}]},
 "permissions": {"deny": ["Read(./.env)"]},
 "PostToolUse": [{"matcher": "Bash", "hooks": []}]
}
`},
		"windows line endings": {settingsName: "{\r\n  \"a\": 1\r\n}\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			tg, h := httpHome(t, files), HTTP{Port: 47311, Token: strings.Repeat("ab", 16)}
			putHTTP(t, tg, h)
			f, there := host.Read(filepath.Join(tg.Home, settingsName))
			if f.Err != nil && name != "comments and hooks" || !there { // the client takes comments, too
				t.Fatalf("settings: %v", f.Err)
			}
			got := contentOf(t, tg, settingsName)
			for _, want := range []string{`"SessionStart"`, `"UserPromptSubmit"`, `"PostToolUse"`, h.URL(), h.Token, AllowRule, `my bin/winnow' serve --ensure"`} {
				if !strings.Contains(got, want) {
					t.Errorf("settings lack %s:\n%s", want, got)
				}
			}
			if strings.Count(got, AllowRule) != 1 {
				t.Errorf("the rule stands %d times", strings.Count(got, AllowRule))
			}
			reg := host.ReadRegistry(filepath.Join(tg.Home, registryName))
			if s := reg.User[mcp.Server]; s.Command != tg.Exe || !cmp.Equal(s.Args, []string{"mcp"}) {
				t.Errorf("server = %+v", s)
			}
			if fi, err := os.Stat(filepath.Join(tg.Home, settingsName)); err != nil || fi.Mode().Perm() != 0o600 {
				t.Errorf("mode = %v, %v, want 0600", fi.Mode(), err)
			}
			again, err := Install(tg, h, httpDoors(h))
			if err != nil || !again.Empty() {
				t.Errorf("a second time: %v, empty %v", err, err == nil && again.Empty())
			}
			takeHTTP(t, tg)
			for _, name := range []string{settingsName, registryName} {
				if got := contentOf(t, tg, name); got != files[name] {
					t.Errorf("%s is not as before:\n%s", name, cmp.Diff(files[name], got))
				}
				fi, err := os.Stat(filepath.Join(tg.Home, name))
				if _, was := files[name]; was != (err == nil) || was && fi.Mode().Perm() != 0o644 {
					t.Errorf("%s after it: %v, %v", name, fi, err)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(tg.Home, ".winnow", "install*")); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// Another port or token takes the place of the old ones, and the way back is
// still the way to the very beginning.
func TestHTTPAnew(t *testing.T) {
	tg := httpHome(t, map[string]string{settingsName: commented})
	putHTTP(t, tg, HTTP{Port: 47311, Token: "old-token"})
	putHTTP(t, tg, HTTP{Port: 5000, Token: "new-token"})
	got := contentOf(t, tg, settingsName)
	if strings.Contains(got, "47311/hook\",\n") || strings.Contains(got, "old-token") || strings.Count(got, "new-token") != 1 {
		t.Errorf("settings:\n%s", got)
	}
	takeHTTP(t, tg)
	if got := contentOf(t, tg, settingsName); got != commented {
		t.Errorf("not as before:\n%s", cmp.Diff(commented, got))
	}
}

// After the client wrote the files anew, or the record is lost, what is ours is
// found by what it is.
func TestHTTPTakeFromRewrittenFiles(t *testing.T) {
	tg := httpHome(t, map[string]string{settingsName: commented, registryName: `{}`})
	h := HTTP{Port: 47311, Token: "t"}
	putHTTP(t, tg, h)
	mixed := strings.Replace(contentOf(t, tg, settingsName), `"hooks": [{ "type": "command", "command": "fmt" }]`,
		`"hooks": [{"type":"command","command":"fmt"},{"type":"http","url":"`+h.URL()+`","headers":{"X-Winnow-Token":"t"}}]`, 1)
	if err := os.WriteFile(filepath.Join(tg.Home, settingsName), []byte(mixed), 0o600); err != nil {
		t.Fatal(err)
	}
	reg := strings.Replace(contentOf(t, tg, registryName), "{", `{"numStartups":6,`, 1)
	if err := os.WriteFile(filepath.Join(tg.Home, registryName), []byte(reg), 0o600); err != nil {
		t.Fatal(err)
	}
	takeHTTP(t, tg)
	got := contentOf(t, tg, settingsName)
	for _, gone := range []string{"X-Winnow-Token", "serve --ensure", AllowRule, "47311"} {
		if strings.Contains(got, gone) {
			t.Errorf("settings still hold %s:\n%s", gone, got)
		}
	}
	for _, kept := range []string{"how I like it", `"fmt"`, "Bash(ls:*)", "hooks.example"} {
		if !strings.Contains(got, kept) {
			t.Errorf("settings lost %s:\n%s", kept, got)
		}
	}
	var left map[string]json.RawMessage
	if err := json.Unmarshal([]byte(contentOf(t, tg, registryName)), &left); err != nil || len(left) != 1 {
		t.Errorf("registry = %s, %v", contentOf(t, tg, registryName), err)
	}
}

func TestHTTPForeignServer(t *testing.T) {
	const theirs = `{"mcpServers":{"winnow":{"command":"/opt/grain/sorter"}}}`
	tg := httpHome(t, map[string]string{registryName: theirs})
	if _, err := Install(tg, HTTP{Port: 1}, httpDoors(HTTP{})); !errors.Is(err, ErrForeign) {
		t.Errorf("Install = %v, want %v", err, ErrForeign)
	}
	takeHTTP(t, tg)
	if got := contentOf(t, tg, registryName); got != theirs {
		t.Errorf("registry = %s", got)
	}
}

func TestOwnHook(t *testing.T) {
	token := map[string]string{"X-Winnow-Token": "t"}
	for _, c := range []struct {
		name string
		hook host.Hook
		want bool
	}{
		{"post", host.Hook{Type: "http", URL: "http://127.0.0.1:1/hook", Headers: token}, true},
		{"post without the token", host.Hook{Type: "http", URL: "http://127.0.0.1:1/hook"}, false},
		{"post elsewhere", host.Hook{Type: "http", URL: "https://other.example/hook", Headers: token}, false},
		{"start", host.Hook{Type: "command", Command: "/usr/bin/winnow serve --ensure"}, true},
		{"start, quoted", host.Hook{Type: "command", Command: "'/my bin/winnow' serve --ensure --state /s"}, true},
		{"another's", host.Hook{Type: "command", Command: "/usr/bin/other serve --ensure"}, false},
		{"start, by its platform's name", host.Hook{Type: "command", Command: "/x/winnow-linux-amd64 serve --ensure"}, true},
		{"start, with a quote in the path", host.Hook{Type: "command", Command: `'/it'\''s/winnow' serve --ensure`}, true},
		{"something after it", host.Hook{Type: "command", Command: "winnow serve --ensure; my-own"}, false},
		{"something before it", host.Hook{Type: "command", Command: "env A=1 /x/winnow serve --ensure"}, false},
		{"in the background", host.Hook{Type: "command", Command: "winnow serve --ensure &"}, false},
		{"a text about it", host.Hook{Type: "command", Command: "echo /x/winnow serve --ensure"}, false},
		{"with an expansion", host.Hook{Type: "command", Command: `"$(dirname x)/winnow" serve --ensure`}, false},
		{"an open quote", host.Hook{Type: "command", Command: "'/x/winnow serve --ensure"}, false},
		{"another use", host.Hook{Type: "command", Command: "winnow stats"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := OwnHook(c.hook); got != c.want {
				t.Errorf("OwnHook = %v, want %v", got, c.want)
			}
		})
	}
}

// Hooks that only look like ours stay, and of an entry that holds ours beside a
// person's own not another byte goes.
func TestHTTPLeavesOtherHooksToTheByte(t *testing.T) {
	const before = `{
  "hooks": {
    "SessionStart": [
      {"hooks": [{"type":"command","command":"winnow serve --ensure; my-own"}]}, // mine
      {"zeta": 1e2, "hooks": [
        {"type":"command","command":"first", "timeout": 12345678901234567890}, // keep
        OURS{"type":"command","command":"last", "headers": {"x": 1}}
      ], "matcher": "startup" /* c */}
    ],
    "Odd": {"not": "a list"},
    "Stop": ["not an entry", {"hooks": "no list"}, {"hooks": [7, {"type": "http", "url": 3}]}]
  }
}
`
	ours := `{"type":"command","command":"/x/winnow serve --ensure","timeout":10},
        `
	tg := httpHome(t, map[string]string{settingsName: strings.Replace(before, "OURS", ours, 1)})
	takeHTTP(t, tg)
	want := strings.Replace(before, "OURS", "", 1)
	if got := contentOf(t, tg, settingsName); got != want {
		t.Errorf("not as it should be:\n%s", cmp.Diff(want, got))
	}
}

// What is installed must be known again: a binary of another name is refused.
func TestHTTPRefusesANameThatItWouldNotKnow(t *testing.T) {
	tg := httpHome(t, nil)
	tg.Exe = filepath.Join(tg.Home, "bin", "wn")
	if _, err := Install(tg, HTTP{Port: 1, Token: "t"}, httpDoors(HTTP{})); err == nil || !strings.Contains(err.Error(), "another name") {
		t.Errorf("Install = %v, want a word about the name", err)
	}
}

// No secret of the files that are changed comes onto the screen, ours or another's.
func TestShowHidesSecrets(t *testing.T) {
	tg := httpHome(t, map[string]string{
		settingsName: `{"env": {"ANTHROPIC_API_KEY": "sk-one", "MY_SECRET": "a\"sk-two"}, "theme": "dark"}`,
		registryName: "{\n  \"oauthToken\": \"sk-three\",\n  \"n\": 1\n}",
	})
	h := HTTP{Port: 1, Token: "sk-ours"}
	c, err := Install(tg, h, httpDoors(h))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	c.Show(&b)
	if strings.Contains(b.String(), "sk-") || !strings.Contains(b.String(), `"theme": "dark"`) {
		t.Errorf("shown was\n%s", b.String())
	}
}

// One that ends after any step is taken out whole, the mode of the file too.
func TestHTTPCutOffAfterAnyStep(t *testing.T) {
	cut := errors.New("cut off")
	for name, where := range map[string]func(c *Changes){
		"before the mode": func(c *Changes) { c.before = append([]act{{"", func() error { return cut }}}, c.before...) },
		"after the mode":  func(c *Changes) { c.Before("", func() error { return cut }) },
		"after the files": func(c *Changes) { c.After("", func() error { return cut }) },
	} {
		t.Run(name, func(t *testing.T) {
			tg, h := httpHome(t, map[string]string{settingsName: `{"a":1}`}), HTTP{Port: 1, Token: "t"}
			c, err := Install(tg, h, httpDoors(h))
			if err != nil {
				t.Fatal(err)
			}
			where(c)
			if err := c.Apply(); !errors.Is(err, cut) {
				t.Fatalf("Apply = %v", err)
			}
			takeHTTP(t, tg)
			fi, err := os.Stat(filepath.Join(tg.Home, settingsName))
			if err != nil || fi.Mode().Perm() != 0o644 || contentOf(t, tg, settingsName) != `{"a":1}` || contentOf(t, tg, registryName) != "" {
				t.Errorf("%v %v %q %q", fi.Mode(), err, contentOf(t, tg, settingsName), contentOf(t, tg, registryName))
			}
		})
	}
}
