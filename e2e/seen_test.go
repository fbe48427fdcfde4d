//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// seeing is a lab in which nothing is pruned but what was shown before.
func seeing(t *testing.T) *lab.Lab {
	t.Helper()
	return with(t, seenActive)
}

const seenActive = "WINNOW_MODE=shadow\nWINNOW_SEEN=active\nWINNOW_JUDGE=fake\nWINNOW_PORT=0\n"

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

// note adds an entry to the session's transcript, behind the result of a call: the
// client writes behind what it does. The client writes one about
// clearing only when it asked for that, which it does after an hour of nothing.
func note(t *testing.T, l *lab.Lab, call, entry string) {
	files, err := filepath.Glob(filepath.Join(l.Config, "projects", "*", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Errorf("transcripts %v: %v", files, err)
		return
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		raw, err := os.ReadFile(files[0])
		if err == nil && strings.Contains(string(raw), `"tool_use_id":"`+call+`"`) {
			break
		}
		if time.Now().After(end) {
			t.Errorf("the result of %s is not in the transcript: %v", call, err)
			return
		}
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(entry + "\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Error(err)
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
	t.Run("the daemon is killed in between", func(t *testing.T) {
		l := seeing(t)
		p := l.Write("server.go", server())
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
			func(r mockapi.Request) mockapi.Reply {
				l.Signal(syscall.SIGKILL)
				for l.DaemonPID() != 0 {
					time.Sleep(10 * time.Millisecond)
				}
				l.StartDaemon()
				return mockapi.Reply{Text: "I look again.", Calls: []mockapi.Call{read(p)}}
			}, mockapi.Use("I edit.", edit(p, "limit := 20", "limit := 30")), mockapi.Use("And again.", read(p)))
		// What was not written down is not known; what is known is true.
		if got := reqs[3].Last().Result(); len(keys(got)) > 0 {
			l.Write("server.go", strings.Replace(server(), "limit := 10", "limit := 20", 1))
			wantFolded(t, l, got, p)
			l.Write("server.go", strings.Replace(server(), "limit := 10", "limit := 30", 1))
		}
		wantFolded(t, l, reqs[5].Last().Result(), p)
	})
	t.Run("sixty-one idle minutes", func(t *testing.T) {
		for ahead, whole := range map[string]bool{"59m": false, "61m": true} {
			l := lab.New(t, repo)
			clock := l.Write("ahead", "0s")
			l.Env["WINNOW_TEST_AHEAD"] = clock
			l.UseWinnow(seenActive)
			l.StartDaemon()
			p := l.Write("server.go", server())
			reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
				func(r mockapi.Request) mockapi.Reply {
					l.Write("ahead", ahead)
					return mockapi.Reply{Text: "I look again.", Calls: []mockapi.Call{read(p)}}
				})
			if got := reqs[3].Last().Result(); (len(keys(got)) == 0) != whole {
				t.Errorf("after %s: whole = %v, want %v:\n%.500s", ahead, !whole, whole, got)
			}
		}
	})
	t.Run("old results cleared at the API", func(t *testing.T) {
		l := seeing(t)
		p := l.Write("server.go", server())
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
			func(r mockapi.Request) mockapi.Reply {
				note(t, l, r.Last().ToolUseID, `{"type":"assistant","uuid":"0","message":{"role":"assistant","content":[],"context_management":{"applied_edits":[{"type":"clear_tool_uses_20250919","cleared_tool_uses":1,"cleared_input_tokens":1000}]}}}`)
				return mockapi.Reply{Text: "I look again.", Calls: []mockapi.Call{read(p)}}
			}, mockapi.Use("I edit.", edit(p, "limit := 20", "limit := 30")), mockapi.Use("And again.", read(p)))
		if got := reqs[3].Last().Result(); len(keys(got)) > 0 || strings.Count(got, "\n") < 89 {
			t.Errorf("the reading after the clearing is not whole:\n%.500s", got)
		}
		wantFolded(t, l, reqs[5].Last().Result(), p)
	})
	t.Run("three calls of one message", func(t *testing.T) {
		l := seeing(t)
		p, q := l.Write("server.go", server()), l.Write("client.go", strings.ReplaceAll(server(), "handle", "send"))
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p), read(q)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
			mockapi.Use("I look at all.", bash("sleep 0.3; cat client.go"), read(p), bash("cat client.go server.go")))
		last := reqs[3]
		wantFolded(t, l, last.ResultOf(1).Result(), p)
		for _, i := range []int{0, 2} {
			if got := last.ResultOf(i).Result(); len(keys(got)) == 0 {
				t.Errorf("call %d shows once more what was shown:\n%.500s", i, got)
			} else if whole := restore(t, l, got); strings.Count(whole, "\n") < 89 || strings.Contains(whole, "<<ccr:") {
				t.Errorf("call %d with the lines put back is\n%.500s", i, whole)
			}
		}
	})
	t.Run("what was recalled", func(t *testing.T) {
		l := active(t, "fake", "WINNOW_SEEN=active")
		p := l.Write("shelves.txt", prose(400))
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)),
			func(r mockapi.Request) mockapi.Reply {
				return mockapi.Reply{Text: "I recall.", Calls: []mockapi.Call{{Name: recallTool, Input: map[string]any{"key": keys(r.Last().Result())[0]}}}}
			},
			mockapi.Use("I edit.", bash("echo 'One more shelf.' >> shelves.txt")), mockapi.Use("I read again.", read(p)))
		if got := reqs[2].Last().Result(); len(keys(got)) > 0 || len(got) < 1500 {
			t.Fatalf("recalled:\n%.500s", got)
		}
		if got := reqs[4].Last().Result(); !strings.Contains(got, " of the recalled lines") {
			t.Errorf("the second reading does not refer to what was recalled:\n%.1500s", got)
		}
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

// A rewound conversation holds nothing of what came after the point.
func TestSeenRewound(t *testing.T) {
	l := seeing(t)
	p := l.Write("server.go", server())
	l.Write("list.txt", strings.ReplaceAll(server(), "handle", "list"))
	l.API.Script("zero", mockapi.Use("I list.", bash("cat list.txt")), mockapi.Say("Listed."))
	l.API.Script("one", mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")), mockapi.Say("First done."))
	l.API.Script("two", mockapi.Use("I list.", bash("ls")), mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 20", "limit := 30")), mockapi.Use("I look.", read(p)), mockapi.Say("Second done."))
	tty := l.Terminal([]string{"Read", "Edit", "Bash"})
	tty.Until("the prompt is there", func() bool { return strings.Contains(tty.Screen(), "❯") })
	tty.Type("Please list. [[script:zero]]")
	tty.Await("Listed.", 0)
	tty.Type("Please look. [[script:one]]")
	tty.Await("First done.", 0)
	tty.Type("/rewind")
	tty.Await("(current)", 0)
	tty.Key("\x1b[A", "\r") // the newest message
	tty.Await("2. Restore conversation", 0)
	at := len(tty.Screen())
	tty.Key("\x1b[B", "\r")
	tty.Await("Please look.", at) // back in the input
	tty.Key("\x15")
	tty.Await("ctrl+y", at) // cleared
	tty.Type("Once more, all of it. [[script:two]]")
	tty.Await("Second done.", 0)
	reqs := l.API.Requests("two")
	if len(reqs) < 5 {
		t.Fatalf("%d requests", len(reqs))
	}
	if n := len(reqs[0].Results()); n != 1 {
		t.Fatalf("after the rewind %d results are left, want 1", n)
	}
	if got := reqs[2].Last().Result(); len(keys(got)) > 0 || strings.Count(got, "\n") < 89 {
		t.Errorf("the reading after the rewind is not whole:\n%.500s", got)
	}
	wantFolded(t, l, reqs[4].Last().Result(), p)
}

// At the hook door, too, with the transcript for a witness.
func TestSeenHookDoor(t *testing.T) {
	l := hooked(t)
	l.Configure(seenActive)
	l.AwaitMode("active") // folding changes answers, whatever the judge's mode
	p := l.Write("server.go", server())
	l.Write("list.txt", strings.ReplaceAll(server(), "handle", "list"))
	reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit(p, "limit := 10", "limit := 20")),
		mockapi.Use("I look again.", read(p)), mockapi.Use("I list.", bash("cat list.txt")), mockapi.Use("I list all.", bash("cat list.txt server.go")))
	again := reqs[3].Last().Result()
	if n := len(keys(strings.ReplaceAll(again, "\t<<", "\n<<"))); n != 2 || !strings.Contains(again, "40\t\tlimit := 20") {
		t.Errorf("the second reading, %v:\n%.1500s", reasons(l), again)
	}
	if got := reqs[5].Last().Result(); len(keys(got)) == 0 || strings.Count(restore(t, l, got), "\n") < 178 {
		t.Errorf("the list again, %v:\n%.1500s", reasons(l), got)
	}
}
