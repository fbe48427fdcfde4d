//go:build e2e

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

func TestBash(t *testing.T) {
	t.Run("small", func(t *testing.T) {
		l := active(t, "fake")
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I look.", bash("echo hello; echo warn >&2")))
		wantWhole(t, reqs[1].Last().Result(), "hello\nwarn")
	})
	// What a file holds, the judge is sure of rarely at the default.
	for judge, settings := range map[string]string{"fake": "", "onnx": "WINNOW_DROP=0.25\n"} {
		t.Run("300 lines, judge "+judge, func(t *testing.T) {
			l := active(t, judge, settings)
			log, failures := buildLog(300, 20, 151, 152, 290)
			l.Write("log.txt", log)
			reqs, _ := play(t, l, lab.Run{Prompt: "Which of the units do not compile, and why?"}, mockapi.Use("I build.", bash("cat log.txt")))
			wantCut(t, l, reqs[1].Last().Result(), strings.TrimSuffix(log, "\n"), failures...)
		})
	}
	t.Run("failing, as without winnow", func(t *testing.T) {
		log, _ := buildLog(300, 20, 290)
		var got [2]mockapi.Block
		for i, l := range []*lab.Lab{plain(t), active(t, "fake")} {
			l.Write("log.txt", log)
			reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt; exit 3")))
			got[i] = reqs[1].Last()
		}
		if !got[1].IsError || string(got[0].Content) != string(got[1].Content) {
			t.Errorf("failing Bash (error %v): %s", got[1].IsError, firstDiff(string(got[1].Content), string(got[0].Content)))
		}
	})
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, file, content, judge, settings string }{
		{"code", "names.go", source(60), "fake", ""},
		// Sixty functions of one kind: the judge is sure of few at the default.
		{"code, judge onnx", "names.go", source(60), "onnx", "WINNOW_DROP=0.25\n"},
		{"2000 lines", "shelves.txt", prose(2000), "fake", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got [2]string
			labs := []*lab.Lab{plain(t), active(t, c.judge, c.settings)}
			for i, l := range labs {
				p := l.Write(c.file, c.content)
				reqs, _ := play(t, l, lab.Run{Prompt: "Where does Name007 trim its argument? What about shelf 0007?"}, mockapi.Use("I read.", read(p)))
				got[i] = reqs[1].Last().Result()
			}
			wantCut(t, labs[1], got[1], got[0])
			wantNumbers(t, got[1], c.content)
		})
	}
}

// wantNumbers checks that every line shown under a number is the file's.
func wantNumbers(t *testing.T, got, content string) {
	t.Helper()
	file, shown := strings.Split(content, "\n"), 0
	for line := range strings.SplitSeq(got, "\n") {
		num, rest, ok := strings.Cut(line, "\t")
		var n int
		if _, err := fmt.Sscan(num, &n); !ok || err != nil {
			continue
		}
		shown++
		if n < 1 || n > len(file) || file[n-1] != rest {
			t.Errorf("line %d is shown as %q", n, rest)
		}
	}
	if shown == 0 {
		t.Error("no numbered line is shown")
	}
}

func TestEditAfterCutRead(t *testing.T) {
	l := active(t, "fake")
	p := l.Write("names.go", source(60))
	const old = "\treturn t + \"-030\"\n"
	edit := mockapi.Call{Name: "Edit", Input: map[string]any{"file_path": p, "old_string": old, "new_string": "\treturn t + \"=030\"\n"}}
	reqs, _ := play(t, l, lab.Run{Prompt: "Name030 must use an equals sign."},
		mockapi.Use("I read.", read(p)), mockapi.Use("I edit.", edit), mockapi.Use("I look again.", read(p)))
	cut, edited, again := reqs[1].Last(), reqs[2].Last(), reqs[3].Last()
	if len(keys(cut.Result())) == 0 || strings.Contains(cut.Result(), "-030\"") {
		t.Fatalf("the line to edit was not hidden: %v", reasons(l))
	}
	if edited.IsError {
		t.Errorf("Edit of a hidden line: %s", edited.Result())
	}
	if strings.Contains(again.Result(), "<<ccr:") || !strings.Contains(again.Result(), "=030\"") {
		t.Errorf("a file just edited is read whole; got %.300s", again.Result())
	}
}

func TestMCP(t *testing.T) {
	l := active(t, "fake")
	useMCP(l)
	reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I ask.", mockapi.Call{Name: "mcp__lab__big", Input: map[string]any{"n": 100}}))
	texts := reqs[1].Last().Texts()
	if len(texts) != 2 {
		t.Fatalf("%d text blocks, want 2", len(texts))
	}
	for i, name := range []string{"first", "second"} {
		wantCut(t, l, texts[i], mcpLines(name, 100), name+": ERROR probe 00050 refused")
	}
}

func TestSubagent(t *testing.T) {
	l := active(t, "fake")
	log, failures := buildLog(300, 77)
	l.Write("log.txt", log)
	got := subagent(t, l, lab.Run{}, "general-purpose", mockapi.Use("I build.", bash("cat log.txt")))
	wantCut(t, l, got[1].Last().Result(), strings.TrimSuffix(log, "\n"), failures...)
}

// subagent has the main loop send a subagent through steps and returns the
// subagent's requests.
func subagent(t *testing.T, l *lab.Lab, r lab.Run, kind string, steps ...mockapi.Step) []mockapi.Request {
	t.Helper()
	l.API.Script("sub", append(steps, mockapi.Say("Reported."))...)
	play(t, l, r, mockapi.Use("I delegate.", mockapi.Call{Name: "Agent", Input: map[string]any{
		"description": "look", "prompt": "Find out which unit does not compile. [[script:sub]]", "subagent_type": kind, "run_in_background": false}}))
	reqs := l.API.Requests("sub")
	if len(reqs) != len(steps)+1 {
		t.Fatalf("%d requests of the subagent for %d steps", len(reqs), len(steps))
	}
	return reqs
}

func TestTwelveParallel(t *testing.T) {
	l := active(t, "fake")
	var calls []mockapi.Call
	var logs []string
	for i := range 12 {
		log, _ := buildLog(200+i, 50+i)
		l.Write(fmt.Sprintf("log%d.txt", i), log)
		logs = append(logs, strings.TrimSuffix(log, "\n"))
		calls = append(calls, bash(fmt.Sprintf("cat log%d.txt", i)))
	}
	reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I look at all.", calls...))
	for i := range calls {
		r := reqs[1].ResultOf(i) // results come in the order in which the calls ended
		wantCut(t, l, r.Result(), logs[i], fmt.Sprintf("unit_%05d.c:%d:9: error: unknown type name 'frob_%d_t'", (50+i)*7, 50+i, 50+i))
	}
	if took := reqs[1].At.Sub(reqs[0].At); took.Seconds() > 4 {
		t.Errorf("twelve calls took %v", took)
	}
}

// TestTypedPrompt: a prompt typed while the agent works is the task of what
// comes after it. The typed one asks for a whole file, so the file stays whole.
func TestTypedPrompt(t *testing.T) {
	for _, c := range []struct {
		typed string
		whole bool
	}{
		{"also tell me about shelf 0007 please", false},
		{"review the whole of shelves.txt, line by line", true},
	} {
		t.Run(c.typed, func(t *testing.T) {
			l := active(t, "fake")
			p := l.Write("shelves.txt", prose(300))
			r := busy(t, l, c.typed, mockapi.Use("Now the file.", read(p)))
			if !strings.Contains(string(r.Raw), c.typed) {
				t.Error("the typed prompt is not in the request")
			}
			if cut := len(keys(r.Last().Result())) > 0; cut == c.whole {
				t.Errorf("cut = %v, want %v; reasons %v", cut, !c.whole, reasons(l))
			}
		})
	}
}
