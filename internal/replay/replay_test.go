package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/marker"
	"winnow/internal/prune"
)

// page is a file of n lines as a Read shows it, some of them changed.
func page(n int, changed ...int) string {
	var out []string
	for i := 1; i <= n; i++ {
		line := fmt.Sprintf("%d\tline %d says what it always said, at length", i, i)
		for _, c := range changed {
			if c == i {
				line = fmt.Sprintf("%d\tchanged", i)
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func reading(id, path, out string, next ...Event) *Record {
	return &Record{ID: id, Session: "s", Tool: prune.Tool{Name: "Read", Input: json.RawMessage(`{"file_path":"` + path + `"}`)}, Output: out, Next: next}
}

func event(name, input string) Event {
	return Event{Type: "tool_use", Name: name, Input: json.RawMessage(input)}
}

func of(recs ...*Record) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for _, r := range recs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// fill are results of other files.
func fill(n int) (out []*Record) {
	for i := range n {
		out = append(out, reading(fmt.Sprint("f", i), fmt.Sprintf("/p/f%d", i), fmt.Sprintf("1\tnothing %d\n2\tmuch", i)))
	}
	return out
}

func walked(t *testing.T, recs ...*Record) (map[string][]FoldAt, *SeenReport) {
	t.Helper()
	got := map[string][]FoldAt{}
	r, err := Seen(of(recs...), SeenOptions{Check: true}, func(f Folded) error {
		for _, at := range f.Folds {
			at.Key = ""
			got[f.ID] = append(got[f.ID], at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, r
}

func TestSeen(t *testing.T) {
	edit := event("Edit", `{"file_path":"/p/a.go","old_string":"line 7 says what it always said, at length"}`)
	whole := map[string][]FoldAt{}
	both := map[string][]FoldAt{"b": {{Start: 0, End: 16, RefID: "a", RefStart: 0}, {Start: 22, End: 39, RefID: "a", RefStart: 22}}}
	at := func(h int) Stamp { return Stamp{time.Date(2026, 9, 1, h, 0, 0, 0, time.UTC)} }
	timed := func(r *Record, h int) *Record { r.Time = at(h); return r }
	for _, tc := range []struct {
		name string
		recs []*Record
		want map[string][]FoldAt
	}{
		{"edited in between", append(append([]*Record{reading("a", "/p/a.go", page(40), edit)}, fill(4)...), reading("b", "/p/a.go", page(40, 20))), both},
		{"nothing in between", append(append([]*Record{reading("a", "/p/a.go", page(40))}, fill(4)...), reading("b", "/p/a.go", page(40, 20))), whole},
		{"four results are no session", []*Record{reading("a", "/p/a.go", page(40), edit), reading("b", "/p/a.go", page(40, 20))}, whole},
		{"forty calls later", append(append([]*Record{reading("a", "/p/a.go", page(40), edit)}, fill(40)...), reading("b", "/p/a.go", page(40, 20))), whole},
		{"an hour later", append(append([]*Record{timed(reading("a", "/p/a.go", page(40), edit), 1)}, fill(4)...), timed(reading("b", "/p/a.go", page(40, 20)), 3)), whole},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := walked(t, tc.recs...)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("folds (-want +got):\n%s", diff)
			}
		})
	}
}

// Calls whose results are not recorded are calls all the same.
func TestUnrecordedCalls(t *testing.T) {
	small := func(n int) (out []Event) {
		for i := range n {
			out = append(out, event("Bash", fmt.Sprintf(`{"command":"ls %d"}`, i)))
		}
		return out
	}
	first := reading("a", "/p/a.go", page(40), append(small(6), event("Edit", `{"file_path":"/p/a.go"}`), event("Read", `{"file_path":"/p/f0"}`))...)
	got, r := walked(t, append(append([]*Record{first}, fill(4)...), reading("b", "/p/a.go", page(40, 20)))...)
	if len(got["b"]) != 2 || r.Total.Ago != [5]int{0, 0, 0, 2, 0} {
		t.Errorf("folds %v, by calls ago %v, want two that point 12 calls back", got["b"], r.Total.Ago)
	}
}

func TestReport(t *testing.T) {
	recs := append(append([]*Record{reading("a", "/p/a.go", page(40), event("Edit", `{"file_path":"/p/a.go"}`))}, fill(4)...),
		reading("b", "/p/a.go", page(40, 20), Event{Type: "text", Text: "As line 30 says what it always said, at length, I leave it."},
			event("Edit", `{"file_path":"/p/a.go","old_string":"line 7 says what it always said, at length"}`)))
	_, r := walked(t, recs...)
	s := r.Tools["Read"]
	if s.Results != 6 || s.Folds != 2 || s.ResultsFolded != 1 || s.Lines != 35 || s.Edited != 1 || s.Quoted != 1 || s.Used != 2 || s.Stood != 2 || s.Folded <= 0 || s.Share <= 0 {
		t.Errorf("Read: %+v", s)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var by map[string]struct {
		Results, Chars int
		Folded         int     `json:"folded_chars"`
		Share          float64 `json:"folded_share"`
	}
	if err := json.Unmarshal(raw, &by); err != nil || len(by) != 2 || by["total"] != by["Read"] || by["total"].Folded != s.Folded {
		t.Errorf("JSON %s, %v", raw, err)
	}
	var b strings.Builder
	if err := r.Write(&b); err != nil || !strings.Contains(b.String(), "1 sessions of 5 results and more") {
		t.Errorf("table:\n%s", b.String())
	}
}

// The checker believes nobody: each kind of false fold is an error.
func TestCheck(t *testing.T) {
	out := page(40)
	hide := func(start, end int) (Folded, []prune.Hidden) {
		lines := strings.Split(out, "\n")
		text := strings.Join(lines[start:end+1], "\n")
		k := marker.KeyOf(text)
		left := append(append(append([]string{}, lines[:start]...), marker.Line(k, end-start+1, start+1, end+1, "x", "")), lines[end+1:]...)
		return Folded{ID: "b", Text: strings.Join(left, "\n"), Folds: []FoldAt{{start, end, k, "a", start}}},
			[]prune.Hidden{{Start: start, End: end, Key: k, Text: text}}
	}
	for name, spoil := range map[string]func(f *Folded, h []prune.Hidden, c *checker){
		"true":                     nil,
		"another line":             func(f *Folded, _ []prune.Hidden, _ *checker) { f.Folds[0].RefStart++ },
		"beyond the end":           func(f *Folded, _ []prune.Hidden, _ *checker) { f.Folds[0].RefStart = 39 },
		"a result that was not":    func(f *Folded, _ []prune.Hidden, _ *checker) { f.Folds[0].RefID = "c" },
		"hidden there, too":        func(_ *Folded, _ []prune.Hidden, c *checker) { c.shown["a"].hidden[6] = true },
		"another key":              func(f *Folded, _ []prune.Hidden, _ *checker) { f.Folds[0].Key = marker.KeyOf("x") },
		"a byte lost in the text":  func(f *Folded, _ []prune.Hidden, _ *checker) { f.Text = f.Text[:len(f.Text)-1] },
		"a byte lost in the store": func(_ *Folded, h []prune.Hidden, _ *checker) { h[0].Text += " "; h[0].Key = marker.KeyOf(h[0].Text) },
	} {
		c := checker{map[string]*shown{}}
		if err := c.add(reading("a", "/p/a.go", out), Folded{ID: "a", Text: out}, nil); err != nil {
			t.Fatal(err)
		}
		f, h := hide(5, 20)
		if spoil != nil {
			spoil(&f, h, &c)
		}
		if err := c.add(reading("b", "/p/a.go", out), f, h); errors.Is(err, ErrFold) != (spoil != nil) {
			t.Errorf("%s: error = %v", name, err)
		}
	}
}

func TestTranscript(t *testing.T) {
	entry := func(typ, content, more string) string {
		return fmt.Sprintf(`{"type":%q,"message":{"role":%q,"content":%s},"uuid":"u"%s}`, typ, typ, content, more)
	}
	use := func(id, name, input string) string {
		return entry("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, name, input), "")
	}
	res := func(id, text string) string {
		return entry("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%q}]`, id, text), "")
	}
	lines := []string{
		entry("user", `"do it"`, ""), use("1", "Read", `{"file_path":"/a"}`), res("1", "x"), entry("assistant", `[{"type":"text","text":"I see."}]`, ""),
		use("2", "Edit", `{"file_path":"/a"}`), res("2", "y"), entry("user", `"and now"`, ""), `{"type":"system","subtype":"compact_boundary","uuid":"c"}`,
		use("3", "Bash", `{"command":"ls"}`), res("3", "z"),
	}
	var got []string
	for r, err := range Transcript(strings.NewReader(strings.Join(lines, "\n")), "s", false) {
		if err != nil {
			t.Fatal(err)
		}
		next := []string{}
		for _, e := range r.Next {
			next = append(next, e.Name+e.Text)
		}
		got = append(got, fmt.Sprintf("%s %s %s gone=%v %v", r.ID, r.Tool.Name, r.Output, r.Gone, next))
	}
	want := []string{"s:1 Read x gone=false [I see. Edit]", "s:2 Edit y gone=false []", "s:3 Bash z gone=true []"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Transcript (-want +got):\n%s", diff)
	}
}
