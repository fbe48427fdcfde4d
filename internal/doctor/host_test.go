package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHostSettings(t *testing.T) {
	const user, project, local, managed = "home/.claude/settings.json", "cwd/.claude/settings.json", "cwd/.claude/settings.local.json", "managed/managed-settings.json"
	for _, tc := range []struct {
		name, check string
		files       map[string]string
		want        State
		found       string
	}{
		{"none", "hooks", nil, OK, "0 settings files"},
		{"some", "hooks", map[string]string{user: `{"model":"x"}`, project: ``}, OK, "2 settings files"},
		{"off by the user", "hooks", map[string]string{user: `{"disableAllHooks":true}`}, Fail, "settings.json switches all hooks off"},
		{"off in the project", "hooks", map[string]string{local: `{"disableAllHooks":true}`, user: `{}`}, Fail, "settings.local.json switches"},
		{"not off", "hooks", map[string]string{user: `{"disableAllHooks":false}`}, OK, "1 settings file of"},
		{"another kind", "hooks", map[string]string{user: `{"disableAllHooks":"maybe","env":[1]}`}, OK, ""},
		{"managed only", "hooks", map[string]string{managed: `{"allowManagedHooksOnly":true}`}, Fail, "managed hooks only"},
		{"managed in a part", "hooks", map[string]string{"managed/managed-settings.d/10.json": `{"allowManagedHooksOnly":true}`}, Fail, "managed hooks only"},
		{"only managed files say so", "hooks", map[string]string{user: `{"allowManagedHooksOnly":true}`}, OK, ""},
		{"broken", "hooks", map[string]string{user: `{"disableAllHooks":`}, Warn, "not understood"},
		{"a fault before what is broken", "hooks", map[string]string{local: `{`, user: `{"disableAllHooks":true}`}, Fail, "switches all hooks off"},
		{"no list", "hook urls", nil, OK, "not blocked"},
		{"empty list", "hook urls", map[string]string{user: `{"allowedHttpHookUrls":[]}`}, Warn, "blocked"},
		{"others", "hook urls", map[string]string{user: `{"allowedHttpHookUrls":["https://hooks.example/*","http://127.0.0.1:1/*"]}`}, Warn, "does not allow http://127.0.0.1:47399/hook"},
		{"ours", "hook urls", map[string]string{user: `{"allowedHttpHookUrls":["https://hooks.example/*","http://127.0.0.1:*/*"]}`}, OK, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPlace(t)
			p.env["WINNOW_PORT"] = "47399"
			for name, content := range tc.files {
				root, rest, _ := strings.Cut(name, "/")
				p.write(t, filepath.Join(map[string]string{"home": p.home, "cwd": p.Cwd, "managed": p.Managed}[root], rest), content)
			}
			got := p.find(t, tc.check)
			if got.State != tc.want || !strings.Contains(got.Found, tc.found) || (got.Next == "") != (got.State == OK) {
				t.Errorf("%s = %+v, want %s with %q", tc.check, got, tc.want, tc.found)
			}
		})
	}
}

// CLAUDE_CONFIG_DIR says where the user's settings are, and the ones in the home
// folder then count for nothing.
func TestConfigDir(t *testing.T) {
	p := newPlace(t)
	p.env["CLAUDE_CONFIG_DIR"] = t.TempDir()
	p.write(t, filepath.Join(p.home, ".claude", "settings.json"), `{"disableAllHooks":true}`)
	if got := p.find(t, "hooks"); got.State != OK {
		t.Errorf("hooks = %+v, want the home folder's settings left out", got)
	}
	p.write(t, filepath.Join(p.env["CLAUDE_CONFIG_DIR"], "settings.json"), `{"disableAllHooks":true}`)
	if got := p.find(t, "hooks"); got.State != Fail {
		t.Errorf("hooks = %+v, want a fault", got)
	}
}

func TestClient(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       State
		found      string
	}{
		{"new enough", `echo "2.1.328 (Claude Code)"`, OK, "is 2.1.328"},
		{"newer", `echo 2.2.0`, OK, "is 2.2.0"},
		{"older", `echo "2.1.99 (Claude Code)"`, Fail, "is 2.1.99; the plugin needs 2.1.328"},
		{"says nothing", `true`, Warn, "for a version"},
		{"breaks", `exit 3`, Warn, "exit status 3"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := newPlace(t)
			// What the client keeps for itself must not land in the user's folders.
			script(t, filepath.Join(p.bin, "claude"), `echo x > "$CLAUDE_CONFIG_DIR/state"; echo x > here; `+tc.body)
			got := p.find(t, "client")
			if got.State != tc.want || !strings.Contains(got.Found, tc.found) || (got.Next == "") != (got.State == OK) {
				t.Errorf("client = %+v, want %s with %q", got, tc.want, tc.found)
			}
			if _, err := os.Stat("here"); err == nil {
				t.Error("the client ran in our folder")
			}
			if _, err := os.Stat(filepath.Join(p.home, ".claude")); err == nil {
				t.Error("the client wrote to the user's configuration")
			}
		})
	}
}

func TestSpares(t *testing.T) {
	for no, want := range map[string]bool{
		"": false, "localhost": false, "127.0.0.1": true, "a,127.0.0.1": true, "a 127.0.0.1:47311": true, "*": true,
		"10.127.0.0.1": false, "127.0.0.0/8": false,
	} {
		if got := spares(no); got != want {
			t.Errorf("spares(%q) = %v, want %v", no, got, want)
		}
	}
}
