//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// maxView is the most that stands for a saved output, in characters.
const maxView = 4000

// bigLog is some 200 KB of build output; its failures are distinct, or one line
// again and again.
func bigLog(failures int, repeated bool) (log string, distinct []string) {
	var at []int
	for i := range failures {
		at = append(at, 40+i*(2800/failures))
	}
	log, distinct = buildLog(2900, at...)
	if repeated {
		for _, f := range distinct {
			log = strings.Replace(log, f, distinct[0], 1)
		}
		distinct = distinct[:1]
	}
	return log, distinct
}

func TestSavedOutput(t *testing.T) {
	for _, c := range []struct {
		name     string
		failures int
		repeated bool
		count    string
	}{
		{"distinct failures", 12, false, "12 distinct failure lines, 12 in all"},
		{"more distinct failures than fit", 400, false, "400 distinct failure lines, 400 in all"},
		{"one failure repeated", 350, true, "1 distinct failure line, 350 in all"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := active(t, "fake")
			log, distinct := bigLog(c.failures, c.repeated)
			l.Write("log.txt", log)
			reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt")))
			got := reqs[1].Last().Result()
			wantView(t, l, got, c.count)
			shown := 0
			for _, f := range distinct {
				if strings.Contains(got, f+"\n") {
					shown++
				}
			}
			if fit := (maxView - 1200) / 75; shown < min(len(distinct), fit) {
				t.Errorf("%d of %d distinct failure lines are shown, room is for %d\n%s", shown, len(distinct), fit, got)
			}
		})
	}
	t.Run("none, judge onnx", func(t *testing.T) {
		l := active(t, "onnx")
		log, _ := bigLog(1, false)
		l.Write("log.txt", log)
		reqs, _ := play(t, l, lab.Run{}, mockapi.Use("I build.", bash("cat log.txt")))
		wantView(t, l, reqs[1].Last().Result(), "1 distinct failure line, 1 in all")
	})
}

// wantView checks a view's form: short, the saved file named, the count, one marker.
func wantView(t *testing.T, l *lab.Lab, got, count string) {
	t.Helper()
	saved := l.SavedOutputs()
	if len(saved) != 1 {
		t.Fatalf("saved outputs: %v", saved)
	}
	if n := len([]rune(got)); n > maxView || len(keys(got)) != 1 {
		t.Errorf("%d characters, %d markers; reasons %v\n%.600s", n, len(keys(got)), reasons(l), got)
	}
	for _, must := range []string{saved[0], count} {
		if !strings.Contains(got, must) {
			t.Errorf("the view does not say %q:\n%.600s", must, got)
		}
	}
}

var nextRE = regexp.MustCompile(`next: lines (\S+)`)

// TestRecallPages: the pages of a saved output, put together, are the file.
func TestRecallPages(t *testing.T) {
	l := active(t, "fake")
	log, _ := bigLog(12, false)
	l.Write("log.txt", log)
	key, pages := "", []string{}
	l.API.Script("pages", append([]mockapi.Step{mockapi.Use("I build.", bash("cat log.txt"))}, repeat(40, func(r mockapi.Request) mockapi.Reply {
		if key == "" {
			if ks := keys(r.Last().Result()); len(ks) == 1 {
				key = ks[0]
				return mockapi.Reply{Text: "I recall.", Calls: []mockapi.Call{recall(key, "")}}
			}
			return mockapi.Reply{Text: "There is no marker."}
		}
		texts := r.Last().Texts()
		pages = append(pages, texts[0])
		if len(texts) > 1 {
			if m := nextRE.FindStringSubmatch(texts[1]); m != nil {
				return mockapi.Reply{Text: "I go on.", Calls: []mockapi.Call{recall(key, strings.TrimRight(m[1], ".,;)]"))}}
			}
		}
		return mockapi.Reply{Text: "All read."}
	})...)...)
	d := l.Do(lab.Run{Prompt: "Which units fail? [[script:pages]]", Allow: []string{"Bash"}})
	if d.Result.Result != "All read." {
		t.Fatalf("result %q after %d pages", d.Result.Result, len(pages))
	}
	for i, p := range pages {
		if n := len([]rune(p)); n > 20_000 {
			t.Errorf("page %d has %d characters", i, n)
		}
	}
	file, err := os.ReadFile(l.SavedOutputs()[0])
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(pages, ""); got != string(file) {
		t.Errorf("%d pages are not the saved file: %s", len(pages), firstDiff(got, string(file)))
	}
	t.Logf("%d pages for %s", len(pages), fmt.Sprintf("%d bytes", len(file)))
}

func repeat(n int, s mockapi.Step) []mockapi.Step {
	out := make([]mockapi.Step, n)
	for i := range out {
		out[i] = s
	}
	return out
}
