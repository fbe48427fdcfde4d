//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// TestShadow: in shadow everything is judged, and the API is sent what it would
// be sent without winnow.
func TestShadow(t *testing.T) {
	log, _ := buildLog(300, 20, 290)
	big, _ := buildLog(3000, 1500)
	run := func(l *lab.Lab) []string {
		l.Write("log.txt", log)
		l.Write("big.txt", big)
		p := l.Write("names.go", source(60))
		useMCP(l)
		l.API.Script("sub", mockapi.Use("I build.", bash("cat log.txt")), mockapi.Say("Reported."))
		reqs, _ := play(t, l, lab.Run{},
			mockapi.Use("I build.", bash("cat log.txt"), bash("cat log.txt; exit 3")),
			mockapi.Use("I read.", read(p)),
			mockapi.Use("I build all.", bash("cat big.txt")),
			mockapi.Use("I ask.", mockapi.Call{Name: "mcp__lab__big", Input: map[string]any{"n": 100}}),
			mockapi.Use("I delegate.", mockapi.Call{Name: "Agent", Input: map[string]any{
				"description": "look", "prompt": "Look. [[script:sub]]", "subagent_type": "general-purpose", "run_in_background": false}}))
		return sent(t, l, append(reqs, l.API.Requests("sub")...))
	}
	without := run(plain(t))
	l := with(t, "WINNOW_MODE=shadow\nWINNOW_JUDGE=fake\nWINNOW_PORT=0\n")
	if d := cmp.Diff(without, run(l)); d != "" {
		t.Errorf("what the API is sent (-without +shadow):\n%s", d)
	}
	if n := reasons(l)["shadow.pruned"]; n < 4 {
		t.Errorf("shadow judged %d results as prunable, want some: %v", n, reasons(l))
	}
}

var chance = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|tool-results/\w+|agentId: \w+|with to: '\w+'|duration_ms: \d+`)

// sent is the tools and messages of requests, without what differs between two
// runs of the client by itself.
func sent(t *testing.T, l *lab.Lab, reqs []mockapi.Request) []string {
	t.Helper()
	slug := regexp.MustCompile(`[^A-Za-z0-9]`).ReplaceAllString(l.Root, "-")
	var out []string
	for _, r := range reqs {
		var body struct {
			Messages []json.RawMessage `json:"messages"`
			Tools    []json.RawMessage `json:"tools"`
		}
		if err := json.Unmarshal(r.Raw, &body); err != nil {
			t.Fatal(err)
		}
		for i, m := range append(body.Tools, body.Messages...) {
			s := strings.NewReplacer(l.Root, "ROOT", slug, "SLUG").Replace(string(m))
			out = append(out, fmt.Sprintf("%s %d, part %d: %s", r.Script, r.Step, i, chance.ReplaceAllString(s, "X")))
		}
	}
	return out
}

// TestSwitchedOn: a session that began in shadow is cut once the mode is active
// and its model was offered the recall tool.
func TestSwitchedOn(t *testing.T) {
	l := with(t, "WINNOW_MODE=shadow\nWINNOW_JUDGE=fake\nWINNOW_PORT=0\n")
	log, failures := buildLog(300, 20)
	orig := strings.TrimSuffix(log, "\n")
	for i := range 4 {
		l.Write(fmt.Sprintf("log%d.txt", i), log)
	}
	cat := func(i int) mockapi.Step { return mockapi.Use("I build.", bash(fmt.Sprintf("cat log%d.txt", i))) }
	reqs, _ := play(t, l, lab.Run{}, cat(0), func(r mockapi.Request) mockapi.Reply {
		l.Configure("WINNOW_MODE=active\nWINNOW_JUDGE=fake\nWINNOW_PORT=0\n")
		l.AwaitMode("active")
		return cat(1)(r)
	}, cat(2), cat(3))
	wantWhole(t, reqs[1].Last().Result(), orig)
	for i, r := range reqs[2:4] {
		if !r.Has(recallTool) {
			wantWhole(t, r.Last().Result(), orig)
		}
		t.Logf("call %d after the switch: recall offered %v, %d markers", i, r.Has(recallTool), len(keys(r.Last().Result())))
	}
	wantCut(t, l, reqs[4].Last().Result(), orig, failures...)
}

// TestStoppedDaemon: a daemon that hangs costs a bounded time, once, and does
// not keep the process alive.
func TestStoppedDaemon(t *testing.T) {
	l := active(t, "fake")
	log, _ := buildLog(300, 20)
	l.Write("log.txt", log)
	reqs, d := play(t, l, lab.Run{}, mockapi.Use("I begin.", bash("echo begun")), func(mockapi.Request) mockapi.Reply {
		l.Signal(syscall.SIGSTOP)
		return mockapi.Reply{Text: "I build.", Calls: []mockapi.Call{bash("cat log.txt"), bash("cat log.txt;"), bash("cat log.txt; true")}}
	})
	for i := range 3 {
		wantWhole(t, reqs[2].ResultOf(i).Result(), strings.TrimSuffix(log, "\n"))
	}
	if took := reqs[2].At.Sub(reqs[1].At); took > 4*time.Second {
		t.Errorf("three calls beside a stopped daemon took %v, want at most 4s", took)
	}
	if d.After > time.Second {
		t.Errorf("the process ended %v after its result, want at most 1s", d.After)
	}
	t.Logf("results after %v, end %v after the result", reqs[2].At.Sub(reqs[1].At), d.After)
}

// TestKilledDaemon: the session goes on, and is cut again once a daemon is back.
func TestKilledDaemon(t *testing.T) {
	l := active(t, "fake")
	log, failures := buildLog(300, 20)
	orig := strings.TrimSuffix(log, "\n")
	for i := range 3 {
		l.Write(fmt.Sprintf("log%d.txt", i), log)
	}
	cat := func(i int) mockapi.Reply {
		// Longer than the mod's least time between two attempts to start a daemon.
		return mockapi.Reply{Text: "I build.", Calls: []mockapi.Call{bash(fmt.Sprintf("sleep 1.1; cat log%d.txt", i))}}
	}
	reqs, _ := play(t, l, lab.Run{},
		func(mockapi.Request) mockapi.Reply { return cat(0) },
		func(mockapi.Request) mockapi.Reply { l.Signal(syscall.SIGKILL); return cat(1) },
		func(mockapi.Request) mockapi.Reply { l.AwaitReady(); return cat(2) })
	wantCut(t, l, reqs[1].Last().Result(), orig, failures...)
	if got := reqs[2].Last().Result(); len(keys(got)) > 0 {
		wantCut(t, l, got, orig, failures...)
	} else {
		wantWhole(t, got, orig)
	}
	if took := reqs[2].At.Sub(reqs[1].At); took > 5*time.Second {
		t.Errorf("a call of 1.1s beside a dead daemon took %v", took)
	}
	wantCut(t, l, reqs[3].Last().Result(), orig, failures...)
}
