package prune

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"winnow/internal/marker"
)

// notPromised lists what a public report asks for and the rules alone do not
// give, with the reason. With the fake judge nothing but the rules speaks.
var notPromised = map[string]string{
	"B007": "the edges of a gap in time: which records matter is the judge's question",
	"B008": "outliers of an unsorted table: the judge's question",
	"B020": "a merge among many commits: the judge's question",
	"B053": "the line that the task names: the judge's question",
	"B019": "the code that the task needs: the judge's question; no comment is ever stripped",
	"B044": "the method that the task needs: the judge's question; the marker's form is checked",
}

// untouched lists reports whose text must come back as it is because of what
// it is, with the reason that must be given.
var untouched = map[string]Reason{
	"B014": JSON, "B031": JSON, "B034": JSON, "B050": JSON,
	"B032": Small, "B097": Small, "B049": Small, // documents too, but the size is asked first
	"B023": Small, "B035": Small, "B037": Small, "B040": Small, "B058": Small, "B091": Small, "B103": Small, "B067": Small,
	"B065": Binary, "B017": TooLittle, "B025": TooLittle, "B028": Pruned,
}

type expectation struct {
	ID            string          `json:"id"`
	Input         []string        `json:"input"`
	Task          string          `json:"task"`
	Tool          string          `json:"tool"`
	ToolInput     json.RawMessage `json:"tool_input"`
	TextField     string          `json:"text_field"`
	MustKeep      []string        `json:"must_keep"`
	MustKeepHex   []string        `json:"must_keep_hex"`
	MustNotHave   []string        `json:"must_not_contain"`
	MustNotMatch  []string        `json:"must_not_match"`
	Identical     bool            `json:"must_be_byte_identical"`
	MaxMS         int             `json:"max_ms"`
	RecallUnknown []string        `json:"recall_unknown"`
}

// TestBugs runs the inputs of public bug reports of this field.
func TestBugs(t *testing.T) {
	files, err := filepath.Glob("testdata/bugs/*.expect.json")
	if err != nil || len(files) < 40 {
		t.Fatalf("found %d expectations, %v", len(files), err)
	}
	for _, file := range files {
		var e expectation
		unmarshalFile(t, file, &e)
		t.Run(e.ID, func(t *testing.T) {
			in := bugInput(t, e)
			start := time.Now()
			p := New(Fake{}, Options{AllowNothing: true})
			res := p.Prune(context.Background(), in)
			if ms := time.Since(start).Milliseconds(); e.MaxMS > 0 && ms > int64(e.MaxMS) {
				t.Errorf("took %d ms, want %d", ms, e.MaxMS)
			}
			checkResult(t, in, res)
			if want, ok := untouched[e.ID]; ok && res.Reason != want {
				t.Errorf("reason = %q, want %q", res.Reason, want)
			}
			checkExpectation(t, e, in, res)

			// The rules must hold for the smallest texts too.
			if e.Identical || notPromised[e.ID] != "" || e.ID == "B091" { // B091: see TestMarkersInTheText
				return
			}
			harsh := New(Fake{}, Options{AllowNothing: true, MinChars: 1, MinSaving: 1e-9})
			res = harsh.Prune(context.Background(), in)
			checkResult(t, in, res)
			checkExpectation(t, e, in, res)
		})
	}
}

func checkExpectation(t *testing.T, e expectation, in Input, res Result) {
	t.Helper()
	if e.Identical && res.Text != in.Text {
		t.Errorf("text was changed (reason %q)", res.Reason)
	}
	keep := e.MustKeep
	for _, h := range e.MustKeepHex {
		b, err := hex.DecodeString(h)
		if err != nil {
			t.Fatal(err)
		}
		keep = append(keep, string(b))
	}
	for _, s := range keep {
		if notPromised[e.ID] == "" && !strings.Contains(res.Text, s) {
			t.Errorf("%q is hidden in\n%s", s, res.Text)
		}
	}
	for _, s := range e.MustNotHave {
		if strings.Contains(res.Text, s) && !strings.Contains(in.Text, s) {
			t.Errorf("%q was added", s)
		}
	}
	for _, s := range e.MustNotMatch {
		re := regexp.MustCompile("(?m)" + s)
		if m := re.FindString(res.Text); m != "" && !strings.Contains(in.Text, m) {
			t.Errorf("%q was added", m)
		}
	}
	for _, s := range e.RecallUnknown {
		for _, h := range res.Hidden {
			if string(h.Key) == s {
				t.Errorf("key %s was issued", s)
			}
		}
	}
}

// bugInput reads the first input of a report: plain output of a tool, or the
// text field of a hook's payload.
func bugInput(t *testing.T, e expectation) Input {
	t.Helper()
	in := Input{Task: Task{Request: e.Task}, Tool: Tool{Name: e.Tool, Input: e.ToolInput}, CanRecall: true}
	if in.Tool.Name == "" {
		in.Tool.Name = "Bash"
	}
	file := "testdata/bugs/" + e.Input[0]
	if !strings.HasSuffix(file, ".hook.json") {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in.Text = string(raw)
		return in
	}
	var payload struct {
		Tool     string          `json:"tool_name"`
		Input    json.RawMessage `json:"tool_input"`
		Response json.RawMessage `json:"tool_response"`
	}
	unmarshalFile(t, file, &payload)
	in.Tool, in.Task.Request = Tool{payload.Tool, payload.Input}, "do the task"
	var leaves struct {
		Stdout string
		File   struct {
			Content   string
			StartLine int
		}
	}
	var list []struct{ Text string }
	if json.Unmarshal(payload.Response, &list) == nil && len(list) > 0 {
		in.Text = list[0].Text
		return in
	}
	if err := json.Unmarshal(payload.Response, &leaves); err != nil {
		t.Fatal(err)
	}
	if in.Text = leaves.Stdout; in.Text == "" {
		in.Text, in.Renumbered, in.StartLine = leaves.File.Content, true, leaves.File.StartLine
	}
	return in
}

func unmarshalFile(t *testing.T, file string, v any) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// B091: a text that holds one of our live markers is left alone whole; B154: a
// marker that was never issued is content, and changes nothing.
func TestMarkersInTheText(t *testing.T) {
	key := marker.KeyOf("x")
	rows := strings.Repeat("a row of the table, nothing else\n", 100)
	in := Input{Task: Task{Request: "list"}, Tool: Tool{Name: "Bash"}, CanRecall: true, Text: rows + marker.Tag(key, 40) + " lines 1-40\n" + rows}
	live := New(Fake{}, Options{AllowNothing: true, Live: func(k marker.Key) bool { return k == key }})
	if res := live.Prune(context.Background(), in); res.Reason != Marked || res.Text != in.Text {
		t.Errorf("live marker: reason = %q, want %q", res.Reason, Marked)
	}
	other := New(Fake{}, Options{AllowNothing: true, Live: func(marker.Key) bool { return false }})
	res := other.Prune(context.Background(), in)
	if checkResult(t, in, res); res.Reason != Pruned {
		t.Errorf("unknown marker: reason = %q, want pruned", res.Reason)
	}
}
