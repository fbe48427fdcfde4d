//go:build e2e

package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

const mcpTool = "mcp__winnow__winnow_recall"

// theirSettings is a user's settings file before winnow.
const theirSettings = `{
  "theme": "dark",
  "permissions": { "allow": ["Bash", "Read", "Write", "Agent"] }
}
`

// installed is a lab in which `winnow install --http` was run, and no plugin.
func installed(t *testing.T) *lab.Lab {
	t.Helper()
	l := lab.New(t, repo)
	l.Settings = nil
	l.Configure(fmt.Sprintf("WINNOW_MODE=active\nWINNOW_JUDGE=fake\nWINNOW_PORT=%d\n", freePort(t)))
	if err := os.WriteFile(settingsFile(l), []byte(theirSettings), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Command("install", "--http", "--yes"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for line := range strings.Lines(l.Debug()) {
			if strings.Contains(line, "does not match") || strings.Contains(line, "HTTP hook must return JSON") {
				t.Errorf("debug log: %s", line)
			}
		}
	})
	return l
}

func freePort(t *testing.T) int {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}

func settingsFile(l *lab.Lab) string { return filepath.Join(l.Config, "settings.json") }

// editSettings replaces a text in the settings file.
func editSettings(t *testing.T, l *lab.Lab, from, to string) {
	t.Helper()
	b, err := os.ReadFile(settingsFile(l))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), from) {
		t.Fatalf("settings do not hold %s:\n%s", from, b)
	}
	if err := os.WriteFile(settingsFile(l), []byte(strings.Replace(string(b), from, to, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantTheirs(t *testing.T, l *lab.Lab) {
	t.Helper()
	if out, err := l.Command("uninstall", "--yes"); err != nil {
		t.Fatalf("uninstall: %v\n%s", err, out)
	}
	if b, err := os.ReadFile(settingsFile(l)); err != nil || string(b) != theirSettings {
		t.Errorf("settings after uninstall: %v\n%s", err, b)
	}
	if b, err := os.ReadFile(filepath.Join(l.Config, ".claude.json")); err == nil && strings.Contains(string(b), "winnow_recall") {
		t.Errorf("the client's registry still names winnow:\n%s", b)
	}
}

// install, a session that is pruned and recalls over MCP, uninstall. The hook of
// the session's start starts the daemon.
func TestInstallHTTP(t *testing.T) {
	l := installed(t)
	log, failures := buildLog(300, 20, 151)
	l.Write("log.txt", log)
	warmUp(t, l)
	var shown string
	l.API.Script("http",
		mockapi.Use("I build.", bash("cat log.txt")),
		mockapi.Step(func(r mockapi.Request) mockapi.Reply {
			shown = r.Last().Result()
			return mockapi.Use("I look.", mockapi.Call{Name: mcpTool, Input: map[string]any{"key": firstKey(shown)}})(r)
		}),
		mockapi.Say("Done."))
	l.Do(lab.Run{Prompt: "Find out why the nightly import is slow. [[script:http]]"})
	reqs := l.API.Requests("http")
	wantCut(t, l, shown, strings.TrimSuffix(log, "\n"), failures...)
	got := reqs[len(reqs)-1].Last()
	want, err := l.Command("recall", firstKey(shown), "--page")
	if err != nil {
		t.Fatal(err)
	}
	if texts := got.Texts(); got.IsError || len(texts) == 0 || texts[0] != want {
		t.Errorf("recalled over MCP: %v %.300q, want %.300q", got.IsError, texts, want)
	}
	if s, err := l.Command("doctor"); err != nil || !strings.Contains(s, "ok    hook door  ") || !strings.Contains(s, "ok    recall     by the tool "+mcpTool) {
		t.Errorf("doctor: %v\n%s", err, s)
	}
	wantTheirs(t, l)
}

// warmUp starts a session, by which the daemon comes, and waits for its judge.
func warmUp(t *testing.T, l *lab.Lab) {
	t.Helper()
	play(t, l, lab.Run{Prompt: "Say hello.", Allow: []string{}})
	l.AwaitReady()
}

func firstKey(s string) string {
	if ks := keys(s); len(ks) > 0 {
		return ks[0]
	}
	return "none"
}

// Without the rule, or for an agent with tools of its own, originals.
func TestInstallHTTPWithoutRecall(t *testing.T) {
	log, _ := buildLog(300, 20, 151)
	t.Run("no rule", func(t *testing.T) {
		l := installed(t)
		editSettings(t, l, `"`+mcpTool+`"`, `"mcp__winnow__another"`)
		l.Write("log.txt", log)
		warmUp(t, l)
		reqs, _ := play(t, l, lab.Run{Allow: []string{}}, mockapi.Use("I build.", bash("cat log.txt")))
		wantWhole(t, reqs[1].Last().Result(), strings.TrimSuffix(log, "\n"))
		if n := reasons(l)["reason.no-recall"]; n != 1 {
			t.Errorf("no-recall counted %d times, want once: %v", n, reasons(l))
		}
	})
	t.Run("an agent with tools of its own", func(t *testing.T) {
		l := installed(t)
		l.Write("log.txt", log)
		l.Write(".claude/agents/runner.md", "---\nname: runner\ndescription: Runs commands\ntools: Bash\n---\nYou run commands.\n")
		warmUp(t, l)
		l.API.Script("inner", mockapi.Use("I build.", bash("cat log.txt")), mockapi.Say("Built."))
		play(t, l, lab.Run{Allow: []string{}}, mockapi.Use("I send somebody.", mockapi.Call{Name: "Agent", Input: map[string]any{
			"subagent_type": "runner", "description": "run", "prompt": "Find out why the build is slow. [[script:inner]]", "run_in_background": false}}))
		inner := l.API.Requests("inner")
		if len(inner) < 2 {
			t.Fatalf("%d requests of the agent", len(inner))
		}
		wantWhole(t, inner[1].Last().Result(), strings.TrimSuffix(log, "\n"))
	})
}

// A marker that went into a file is told of.
func TestInstallHTTPTellsOfMarkers(t *testing.T) {
	l := installed(t)
	log, _ := buildLog(300, 20, 151)
	l.Write("log.txt", log)
	warmUp(t, l)
	l.API.Script("carry",
		mockapi.Use("I build.", bash("cat log.txt")),
		mockapi.Step(func(r mockapi.Request) mockapi.Reply {
			m := markerRE.FindString(r.Last().Result())
			return mockapi.Use("I note.", bash("echo '"+strings.ReplaceAll(m, "'", "")+"' > note.txt"))(r)
		}),
		mockapi.Say("Done."))
	l.Do(lab.Run{Prompt: "Find out why the nightly import is slow. [[script:carry]]"})
	reqs := l.API.Requests("carry")
	if last := string(reqs[len(reqs)-1].Raw); !strings.Contains(last, "means nothing outside of this conversation") {
		t.Error("the model was not told")
	}
}

// With the plugin, too, a session is the plugin's: each result is cut once, in the
// main loop and in a subagent. The server named winnow keeps the plugin's own tool
// out: with that nothing is cut, for nobody could recall.
func TestBothDoors(t *testing.T) {
	log, failures := buildLog(300, 20, 151)
	log = strings.TrimSuffix(log, "\n")
	both := func(t *testing.T, l *lab.Lab) (main, agent string) {
		l.Plugin = l.Repo
		l.Write("log.txt", log+"\n")
		l.StartDaemon()
		l.API.Script("inner", mockapi.Use("I build.", bash("cat log.txt")), mockapi.Say("Built."))
		reqs, _ := play(t, l, lab.Run{Allow: []string{}},
			mockapi.Use("I look.", bash("ls")),
			mockapi.Use("I build.", bash("cat log.txt")),
			mockapi.Use("I send somebody.", mockapi.Call{Name: "Agent", Input: map[string]any{
				"subagent_type": "general-purpose", "description": "run", "prompt": "Find out why the build is slow. [[script:inner]]", "run_in_background": false}}))
		inner := l.API.Requests("inner")
		if len(inner) < 2 {
			t.Fatalf("%d requests of the agent", len(inner))
		}
		if c := reasons(l); c["reason.other-door"] < 2 || c["reason.marked"] != 0 {
			t.Errorf("counts = %v, want the hook door to pass", c)
		}
		return reqs[2].Last().Result(), inner[1].Last().Result()
	}
	t.Run("hooks alone", func(t *testing.T) {
		l := installed(t)
		if err := os.Remove(filepath.Join(l.Config, ".claude.json")); err != nil {
			t.Fatal(err)
		}
		main, agent := both(t, l)
		wantCut(t, l, main, log, failures...)
		wantCut(t, l, agent, log, failures...)
		if n := reasons(l)["active.pruned"]; n != 2 {
			t.Errorf("%d results pruned, want each of the two once", n)
		}
	})
	t.Run("with the server", func(t *testing.T) {
		l := installed(t)
		main, agent := both(t, l)
		wantWhole(t, main, log)
		wantWhole(t, agent, log)
	})
}
