package door

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/hook"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/text"
)

// deciding is newDoor with the decisions it hands on.
func deciding(t *testing.T) (*Door, *[]decisions.Entry) {
	t.Helper()
	d, store, _ := newDoor(t)
	store.Offer("s", Main)
	var got []decisions.Entry
	d.Decided = func(e decisions.Entry) { got = append(got, e) }
	d.Kind = func(t prune.Tool) string { return "kind of " + t.Name }
	return d, &got
}

func modRequest(tool string, texts ...string) *api.ResultRequest {
	return &api.ResultRequest{Session: "s", Loop: Main, ToolUseID: "t1", Tool: tool, Input: json.RawMessage(`{"command":"ls"}`),
		Rows: []api.Row{{Text: "count the rows", Door: "prompt"}}, Texts: texts}
}

func only(t *testing.T, got []decisions.Entry) decisions.Entry {
	t.Helper()
	if len(got) != 1 {
		t.Fatalf("%d decisions, want 1: %+v", len(got), got)
	}
	return got[0]
}

func TestDecisionOfAPrunedResult(t *testing.T) {
	for _, mode := range []string{Active, Shadow} {
		t.Run(mode, func(t *testing.T) {
			d, got := deciding(t)
			now := d.Now()
			now.Mode = mode
			d.Now = func() Current { return now }
			long := strings.Repeat("a row that nöbody needs\n", 200)
			req := modRequest("Bash", "", long)
			req.Calls = []prune.Call{{ID: "t0", Tool: "Bash", Args: "x"}}
			reply := d.Result(t.Context(), req)
			e := only(t, *got)
			in := utf8.RuneCountInString(long)
			if e.Door != "mod" || e.Session != "s" || e.Loop != Main || e.Call != "t1" || e.Tool.Name != "Bash" || e.Kind != "kind of Bash" ||
				e.Mode != mode || !e.Pruned() || e.Lines != 201 || len(e.Calls) != 1 || e.Task.Request != "count the rows" {
				t.Errorf("decision = %+v", e.Record)
			}
			if e.In != in || e.Shown != in || e.Out >= in || len(e.Keys) != 1 || !e.Judged || len(e.Scores.Line) != 201 {
				t.Errorf("in %d, shown %d, out %d, %d keys, %d scores; the text has %d", e.In, e.Shown, e.Out, len(e.Keys), len(e.Scores.Line), in)
			}
			if cost := e.Hidden - (e.In - e.Out); cost <= 0 || cost > 400 {
				t.Errorf("markers cost %d characters: hidden %d, in %d, out %d", cost, e.Hidden, e.In, e.Out)
			}
			if put := reply.Texts[1]; mode == Active && utf8.RuneCountInString(*put) != e.Out {
				t.Errorf("out = %d, the answer has %d", e.Out, utf8.RuneCountInString(*put))
			}
		})
	}
}

func TestDecisionOfAPassedResult(t *testing.T) {
	long := strings.Repeat("a row that nobody needs\n", 200)
	path, whole := saved(t, "other", 6000)
	for _, c := range []struct {
		name, tool, text string
		change           func(*Door, *api.ResultRequest)
		want             prune.Reason
	}{
		{"small", "Bash", "short", nil, prune.Small},
		{"other tool", "Agent", long, nil, prune.OtherTool},
		{"no task", "Bash", long, func(_ *Door, q *api.ResultRequest) { q.Rows = nil }, prune.NoTask},
		{"not offered", "Bash", long, func(_ *Door, q *api.ResultRequest) { q.Session = "elsewhere" }, prune.NoRecall},
		{"no store", "Bash", long, func(d *Door, _ *api.ResultRequest) { d.Store = refusing{d.Store} }, NotStored},
		{"another session's file", "Bash", preview(path, whole), nil, SavedUnreadable},
		{"a tool whose files are not read", "mcp__x__y", preview(path, whole), nil, Persisted},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, got := deciding(t)
			req := modRequest(c.tool, c.text)
			if c.change != nil {
				c.change(d, req)
			}
			if r := d.Result(t.Context(), req); r.Texts[0] != nil {
				t.Error("changed")
			}
			e := only(t, *got)
			n := utf8.RuneCountInString(c.text)
			if e.Reason != string(c.want) || e.In != n || e.Shown != n || e.Out != n || len(e.Keys) != 0 || e.Hidden != 0 {
				t.Errorf("decision = %+v, want %s and %d characters all through", e.Record, c.want, n)
			}
		})
	}
}

func TestDecisionOfASavedOutput(t *testing.T) {
	d, got := deciding(t)
	path, whole := saved(t, "s", 6000)
	shown := preview(path, whole)
	reply := d.Result(t.Context(), modRequest("Bash", shown))
	if reply.Texts[0] == nil {
		t.Fatal("no view")
	}
	e := only(t, *got)
	if !e.Saved || e.In != len(whole) || e.Shown != len(shown) || e.Out != utf8.RuneCountInString(*reply.Texts[0]) || e.Hidden != 0 {
		t.Errorf("decision = %+v, want the file's size, the preview's and the view's", e.Record)
	}
}

func TestDecisionAtTheHookDoor(t *testing.T) {
	d, got := deciding(t)
	e := &hook.Event{SessionID: "s", AgentID: "sub", HookEventName: "PostToolUse", ToolName: "Bash", ToolUseID: "t9",
		ToolInput: json.RawMessage(`{"command":"ls"}`), ToolResponse: json.RawMessage(`"no shape of Bash's"`)}
	if out := d.Hook(t.Context(), e, &prune.Task{Request: "x"}); out != nil {
		t.Fatalf("answer = %s", out)
	}
	r := only(t, *got)
	if r.Door != "hook" || r.Loop != "sub" || r.Call != "t9" || r.Reason != string(Shape) || r.Mode != Active {
		t.Errorf("decision = %+v", r.Record)
	}
}

// What was judged early costs the answer no more time with the judge.
func TestJudgeTime(t *testing.T) {
	long := strings.Repeat("a row that nobody needs\n", 200)
	for _, early := range []bool{false, true} {
		t.Run(fmt.Sprint("early=", early), func(t *testing.T) {
			d, got := deciding(t)
			d.Store = offering{d.Store} // no disk inside the bubble
			synctest.Test(t, func(t *testing.T) {
				p := prune.New(Cached(slow{}, 4), prune.Options{AllowNothing: true})
				d.Now = func() Current { return Current{Mode: Shadow, Pruner: p} }
				if early {
					d.Early(t.Context(), modRequest("Bash", long))
				}
				d.Result(t.Context(), modRequest("Bash", long))
			})
			e := only(t, *got)
			want := map[bool]int64{false: 300_000, true: 0}[early]
			if e.JudgeUS != want || e.WholeUS != want {
				t.Errorf("judge %d of %d, want %d", e.JudgeUS, e.WholeUS, want)
			}
		})
	}
}

// refusing is a store on a full disk.
type refusing struct{ Store }

func (refusing) Put([]recall.Item) error { return errors.New("no room") }

// offering is a store that knows every loop and holds nothing.
type offering struct{ Store }

func (offering) Offered(string, string) bool             { return true }
func (offering) CutCalls(string, string) map[string]bool { return nil }

// slow takes as long as a judge under load.
type slow struct{}

func (slow) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	time.Sleep(300 * time.Millisecond)
	return prune.Fake{}.Score(ctx, q, d)
}

// The file as the door feeds it holds no word of an output, a command or a task.
func TestDecisionsHoldNoText(t *testing.T) {
	d, _ := deciding(t)
	path := filepath.Join(t.TempDir(), decisions.FileName)
	log := decisions.Open(path, decisions.Options{})
	d.Decided = log.Add
	req := modRequest("Bash", strings.Repeat("a row that nobody needs\n", 200))
	req.Assistant = "peering"
	req.Calls = []prune.Call{{ID: "t0", Tool: "Read", Args: `{"file_path":"/wallet"}`, Path: "/wallet"}}
	d.Result(t.Context(), req)
	log.Close()
	for r, err := range decisions.All(path) {
		b, _ := json.Marshal(r)
		if err != nil || !r.Pruned() || len(r.P) != 201 || len(r.Prev) != 1 {
			t.Errorf("record = %s, %v", b, err)
		}
		for _, word := range []string{"nobody", "count", "peering", "wallet", "ls\""} {
			if strings.Contains(string(b), word) {
				t.Errorf("record holds %q: %s", word, b)
			}
		}
	}
}
