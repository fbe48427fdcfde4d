//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// hooked is a lab without the plugin whose settings send results to the daemon's
// hook door.
func hooked(t *testing.T) *lab.Lab {
	t.Helper()
	l := lab.New(t, repo)
	l.Configure("WINNOW_MODE=active\nWINNOW_JUDGE=fake\nWINNOW_PORT=0\n")
	// Without a way to recall nothing is hidden: here it is the command.
	l.Env["PATH"] = filepath.Join(repo, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")
	l.Settings["permissions"] = map[string]any{"allow": []string{"Bash(winnow recall:*)"}}
	l.StartDaemon()
	d := l.Daemon()
	l.Settings["hooks"] = map[string]any{"PostToolUse": []any{map[string]any{"matcher": "", "hooks": []any{map[string]any{
		"type": "http", "url": fmt.Sprintf("http://127.0.0.1:%d/hook", d.Port), "timeout": 10,
		"headers": map[string]any{"X-Winnow-Token": d.Token}}}}}}
	t.Cleanup(func() {
		for line := range strings.Lines(l.Debug()) {
			if strings.Contains(line, "does not match") || strings.Contains(line, "hook failed") {
				t.Errorf("debug log: %s", line)
			}
		}
	})
	return l
}

func TestHookDoor(t *testing.T) {
	t.Run("Bash", func(t *testing.T) {
		l := hooked(t)
		log, failures := buildLog(300, 20, 151)
		l.Write("log.txt", log)
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt")))
		wantCut(t, l, reqs[1].Last().Result(), strings.TrimSuffix(log, "\n"), failures...)
	})
	t.Run("Bash, saved", func(t *testing.T) {
		l := hooked(t)
		log, _ := bigLog(12, false)
		l.Write("log.txt", log)
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt")))
		got := reqs[1].Last().Result()
		wantView(t, l, got, "12 distinct failure lines, 12 in all")
		if strings.Contains(got, "<persisted-output>") {
			t.Errorf("the view stands in the host's frame:\n%.300s", got)
		}
	})
	t.Run("Read", func(t *testing.T) {
		l := hooked(t)
		p := l.Write("shelves.txt", prose(400))
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)))
		got := reqs[1].Last().Result()
		if !strings.Contains(got, "<<ccr:") {
			t.Errorf("nothing hidden: %v", reasons(l))
		}
		// The host numbers the lines itself: a gap in the middle costs blank ones.
		var shown []string
		for line := range strings.SplitSeq(got, "\n") {
			if _, rest, ok := strings.Cut(line, "\t"); ok && rest != "" && !strings.HasPrefix(rest, "<<ccr:") {
				shown = append(shown, line)
			}
		}
		wantNumbers(t, strings.Join(shown, "\n"), prose(400))
	})
	t.Run("MCP", func(t *testing.T) {
		l := hooked(t)
		useMCP(l)
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I ask.", mockapi.Call{Name: "mcp__lab__big", Input: map[string]any{"n": 100}}))
		for i, text := range reqs[1].Last().Texts() {
			wantCut(t, l, text, mcpLines([]string{"first", "second"}[i], 100))
		}
	})
	t.Run("failing", func(t *testing.T) {
		l := hooked(t)
		log, _ := buildLog(300, 20)
		l.Write("log.txt", log)
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt; exit 3")))
		if got := reqs[1].Last(); !got.IsError || strings.Contains(got.Result(), "<<ccr:") {
			t.Errorf("failing Bash: %.300s", got.Result())
		}
	})
}
