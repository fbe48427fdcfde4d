package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/install"
)

// hooked is a place with the hook door set up as `winnow install --http` does.
func hooked(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	p.env["WINNOW_PORT"] = "47399"
	token, err := p.Dir.ReadToken(true)
	must(t, err)
	door := install.HTTP{Port: 47399, Token: token}
	tg := install.Target{Config: filepath.Join(p.home, ".claude"), Home: p.home, State: p.Dir, Exe: filepath.Join(p.bin, "winnow")}
	c, err := install.Install(tg, door, []install.Door{door})
	must(t, err)
	must(t, c.Apply())
	return p
}

// change replaces a text in a file of the home folder.
func (p *place) change(t *testing.T, name, from, to string) {
	t.Helper()
	path := filepath.Join(p.home, name)
	b, err := os.ReadFile(path)
	must(t, err)
	if !strings.Contains(string(b), from) {
		t.Fatalf("%s does not hold %s:\n%s", name, from, b)
	}
	must(t, os.WriteFile(path, []byte(strings.ReplaceAll(string(b), from, to)), 0o600))
}

func TestHookDoor(t *testing.T) {
	const user = ".claude/settings.json"
	for _, tc := range []struct {
		name, check string
		set         func(*testing.T, *place)
		want        State
		found       string
	}{
		{"as installed", "hook door", nil, OK, "posts to http://127.0.0.1:47399/hook"},
		{"as installed", "recall", nil, OK, "by the tool mcp__winnow__winnow_recall"},
		{"as installed", "doors", nil, OK, "settings-file hooks alone"},
		{"another port", "hook door", func(t *testing.T, p *place) { p.env["WINNOW_PORT"] = "47400" }, Fail, "the daemon's port is 47400"},
		{"another token", "hook door", func(t *testing.T, p *place) {
			must(t, os.Remove(p.Dir.Token()))
			_, err := p.Dir.ReadToken(true)
			must(t, err)
		}, Fail, "old token"},
		{"no binary", "hook door", func(t *testing.T, p *place) { must(t, os.Remove(filepath.Join(p.bin, "winnow"))) }, Fail, "is not there"},
		{"before the call", "hook door", func(t *testing.T, p *place) { p.change(t, user, `"PostToolUse"`, `"PreToolUse"`) }, Fail, "can stop work"},
		{"for ever", "hook door", func(t *testing.T, p *place) { p.change(t, user, `"timeout": 3,`, `"timeout": 3000,`) }, Fail, "3000 seconds"},
		{"read by others", "hook door", func(t *testing.T, p *place) { must(t, os.Chmod(filepath.Join(p.home, user), 0o644)) }, Warn, "lets others read"},
		{"in the project", "hook door", func(t *testing.T, p *place) {
			must(t, os.MkdirAll(filepath.Join(p.Cwd, ".claude"), 0o700))
			must(t, os.Rename(filepath.Join(p.home, user), filepath.Join(p.Cwd, user)))
		}, Warn, "belong into your own"},
		{"no rule", "recall", func(t *testing.T, p *place) { p.change(t, user, install.AllowRule, "mcp__other") }, Warn, "no rule allows"},
		{"denied here", "recall", func(t *testing.T, p *place) {
			p.write(t, filepath.Join(p.Cwd, ".claude", "settings.json"), `{"permissions":{"deny":["mcp__winnow"]}}`)
		}, Warn, "forbids"},
		{"no server", "recall", func(t *testing.T, p *place) { p.change(t, ".claude.json", `"winnow": {`, `"other": {`) }, Warn, "not registered"},
		{"by the command", "recall", func(t *testing.T, p *place) { p.change(t, user, install.AllowRule, "Bash(winnow recall:*)") }, OK, "by the command"},
		{"the plugin, too", "doors", func(t *testing.T, p *place) {
			p.change(t, user, "{\n  \"hooks\"", "{\n  \"enabledPlugins\": {\"winnow@winnow\": true},\n  \"hooks\"")
		}, Fail, "both set up"},
	} {
		t.Run(tc.check+", "+tc.name, func(t *testing.T) {
			p := hooked(t)
			if tc.set != nil {
				tc.set(t, p)
			}
			got := p.find(t, tc.check)
			if got.State != tc.want || !strings.Contains(got.Found, tc.found) || (got.Next == "") != (got.State == OK) {
				t.Errorf("%s = %+v, want %s with %q", tc.check, got, tc.want, tc.found)
			}
		})
	}
}
