package transcript

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/api"
	"winnow/internal/prune"
)

func FuzzRead(f *testing.F) {
	f.Add([]byte(prompt("first thing")+says("one")+uses("t1", "Bash", `{}`)), "t1")
	f.Add([]byte(prompt("first thing")+prompt("yes")+queued("x", "")+meta("y")), "")
	f.Add([]byte("{\"parentUuid\"{\"parentUuid\":null,\"type\":\"user\"}\n\x00\n\"role\":\"user\""), "x")
	f.Add([]byte(strings.Repeat("\n", 1000)), "")
	f.Fuzz(func(t *testing.T, b []byte, id string) {
		o := Options{ToolUseID: id, Now: at(0), Budget: time.Hour}
		st, err := readFrom(t.Context(), bytes.NewReader(b), int64(len(b)), o)
		if err != nil {
			t.Fatalf("Read = %v", err)
		}
		if st.Found != (st.Task.Request != "") || len(st.Calls) > maxCalls {
			t.Errorf("Read = %+v", st)
		}
		checkTask(t, st.Task)
		for _, c := range st.Calls {
			if c.ID == id {
				t.Errorf("the present call is among the earlier ones: %+v", c)
			}
		}
	})
}

func checkTask(t *testing.T, task prune.Task) {
	t.Helper()
	if utf8.RuneCountInString(task.Request) > prune.MaxRequest || utf8.RuneCountInString(task.Intent) > prune.MaxIntent {
		t.Errorf("task too long: %d and %d bytes", len(task.Request), len(task.Intent))
	}
	if !utf8.ValidString(task.Request) || !utf8.ValidString(task.Intent) {
		t.Errorf("task is no UTF-8: %+v", task)
	}
}

func FuzzTaskFrom(f *testing.F) {
	f.Add("fix the parser", "yes", "I will")
	f.Add("<system-reminder>x", "<fork-boilerplate>a</fork-boilerplate>b", "\xff")
	f.Add(strings.Repeat("é", 2000), "1", strings.Repeat("é", 2000))
	f.Fuzz(func(t *testing.T, a, b, assistant string) {
		rows := []api.Row{{Text: a, Door: "prompt"}, {Text: b, Door: "delivery", Origin: "composer"}}
		checkTask(t, TaskFrom(rows, assistant))
		if text, ok := Request(rows); ok != (text != "") {
			t.Errorf("Request = %q, %v", text, ok)
		}
	})
}

// FuzzBackwards: the lines are those of the file, from the last one on, however
// they lie to the borders of chunks.
func FuzzBackwards(f *testing.F) {
	f.Add([]byte("a\nb\n\nc"), uint16(1))
	f.Add([]byte("\n"), uint16(3))
	f.Fuzz(func(t *testing.T, b []byte, pad uint16) {
		b = append(bytes.Repeat([]byte{'x'}, int(pad)), b...)
		r := backwards{r: bytes.NewReader(b), pos: int64(len(b)), left: int64(len(b)), chunk: 7}
		var got []string
		for {
			line, err := r.next()
			if err != nil {
				break
			}
			got = append([]string{string(line)}, got...)
		}
		want := strings.Split(string(b), "\n")
		if want[0] == "" { // an empty first line is not told from none
			want = want[1:]
		}
		if diff := cmp.Diff(want, got); diff != "" && len(want)+len(got) > 0 {
			t.Errorf("lines of %q (-want +got):\n%s", b, diff)
		}
	})
}
