//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// recallFirst recalls the key of the first marker in the newest result.
func recallFirst(r mockapi.Request) mockapi.Reply {
	ks := keys(r.Last().Result())
	if len(ks) == 0 {
		return mockapi.Reply{Text: "There is no marker."}
	}
	return mockapi.Reply{Text: "I recall.", Calls: []mockapi.Call{recall(ks[0], "")}}
}

func recall(key, lines string) mockapi.Call {
	in := map[string]any{"key": key}
	if lines != "" {
		in["lines"] = lines
	}
	return mockapi.Call{Name: recallTool, Input: in}
}

// hiddenBy returns what the first marker of cut stands for, by the numbers it shows.
func hiddenBy(t *testing.T, cut, orig string) string {
	t.Helper()
	m := markerRE.FindStringSubmatch(cut)
	if m == nil {
		t.Fatalf("no marker in %.300s", cut)
	}
	first, _ := strconv.Atoi(m[3])
	last, _ := strconv.Atoi(m[4])
	return strings.Join(strings.Split(orig, "\n")[first-1:last], "\n")
}

// wantRecalled checks that the newest result is exactly the hidden lines.
func wantRecalled(t *testing.T, reqs []mockapi.Request, orig string) {
	t.Helper()
	if !reqs[0].Has(recallTool) {
		t.Error("the recall tool is not offered")
	}
	want := hiddenBy(t, reqs[1].Last().Result(), orig)
	got := reqs[2].Last()
	if texts := got.Texts(); got.IsError || len(texts) == 0 || texts[0] != want {
		t.Errorf("recall (error %v) gave %.300q\nwant %.300q", got.IsError, got.Texts(), want)
	}
}

func TestRecall(t *testing.T) {
	log, _ := buildLog(120, 60)
	orig := strings.TrimSuffix(log, "\n")
	setup := func(t *testing.T) *lab.Lab {
		l := active(t, "fake")
		l.Write("log.txt", log)
		return l
	}
	build := mockapi.Use("I build.", bash("cat log.txt"))

	t.Run("main loop", func(t *testing.T) {
		reqs, d := play(t, setup(t), lab.Run{}, build, recallFirst)
		wantRecalled(t, reqs, orig)
		if len(d.Result.Denials) > 0 {
			t.Errorf("recall asked for permission: %v", d.Result.Denials)
		}
	})
	t.Run("subagent", func(t *testing.T) {
		wantRecalled(t, subagent(t, setup(t), lab.Run{}, "general-purpose", build, recallFirst), orig)
	})
	t.Run("after kill -9 of the daemon", func(t *testing.T) {
		l := setup(t)
		reqs, _ := play(t, l, lab.Run{}, build, func(r mockapi.Request) mockapi.Reply {
			l.Signal(syscall.SIGKILL)
			return recallFirst(r)
		})
		wantRecalled(t, reqs, orig)
	})
	t.Run("an unknown key says what to do", func(t *testing.T) {
		reqs, _ := play(t, setup(t), lab.Run{}, mockapi.Use("I recall.", recall("0123456789abcdef01234567", "")))
		if got := reqs[1].Last().Result(); !strings.Contains(got, "again") {
			t.Errorf("recall of an unknown key = %q", got)
		}
	})
}

// TestResume: the resumed session still holds the cut result, can recall it,
// and is still cut.
func TestResume(t *testing.T) {
	l := active(t, "fake")
	log, failures := buildLog(120, 60)
	orig := strings.TrimSuffix(log, "\n")
	l.Write("log.txt", log)
	log2, failures2 := buildLog(150, 90)
	l.Write("log2.txt", log2)
	first, d := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt")))
	cut := first[1].Last().Result()
	wantCut(t, l, cut, orig, failures...)

	reqs, _ := play(t, l, lab.Run{Prompt: "And the other log?", Args: []string{"--resume", d.SessionID}},
		mockapi.Use("I recall.", recall(keys(cut)[0], "")), mockapi.Use("I build.", bash("cat log2.txt")))
	if !reqs[0].Has(recallTool) {
		t.Error("the recall tool is not offered after --resume")
	}
	if got := reqs[0].Results()[0].Result(); got != cut {
		t.Errorf("the old result changed: %s", firstDiff(got, cut))
	}
	if texts := reqs[1].Last().Texts(); len(texts) == 0 || texts[0] != hiddenBy(t, cut, orig) {
		t.Errorf("recall after --resume = %.300q", texts)
	}
	wantCut(t, l, reqs[2].Last().Result(), strings.TrimSuffix(log2, "\n"), failures2...)
}

func TestGuard(t *testing.T) {
	log, _ := buildLog(120, 60)
	for _, c := range []struct {
		name string
		call func(l *lab.Lab, marker string) mockapi.Call
	}{
		{"Write", func(l *lab.Lab, m string) mockapi.Call {
			return mockapi.Call{Name: "Write", Input: map[string]any{"file_path": l.Project + "/out.txt", "content": "a\n" + m + "\nb\n"}}
		}},
		{"Bash heredoc", func(_ *lab.Lab, m string) mockapi.Call { return bash("cat > out.txt <<'X'\n" + m + "\nX") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := active(t, "fake")
			l.Write("log.txt", log)
			reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt")), func(r mockapi.Request) mockapi.Reply {
				return mockapi.Reply{Text: "I keep it.", Calls: []mockapi.Call{c.call(l, markerRE.FindString(r.Last().Result()))}}
			})
			if len(keys(reqs[1].Last().Result())) == 0 {
				t.Fatalf("nothing was hidden: %v", reasons(l))
			}
			if got := reqs[2].Last(); !got.IsError || !strings.Contains(got.Result(), recallTool) {
				t.Errorf("a marker on its way to a file (error %v): %s", got.IsError, got.Result())
			}
			if _, err := os.Stat(l.Project + "/out.txt"); err == nil {
				t.Error("the file was written")
			}
		})
	}
}

// TestNoRecallNoCut: a loop that cannot recall gets everything.
func TestNoRecallNoCut(t *testing.T) {
	log, _ := buildLog(300, 60)
	orig := strings.TrimSuffix(log, "\n")
	build := mockapi.Use("I build.", bash("cat log.txt"))
	t.Run("a subagent with tools: Bash, Read", func(t *testing.T) {
		l := active(t, "fake")
		l.Write("log.txt", log)
		agents, err := json.Marshal(map[string]any{"plain": map[string]any{"description": "Looks.", "prompt": "You look.", "tools": []string{"Bash", "Read"}}})
		if err != nil {
			t.Fatal(err)
		}
		reqs := subagent(t, l, lab.Run{Args: []string{"--agents", string(agents)}}, "plain", build)
		wantWhole(t, reqs[1].Last().Result(), orig)
		if reqs[0].Has(recallTool) {
			t.Error("the restricted subagent was offered recall")
		}
		wantNoRecall(t, l)
	})
	t.Run("a deny rule", func(t *testing.T) {
		l := active(t, "fake")
		l.Write("log.txt", log)
		l.Settings["permissions"] = map[string]any{"deny": []string{recallTool}}
		reqs, _ := play(t, l, lab.Run{}, build)
		wantWhole(t, reqs[1].Last().Result(), orig)
		wantNoRecall(t, l)
	})
}

// wantNoRecall checks that this was the daemon's reason.
func wantNoRecall(t *testing.T, l *lab.Lab) {
	t.Helper()
	if c := reasons(l); c["reason.no-recall"] != 1 {
		t.Errorf("reasons %v, want one no-recall", c)
	}
}
