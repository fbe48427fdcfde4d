//go:build e2e

package e2e

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

const recallTool = "mcp__winnow__recall"

// active is a lab whose daemon runs with the given judge and prunes.
func active(t *testing.T, judge string, settings ...string) *lab.Lab {
	t.Helper()
	l := with(t, "WINNOW_MODE=active\nWINNOW_JUDGE="+judge+"\nWINNOW_PORT=0\n"+strings.Join(settings, "\n"))
	if s, err := l.Status(); err != nil || s.Judge != judge || s.Mode != "active" {
		t.Fatalf("daemon: %+v, %v, want judge %s", s, err, judge)
	}
	return l
}

// with is a lab with winnow and a daemon of this configuration. Whatever a case
// is about, the client must load the mod and never skip one of its hooks.
func with(t *testing.T, env string) *lab.Lab {
	t.Helper()
	l := lab.New(t, repo)
	l.UseWinnow(env)
	l.StartDaemon()
	t.Cleanup(func() {
		log := l.Debug()
		if !strings.Contains(log, "hooks module winnow@inline loaded") {
			t.Error("the client did not load the mod")
		}
		for line := range strings.Lines(log) {
			if strings.Contains(line, "hook skipped") {
				t.Errorf("debug log: %s", line)
			}
		}
	})
	return l
}

func bash(command string) mockapi.Call {
	return mockapi.Call{Name: "Bash", Input: map[string]any{"command": command, "description": "run it"}}
}

func read(path string) mockapi.Call {
	return mockapi.Call{Name: "Read", Input: map[string]any{"file_path": path}}
}

// play runs one prompt through a script and returns what was requested at each
// of its steps and after the last.
func play(t *testing.T, l *lab.Lab, r lab.Run, steps ...mockapi.Step) ([]mockapi.Request, lab.Done) {
	t.Helper()
	const name = "play"
	l.API.Script(name, append(steps, mockapi.Say("Done."))...)
	if r.Prompt == "" {
		r.Prompt = "Find out why the nightly import is slow."
	}
	r.Prompt += " [[script:" + name + "]]"
	if r.Allow == nil {
		r.Allow = []string{"Bash", "Read", "Edit", "Write", "Agent", "mcp__lab__big"}
	}
	before := len(l.API.Requests(name))
	d := l.Do(r)
	reqs := l.API.Requests(name)[before:]
	if len(reqs) != len(steps)+1 {
		t.Fatalf("%d requests for %d steps", len(reqs), len(steps))
	}
	if len(d.Result.Denials) > 0 {
		t.Logf("denied: %v", d.Result.Denials)
	}
	return reqs, d
}

var markerRE = regexp.MustCompile(`(?m)^<<ccr:([0-9a-f]{24}) (\d+)_lines_offloaded>> lines (\d+)-(\d+).*$`)

// keys returns the keys of the markers in s, in order.
func keys(s string) []string {
	var out []string
	for _, m := range markerRE.FindAllStringSubmatch(s, -1) {
		out = append(out, m[1])
	}
	return out
}

// restore puts the hidden lines back where the markers stand.
func restore(t *testing.T, l *lab.Lab, s string) string {
	t.Helper()
	return markerRE.ReplaceAllStringFunc(s, func(m string) string {
		out, err := l.Command("recall", markerRE.FindStringSubmatch(m)[1])
		if err != nil {
			t.Fatalf("recall: %v", err)
		}
		return out
	})
}

// wantCut checks that got is orig with lines hidden: shorter, with markers, every
// line of must still there, and orig again when the lines are put back.
func wantCut(t *testing.T, l *lab.Lab, got, orig string, must ...string) {
	t.Helper()
	if len(keys(got)) == 0 || len(got) >= len(orig) {
		t.Errorf("nothing hidden: %d of %d bytes, reasons %v\n%.400s", len(got), len(orig), reasons(l), got)
		return
	}
	lines := map[string]bool{}
	for line := range strings.SplitSeq(got, "\n") {
		lines[line] = true
	}
	for _, m := range must {
		if !lines[m] {
			t.Errorf("line %q is hidden", m)
		}
	}
	if back := restore(t, l, got); back != orig {
		t.Errorf("with the lines put back it is not the original: %s", firstDiff(back, orig))
	}
}

func wantWhole(t *testing.T, got, orig string) {
	t.Helper()
	if got != orig {
		t.Errorf("not the original: %s", firstDiff(got, orig))
	}
}

func firstDiff(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	cut := func(s string) string {
		q, _ := json.Marshal(s[max(0, i-40):min(len(s), i+120)])
		return string(q)
	}
	return "first differs in " + cut(a) + ", want " + cut(b)
}

// reasons are the daemon's counters, for the log of a failure.
func reasons(l *lab.Lab) map[string]int64 {
	s, err := l.Status()
	if err != nil {
		return nil
	}
	return s.Counts
}
