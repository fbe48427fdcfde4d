//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// seeing is a lab in which nothing is pruned but what was shown before.
func seeing(t *testing.T) *lab.Lab {
	t.Helper()
	return with(t, "WINNOW_MODE=shadow\nWINNOW_SEEN=active\nWINNOW_JUDGE=fake\nWINNOW_PORT=0\n")
}

// server is a file of 90 lines with something to change on line 40.
func server() string {
	var b strings.Builder
	for i := 1; i <= 90; i++ {
		if i == 40 {
			b.WriteString("\tlimit := 10\n")
			continue
		}
		fmt.Fprintf(&b, "\thandle(%d, \"the request of kind %d is answered here\")\n", i, i)
	}
	return b.String()
}

func edit(path, old, new string) mockapi.Call {
	return mockapi.Call{Name: "Edit", Input: map[string]any{"file_path": path, "old_string": old, "new_string": new}}
}

var numberRE = regexp.MustCompile(`^\s*(\d+)\t(.*)$`)

// wantFolded checks that of a file that was read again only the changed part and
// its neighbours arrived, with true numbers, and that the rest can be recalled.
func wantFolded(t *testing.T, l *lab.Lab, got, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(raw), "\n")
	if n := len(keys(got)); n != 2 || !strings.Contains(got, ": unchanged, shown ") || len(got) > len(raw)/3 {
		t.Fatalf("%d references in %d of %d characters, %v:\n%.1500s", n, len(got), len(raw), reasons(l), got)
	}
	whole := restore(t, l, got)
	for line := range strings.SplitSeq(whole, "\n") {
		if m := numberRE.FindStringSubmatch(line); m != nil {
			if n, _ := strconv.Atoi(m[1]); n < 1 || n > len(lines) || lines[n-1] != m[2] {
				t.Errorf("line %s is %q", m[1], m[2])
			}
		}
	}
	if n := strings.Count(whole, "\n"); n < 89 {
		t.Errorf("with the lines put back it has %d lines", n)
	}
}

func TestSeen(t *testing.T) {
	t.Run("read, edit, read again, edit again", func(t *testing.T) {
		l := seeing(t)
		p := l.Write("server.go", server())
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
			mockapi.Use("I look again.", read(p)), mockapi.Use("I edit once more.", edit(p, "handle(70,", "handle(7100,")))
		if got := reqs[1].Last().Result(); len(keys(got)) > 0 {
			t.Errorf("the first reading is folded:\n%.500s", got)
		}
		again := reqs[3].Last().Result()
		if !strings.Contains(again, "limit := 20") || !strings.Contains(again, "as lines 1-37 of server.go") {
			t.Errorf("the changed part or the place is not there:\n%.1500s", again)
		}
		if last := reqs[4].Last(); last.IsError || !strings.Contains(last.Result(), "updated") {
			t.Errorf("the next edit = %.300q", last.Result())
		}
		if raw, err := os.ReadFile(p); err != nil || !strings.Contains(string(raw), "handle(7100, \"the request of kind 70 ") {
			t.Errorf("the next edit did not reach the file: %v, %s", err, raw)
		}
		l.Write("server.go", strings.Replace(server(), "limit := 10", "limit := 20", 1)) // as it was read
		wantFolded(t, l, again, p)
	})
	t.Run("the same command twice with nothing in between", func(t *testing.T) {
		l := seeing(t)
		l.Write("list.txt", server())
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I look.", bash("cat list.txt")), mockapi.Use("I look again.", bash("cat list.txt")))
		wantWhole(t, reqs[2].Last().Result(), reqs[1].Last().Result())
	})
	t.Run("a subagent reads what the main loop read", func(t *testing.T) {
		l := seeing(t)
		p := l.Write("server.go", server())
		l.API.Script("sub", mockapi.Use("I read.", read(p)), mockapi.Say("Reported."))
		play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
			mockapi.Use("I delegate.", mockapi.Call{Name: "Agent", Input: map[string]any{
				"description": "look", "prompt": "Look. [[script:sub]]", "subagent_type": "general-purpose", "run_in_background": false}}))
		if got := l.API.Requests("sub")[1].Last().Result(); len(keys(got)) > 0 || strings.Count(got, "\n") < 89 {
			t.Errorf("the subagent's reading is not whole:\n%.500s", got)
		}
	})
	t.Run("the daemon is restarted in between", func(t *testing.T) {
		l := seeing(t)
		p := l.Write("server.go", server())
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
			func(r mockapi.Request) mockapi.Reply {
				l.StopDaemon()
				l.StartDaemon()
				return mockapi.Reply{Text: "I look again.", Calls: []mockapi.Call{read(p)}}
			})
		wantFolded(t, l, reqs[3].Last().Result(), p)
	})
	t.Run("resumed", func(t *testing.T) {
		l := seeing(t)
		p := l.Write("server.go", server())
		_, d := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")))
		reqs, _ := play(t, l, lab.Run{Prompt: "Once more.", Args: []string{"--resume", d.SessionID}}, mockapi.Use("I look again.", read(p)),
			mockapi.Use("I edit.", edit(p, "limit := 20", "limit := 30")), mockapi.Use("And again.", read(p)))
		// What was shown before the resume is known to nobody for certain.
		if got := reqs[1].Last().Result(); len(keys(got)) > 0 {
			t.Errorf("the first reading after the resume refers back:\n%.500s", got)
		}
		wantFolded(t, l, reqs[3].Last().Result(), p)
	})
}

// A context that was compacted or cleared holds nothing that a reference could
// point at; the next reading is whole, the one after it folds again.
func TestSeenGone(t *testing.T) {
	for _, command := range []string{"/compact", "/clear"} {
		t.Run(command, func(t *testing.T) {
			l := seeing(t)
			p := l.Write("server.go", server())
			l.API.Script("one", mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")), mockapi.Say("First done."))
			l.API.Script("two", mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 20", "limit := 30")), mockapi.Use("I look.", read(p)), mockapi.Say("Second done."))
			tty := l.Terminal([]string{"Read", "Edit"})
			tty.Until("the prompt is there", func() bool { return strings.Contains(tty.Screen(), "❯") })
			tty.Type("Please look. [[script:one]]")
			tty.Await("First done.", 0)
			at := len(tty.Screen())
			tty.Type(command + "")
			if command == "/compact" {
				tty.Until("compacted", func() bool { return strings.Contains(tty.Screen()[min(at, len(tty.Screen())):], "ompacted") })
			}
			tty.Type("Please look again. [[script:two]]")
			tty.Await("Second done.", 0)
			reqs := l.API.Requests("two")
			if len(reqs) < 4 {
				t.Fatalf("%d requests", len(reqs))
			}
			if got := reqs[1].Last().Result(); len(keys(got)) > 0 || strings.Count(got, "\n") < 89 {
				t.Errorf("the reading after %s is not whole:\n%.500s", command, got)
			}
			wantFolded(t, l, reqs[3].Last().Result(), p)
		})
	}
}
