package door

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/internal/api"
	"winnow/internal/hook"
	"winnow/internal/metrics"
	"winnow/internal/prune"
	"winnow/internal/recall"
)

// newDoor is an active door with the fake judge and a real store.
func newDoor(t *testing.T) (*Door, *recall.Store, *metrics.Counters) {
	t.Helper()
	store, err := recall.Open(filepath.Join(t.TempDir(), "recall.db"), recall.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	counts := &metrics.Counters{}
	p := prune.New(prune.Fake{}, prune.Options{AllowNothing: true, Live: store.Live})
	return &Door{Store: store, Count: counts.Add, Log: slog.New(slog.DiscardHandler),
		Now: func() Current { return Current{Mode: Active, Pruner: p} }}, store, counts
}

// prunable are the captured payloads with something to hide; every other
// captured payload gets an empty answer.
var prunable = []string{
	"bash_31k", "bash_large", "grep_limited", "grep_many", "mcp_big", "read_3000_lines", "read_code", "read_many_tokens",
}

func TestCapturedPayloads(t *testing.T) {
	files, err := filepath.Glob("../hook/testdata/hooks/*.json")
	if err != nil || len(files) < 90 {
		t.Fatalf("%d payloads, %v", len(files), err)
	}
	seen := 0
	for _, f := range files {
		name, event, _ := strings.Cut(filepath.Base(f), ".")
		t.Run(filepath.Base(f), func(t *testing.T) {
			body, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			d, _, _ := newDoor(t)
			e, err := hook.Decode(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			out := d.Hook(t.Context(), e, &prune.Task{Request: "find the slow test"})
			if event != "PostToolUse.json" || !slices.Contains(prunable, name) {
				if len(out) != 0 {
					t.Errorf("answer = %.200s, want none", out)
				}
				return
			}
			seen++
			if len(out) == 0 {
				t.Fatal("no answer")
			}
			sameShape(t, e.ToolResponse, out)
		})
	}
	if seen != len(prunable) {
		t.Errorf("%d prunable payloads met, want %d", seen, len(prunable))
	}
}

// sameShape checks the answer against the result that was received: the same
// keys and types all through, less the two fields that name a saved file.
func sameShape(t *testing.T, response json.RawMessage, out []byte) {
	t.Helper()
	var answer struct {
		HookSpecificOutput struct {
			HookEventName     string
			UpdatedToolOutput any
		}
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.HookSpecificOutput.HookEventName != "PostToolUse" {
		t.Errorf("event = %q", answer.HookSpecificOutput.HookEventName)
	}
	var before any
	if err := json.Unmarshal(response, &before); err != nil {
		t.Fatal(err)
	}
	if m, ok := before.(map[string]any); ok {
		delete(m, "persistedOutputPath")
		delete(m, "persistedOutputSize")
	}
	if a, b := shapeOf(before), shapeOf(answer.HookSpecificOutput.UpdatedToolOutput); !reflect.DeepEqual(a, b) {
		t.Errorf("shape = %v, want %v", b, a)
	}
}

// shapeOf keeps keys, array lengths and types.
func shapeOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[k] = shapeOf(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = shapeOf(x)
		}
		return out
	}
	return fmt.Sprintf("%T", v)
}

// saved makes a session's folder with one saved output of n lines, some of
// them failures, and returns its path and text.
func saved(t *testing.T, session string, n int) (path, text string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), session, "tool-results")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range n {
		if i%1000 == 777 {
			fmt.Fprintf(&b, "error: case %d did not hold\n", i)
			continue
		}
		fmt.Fprintf(&b, "step %06d of a long build went well\n", i)
	}
	path = filepath.Join(dir, "b1.txt")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, b.String()
}

func preview(path, text string) string {
	return "<persisted-output>\nOutput too large (175.8KB). Full output saved to: " + path + "\n\nPreview (first 2KB):\n" + text[:2000] + "\n...\n</persisted-output>"
}

func TestSavedOutputBecomesAView(t *testing.T) {
	d, store, counts := newDoor(t)
	path, text := saved(t, "sess", 6000)
	store.Offer("sess", Main)
	req := api.ResultRequest{Session: "sess", Loop: Main, ToolUseID: "t1", Tool: "Bash", Input: json.RawMessage(`{"command":"make"}`),
		Rows: []api.Row{{Text: "why does the build break", Door: "prompt"}}, Texts: []string{preview(path, text)}}
	reply := d.Result(t.Context(), &req)
	if len(reply.Texts) != 1 || reply.Texts[0] == nil || len(reply.Keys) != 1 {
		t.Fatalf("reply = %+v, want a view and one key", reply)
	}
	view := *reply.Texts[0]
	checkView(t, view, path)
	r := Recall(store, api.RecallRequest{Key: reply.Keys[0], Session: "sess", Loop: Main})
	got := r.Text
	for next, more := Next(r.Note); more; next, more = Next(r.Note) {
		r = Recall(store, api.RecallRequest{Key: reply.Keys[0], Session: "sess", Loop: Main, Lines: next})
		got += r.Text
	}
	if got != text {
		t.Errorf("the pages do not make the saved file: %d of %d bytes", len(got), len(text))
	}
	if c := counts.Snapshot(); c["active.view_cost"] == 0 {
		t.Errorf("counts = %v, want the view's cost booked", c)
	}
}

func checkView(t *testing.T, view, path string) {
	t.Helper()
	if n := utf8.RuneCountInString(view); n > prune.MaxView {
		t.Errorf("view has %d characters, at most %d are allowed", n, prune.MaxView)
	}
	for i := 777; i < 6000; i += 1000 {
		if want := fmt.Sprintf("error: case %d did not hold", i); !strings.Contains(view, want) {
			t.Errorf("view lacks %q", want)
		}
	}
	if !strings.Contains(view, path) {
		t.Errorf("view does not name the file")
	}
}

// The same file by the hook door: the fields that name it go, the view comes.
func TestSavedOutputAtTheHookDoor(t *testing.T) {
	d, _, _ := newDoor(t)
	path, text := saved(t, "sess", 6000)
	response, err := json.Marshal(map[string]any{"stdout": text[:30000], "stderr": "", "interrupted": false, "isImage": false,
		"noOutputExpected": false, "persistedOutputPath": path, "persistedOutputSize": len(text)})
	if err != nil {
		t.Fatal(err)
	}
	e := &hook.Event{SessionID: "sess", HookEventName: "PostToolUse", ToolName: "Bash", ToolUseID: "t1",
		ToolInput: json.RawMessage(`{"command":"make"}`), ToolResponse: response}
	out := d.Hook(t.Context(), e, &prune.Task{Request: "why does the build break"})
	if len(out) == 0 {
		t.Fatal("no answer")
	}
	sameShape(t, response, out)
	var answer struct {
		HookSpecificOutput struct{ UpdatedToolOutput struct{ Stdout string } }
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatal(err)
	}
	checkView(t, answer.HookSpecificOutput.UpdatedToolOutput.Stdout, path)
}

// A file of another session, a link, or somewhere else is not read.
func TestSavedOutputOfOthersIsLeftAlone(t *testing.T) {
	d, store, _ := newDoor(t)
	store.Offer("sess", Main)
	foreign, text := saved(t, "other", 6000)
	own, _ := saved(t, "sess", 10)
	link := filepath.Join(filepath.Dir(own), "link.txt")
	if err := os.Symlink(foreign, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{foreign, link, "/etc/passwd", filepath.Dir(own), filepath.Join(filepath.Dir(own), "none.txt")} {
		req := api.ResultRequest{Session: "sess", Loop: Main, ToolUseID: "t1", Tool: "Bash", Input: json.RawMessage(`{}`),
			Rows: []api.Row{{Text: "why does the build break", Door: "prompt"}}, Texts: []string{preview(path, text)}}
		if r := d.Result(t.Context(), &req); len(r.Texts) != 1 || r.Texts[0] != nil {
			t.Errorf("%s was read", path)
		}
	}
}

// Text blocks are judged one by one, and only their own place is filled.
func TestBlocksOneByOne(t *testing.T) {
	d, store, _ := newDoor(t)
	store.Offer("s", Main)
	long := strings.Repeat("a row that nobody needs\n", 200)
	req := api.ResultRequest{Session: "s", Loop: Main, ToolUseID: "t", Tool: "mcp__lab__rows", Input: json.RawMessage(`{}`),
		Rows: []api.Row{{Text: "count the rows", Door: "prompt"}}, Texts: []string{"short", long, "", long}}
	r := d.Result(t.Context(), &req)
	got := make([]bool, len(r.Texts))
	for i, p := range r.Texts {
		got[i] = p != nil
	}
	if want := []bool{false, true, false, true}; !slices.Equal(got, want) {
		t.Errorf("changed = %v, want %v", got, want)
	}
}

// The agent that asks again wants the whole: an identical call stays.
func TestRepeatOfACutCall(t *testing.T) {
	d, store, counts := newDoor(t)
	store.Offer("s", Main)
	long := strings.Repeat("a row that nobody needs\n", 200)
	req := api.ResultRequest{Session: "s", Loop: Main, ToolUseID: "t1", Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`),
		Rows: []api.Row{{Text: "count the rows", Door: "prompt"}}, Texts: []string{long}}
	if r := d.Result(t.Context(), &req); r.Texts[0] == nil {
		t.Fatal("first call not cut")
	}
	req.ToolUseID = "t2"
	req.Calls = []prune.Call{{ID: "t1", Tool: "Bash", Args: `{"command":"ls"}`, SinceRequest: true}}
	if r := d.Result(t.Context(), &req); r.Texts[0] != nil {
		t.Errorf("the repeated call was cut, too")
	}
	if c := counts.Snapshot(); c["reason.repeat-of-cut"] != 1 {
		t.Errorf("counts = %v", c)
	}
}
