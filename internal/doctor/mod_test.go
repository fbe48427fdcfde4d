package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMod(t *testing.T) {
	now := time.Now()
	const settings = "settings.json"
	entry := func(session, version string, at time.Time) string {
		return `{"type":"user","sessionId":"` + session + `","version":"` + version + `","timestamp":"` + at.UTC().Format(time.RFC3339) + `"}` + "\n"
	}
	ran := func(t *testing.T, p *place, session, version string, at time.Time) {
		path := filepath.Join(p.home, ".claude", "projects", "-p", session+".jsonl")
		p.write(t, path, entry(session, version, at))
		must(t, os.Chtimes(path, at, at))
	}
	enable := func(t *testing.T, p *place, json string) {
		p.write(t, filepath.Join(p.home, ".claude", settings), json)
	}
	linked := func(t *testing.T, p *place) {
		p.write(t, filepath.Join(p.home, ".claude", "skills", "winnow", ".claude-plugin", "plugin.json"), "{}")
	}
	none := func(t *testing.T, p *place) { must(t, os.Remove(p.Dir.Hello())) }
	const hooked = `{"hooks":{"PostToolUse":[{"hooks":[{"type":"http","url":"http://127.0.0.1:47311/hook","timeout":3}]}]}}`
	for _, tc := range []struct {
		name, check string
		spoil       func(*testing.T, *place)
		want        State
		found, next string
	}{
		{"said hello", "mod", func(*testing.T, *place) {}, OK, "session s0 said hello at ", ""},
		{"its client and folder", "mod", func(*testing.T, *place) {}, OK, ", client 2.1.400, from /plugin", ""},
		{"nobody ever", "mod", none, Warn, "no session has loaded it yet", "claude"},
		{"unreadable hellos", "mod", func(t *testing.T, p *place) { p.write(t, p.Dir.Hello(), "x") }, Warn, "no session has", "claude"},
		{"nobody, and the client is too old", "mod", func(t *testing.T, p *place) {
			none(t, p)
			script(t, filepath.Join(p.bin, "claude"), "echo 2.1.5")
		}, Warn, "the client is 2.1.5, and one older than " + MinClient, "claude update"},
		{"a session of an old client", "mod", func(t *testing.T, p *place) {
			none(t, p)
			ran(t, p, "s1", "2.1.5", now)
		}, Fail, "session s1 ran on client 2.1.5, and one older than " + MinClient + " loads none of it; none ever did", "claude update"},
		{"a later session without it", "mod", func(t *testing.T, p *place) { ran(t, p, "s1", "2.1.400", now.Add(time.Hour)) },
			Warn, "session s1 of client 2.1.400 did not load it, and no settings file enables it; the last that did was s0", "winnow install"},
		{"a later session without it, enabled", "mod", func(t *testing.T, p *place) {
			enable(t, p, `{"enabledPlugins":{"winnow@winnow":true}}`)
			ran(t, p, "s1", "2.1.400", now.Add(time.Hour))
		}, Warn, "did not load it; the last that did was s0", "claude --debug"},
		{"an earlier session without it", "mod", func(t *testing.T, p *place) { ran(t, p, "s1", "2.1.5", now.Add(-time.Hour)) }, OK, "session s0", ""},
		{"a session that said hello goes on", "mod", func(t *testing.T, p *place) { ran(t, p, "s0", "2.1.400", now.Add(time.Hour)) }, OK, "session s0", ""},
		{"a session of last month", "mod", func(t *testing.T, p *place) {
			none(t, p)
			ran(t, p, "s1", "2.1.5", now.Add(-31*24*time.Hour))
		}, Warn, "no session has loaded it yet", "claude"},
		{"the other door", "mod", func(t *testing.T, p *place) { none(t, p); enable(t, p, hooked) }, OK, "not used", ""},
		{"the other door, old client", "mod", func(t *testing.T, p *place) {
			enable(t, p, hooked)
			ran(t, p, "s1", "2.1.400", now.Add(time.Hour))
		}, OK, "settings-file hooks", ""},

		{"loaded by a flag", "plugin", func(*testing.T, *place) {}, OK, "a session loaded it from /plugin", ""},
		{"nowhere", "plugin", none, Warn, "in no settings file", "winnow install"},
		{"enabled", "plugin", func(t *testing.T, p *place) { enable(t, p, `{"enabledPlugins":{"winnow@m":true,"other@m":true}}`) }, OK, "winnow@m is enabled in ", ""},
		{"versions of it enabled", "plugin", func(t *testing.T, p *place) { enable(t, p, `{"enabledPlugins":{"winnow@m":["^1"]}}`) }, OK, "winnow@m is enabled in ", ""},
		{"switched off", "plugin", func(t *testing.T, p *place) { enable(t, p, `{"enabledPlugins":{"winnow@m":false}}`) },
			Warn, "winnow@m is switched off in ", "claude plugin enable winnow@m"},
		{"switched off in the project", "plugin", func(t *testing.T, p *place) {
			enable(t, p, `{"enabledPlugins":{"winnow@m":true}}`)
			p.write(t, filepath.Join(p.Cwd, ".claude", settings), `{"enabledPlugins":{"winnow@m":false}}`)
		}, Warn, "switched off in ", "claude plugin enable winnow@m"},
		{"twice", "plugin", func(t *testing.T, p *place) {
			enable(t, p, `{"enabledPlugins":{"winnow@m":true,"winnow@n":true}}`)
		}, Warn, "winnow@m and winnow@n are both enabled", "claude plugin uninstall winnow@n"},
		{"settings-file hooks", "plugin", func(t *testing.T, p *place) { none(t, p); enable(t, p, hooked) }, OK, "settings-file hooks", ""},
		{"hooks of others", "plugin", func(t *testing.T, p *place) {
			none(t, p)
			enable(t, p, strings.ReplaceAll(hooked, "/hook\"", "/other\""))
		}, Warn, "in no settings file", "winnow install"},

		{"by a folder", "plugin", func(t *testing.T, p *place) { none(t, p); linked(t, p) }, OK, "winnow@skills-dir is loaded from ", ""},
		{"by a folder and a marketplace", "plugin", func(t *testing.T, p *place) {
			linked(t, p)
			enable(t, p, `{"enabledPlugins":{"winnow@m":true}}`)
		}, Warn, "winnow@m and winnow@skills-dir are both enabled", "winnow install"},
		{"by a folder, switched off", "plugin", func(t *testing.T, p *place) {
			linked(t, p)
			enable(t, p, `{"enabledPlugins":{"winnow@skills-dir":false}}`)
		}, Warn, "switched off in ", "claude plugin enable"},
		{"by a folder, and a session that did not load it", "mod", func(t *testing.T, p *place) {
			none(t, p)
			linked(t, p)
			ran(t, p, "s1", "2.1.400", now)
		}, Warn, "s1 of client 2.1.400 did not load it; none ever did", "claude --debug"},
		{"in settings that the client ignores", "plugin", func(t *testing.T, p *place) {
			none(t, p)
			enable(t, p, `{"enabledPlugins":{"winnow@m":true}, /* mine */}`)
		}, Warn, "the client ignores that file", "${EDITOR:-vi} "},
		{"a session with settings that the client ignores", "mod", func(t *testing.T, p *place) {
			none(t, p)
			enable(t, p, `{"enabledPlugins":{"winnow@m":true}, /* mine */}`)
			ran(t, p, "s1", "2.1.400", now)
		}, Warn, "and the client ignores ", "${EDITOR:-vi} "},
		{"a session of before the installation", "mod", func(t *testing.T, p *place) {
			none(t, p)
			ran(t, p, "s1", "2.1.400", now.Add(-time.Minute))
			p.write(t, filepath.Join(string(p.Dir), "install.json"), "{}")
		}, Warn, "no session has loaded it yet", "claude"},

		{"old client with the other door", "client", func(t *testing.T, p *place) {
			enable(t, p, hooked)
			script(t, filepath.Join(p.bin, "claude"), "echo 2.1.200")
		}, OK, "too old for the plugin", ""},
		{"too old for either door", "client", func(t *testing.T, p *place) {
			enable(t, p, hooked)
			script(t, filepath.Join(p.bin, "claude"), "echo 2.1.5")
		}, Fail, "too old for the hooks in the settings", "claude update"},

		{"nothing left", "stale", func(*testing.T, *place) {}, OK, "nothing is left", ""},
		{"a dead daemon's file", "stale", func(t *testing.T, p *place) { p.write(t, p.Dir.Daemon(), `{"pid":1}`) },
			Warn, "daemon.json", "winnow serve --ensure"},
		{"a dead daemon's socket", "stale", func(t *testing.T, p *place) { p.write(t, filepath.Join(string(p.Dir), "winnow.sock"), "") },
			Warn, "winnow.sock", "winnow serve --ensure"},
		{"half a file", "stale", func(t *testing.T, p *place) {
			for name, age := range map[string]time.Duration{".daemon.json-1": 2 * time.Hour, ".token-2": 0} {
				path := filepath.Join(string(p.Dir), name)
				p.write(t, path, "")
				must(t, os.Chtimes(path, now.Add(-age), now.Add(-age)))
			}
		}, Warn, ".daemon.json-1", "rm "},
	} {
		t.Run(tc.check+": "+tc.name, func(t *testing.T) {
			p := newPlace(t)
			tc.spoil(t, p)
			got := p.find(t, tc.check)
			if got.State != tc.want || !strings.Contains(got.Found, tc.found) || !strings.Contains(got.Next, tc.next) || (got.Next == "") != (got.State == OK) {
				t.Errorf("%s = %+v, want %s with %q and next %q", tc.check, got, tc.want, tc.found, tc.next)
			}
		})
	}
}
