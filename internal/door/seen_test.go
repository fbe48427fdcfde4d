package door

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/hook"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/seen"
)

// watcher is a door that looks for what was shown before, and what it decided.
type watcher struct {
	*Door
	store   *recall.Store
	now     time.Time
	decided []decisions.Entry
	file    string
	calls   []prune.Call
	dir     string
	// replaced, when set, is what somebody else makes of every result.
	replaced string
	// behind says that the present call's entry is not in the transcript yet.
	behind bool
}

func watching(t *testing.T, seenMode, mode string) *watcher {
	t.Helper()
	d, store, _ := newDoor(t)
	w := &watcher{Door: d, store: store, now: time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC), dir: t.TempDir(), file: filepath.Join(t.TempDir(), "s1.jsonl")}
	p := d.Now().Pruner
	d.Now = func() Current { return Current{Mode: mode, Pruner: p, Seen: seenMode} }
	d.Decided = func(e decisions.Entry) { w.decided = append(w.decided, e) }
	w.restart(t)
	if err := store.Offer("s1", "main"); err != nil {
		t.Fatal(err)
	}
	return w
}

// restart opens the ledgers anew, as another daemon would.
func (w *watcher) restart(t *testing.T) {
	t.Helper()
	if w.Seen != nil {
		if err := w.Seen.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	b, err := seen.OpenBook(w.dir, seen.Options{}, func() time.Time { return w.now })
	if err != nil {
		t.Fatal(err)
	}
	w.Seen = b
}

// read is a file of 80 lines, as a Read shows it; changed lines say so.
func read(changed ...int) string {
	var b strings.Builder
	for i := 1; i <= 80; i++ {
		what := "says what it always said, at some length"
		for _, c := range changed {
			if c == i {
				what = "was changed"
			}
		}
		fmt.Fprintf(&b, "%6d\tline %d of the file %s\n", i, i, what)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// result sends a result by the mod's door; every earlier row stands.
func (w *watcher) result(t *testing.T, loop, tool, input, text string) string {
	t.Helper()
	id := fmt.Sprintf("t%d", len(w.calls)+1)
	req := &api.ResultRequest{Session: "s1", Loop: loop, ToolUseID: id, Tool: tool, Input: json.RawMessage(input), Texts: []string{text}, Calls: w.calls, Transcript: w.file}
	for _, c := range w.calls {
		req.Standing = append(req.Standing, c.ID)
	}
	return w.send(t, req)
}

func (w *watcher) send(t *testing.T, req *api.ResultRequest) string {
	t.Helper()
	if !w.behind {
		w.called(t, req)
	}
	reply := w.Result(t.Context(), req)
	got := req.Texts[0]
	if len(reply.Texts) == 1 && reply.Texts[0] != nil {
		got = *reply.Texts[0]
	}
	if w.replaced != "" {
		got = w.replaced
	}
	w.note(t, req.ToolUseID, req.Tool, string(req.Input), got)
	return got
}

// called enters the assistant's entry of a call into the transcript.
func (w *watcher) called(t *testing.T, req *api.ResultRequest) {
	t.Helper()
	w.line(t, fmt.Sprintf(`{"type":"assistant","uuid":"a%s","message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`, req.ToolUseID, req.ToolUseID, req.Tool, req.Input))
}

// note enters a call into the list and its result into the transcript.
func (w *watcher) note(t *testing.T, id, tool, input, shown string) {
	t.Helper()
	var in struct {
		Path string `json:"file_path"`
	}
	_ = json.Unmarshal([]byte(input), &in)
	w.calls = append(w.calls, prune.Call{ID: id, Tool: tool, Args: input, Path: in.Path})
	w.line(t, fmt.Sprintf(`{"type":"user","uuid":"r%s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}}`, id, id, quoted(t, shown)))
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (w *watcher) line(t *testing.T, line string) {
	t.Helper()
	f, err := os.OpenFile(w.file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

const file = `{"file_path":"/p/server.go"}`

// edit is a call that changes the file between two readings.
func (w *watcher) edit(t *testing.T) {
	w.note(t, fmt.Sprintf("e%d", len(w.calls)+1), "Edit", file, "edited")
}

func TestSeenInTheModsDoor(t *testing.T) {
	for _, tc := range []struct {
		name  string
		seen  string
		do    func(w *watcher)
		loop  string
		input string
		other string
		whole bool
	}{
		{name: "read, edited, read again", do: func(w *watcher) { w.edit(t) }},
		{name: "a part of it, asked for", input: `{"file_path":"/p/server.go","offset":1,"limit":80}`},
		{name: "the same call with nothing in between", do: func(*watcher) {}, whole: true},
		{name: "shadow", seen: Shadow, do: func(w *watcher) { w.edit(t) }, whole: true},
		{name: "off", seen: Off, do: func(w *watcher) { w.edit(t) }, whole: true},
		{name: "a subagent", do: func(w *watcher) { w.edit(t) }, loop: "agent1", whole: true},
		{name: "59 idle minutes", do: func(w *watcher) { w.edit(t); w.now = w.now.Add(59 * time.Minute) }},
		{name: "61 idle minutes", do: func(w *watcher) { w.edit(t); w.now = w.now.Add(61 * time.Minute) }, whole: true},
		{name: "a restart", do: func(w *watcher) { w.edit(t); w.restart(t) }},
		{name: "old results were cleared", do: func(w *watcher) {
			w.edit(t)
			w.line(t, `{"type":"assistant","uuid":"a","message":{"role":"assistant","content":[]},"context_management":{"applied_edits":[{"type":"clear_tool_uses_20250919","cleared_tool_uses":4}]}}`)
		}, whole: true},
		{name: "cut by the client", do: func(w *watcher) {
			w.edit(t)
			w.line(t, `{"type":"assistant","uuid":"a","message":{"role":"assistant","content":[]},"client_cut_tool_uses":4}`)
		}, whole: true},
		{name: "somebody else replaced the first", do: func(w *watcher) { w.edit(t) }, other: "80 lines", whole: true},
		{name: "somebody else replaced a part of the first", do: func(w *watcher) { w.edit(t) }, other: strings.Replace(read(), "line 70 ", "line seventy ", 1), whole: true},
		{name: "the present call's entry has not come", do: func(w *watcher) { w.edit(t); w.behind = true }, whole: true},
		{name: "no transcript", do: func(w *watcher) { w.edit(t); w.file += ".gone" }, whole: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := watching(t, or(tc.seen, Active), Shadow)
			if err := w.store.Offer("s1", "agent1"); err != nil {
				t.Fatal(err)
			}
			w.replaced = tc.other
			if got := w.result(t, Main, "Read", file, read()); got != or(tc.other, read()) {
				t.Fatalf("the first reading became\n%s", got)
			}
			w.replaced = ""
			if tc.do != nil {
				tc.do(w)
			}
			text := read(40)
			got := w.result(t, or(tc.loop, Main), "Read", or(tc.input, file), text)
			if tc.whole {
				if got != text {
					t.Errorf("the text became\n%s", got)
				}
				return
			}
			keys := marker.Find(got)
			if len(keys) != 2 || !strings.Contains(got, "lines 1-37: unchanged, shown ") || !strings.Contains(got, "as lines 43-80 of server.go") {
				t.Fatalf("the text became\n%s", got)
			}
			back := strings.Split(got, "\n")
			for i, l := range back {
				if k := marker.Find(l); len(k) == 1 {
					if back[i], _ = w.store.Get(k[0]); back[i] == "" {
						t.Fatalf("key %s is not in the store", k[0])
					}
				}
			}
			if s := strings.Join(back, "\n"); s != text {
				t.Errorf("text and recalls are\n%s", s)
			}
		})
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// What was hidden does not count as shown until it was recalled, and then where it
// was recalled: nothing refers to a reference.
func TestSeenRecalled(t *testing.T) {
	w := watching(t, Active, Shadow)
	w.result(t, Main, "Read", file, read())
	w.edit(t)
	again := w.result(t, Main, "Read", file, read(40))
	if len(marker.Find(again)) != 2 {
		t.Fatalf("the second reading became\n%s", again)
	}
	page, _ := w.store.Get(marker.Find(again)[1])
	before := len(w.decided)
	if got := w.result(t, Main, recallTool, `{"key":"x"}`, page); got != page {
		t.Errorf("what was recalled became\n%s", got)
	}
	if len(w.decided) != before {
		t.Errorf("a recall is decided about: %+v", w.decided[before:])
	}
	// All else is gone; the recall's row stands.
	w = watching(t, Active, Shadow)
	w.result(t, Main, recallTool, `{"key":"x"}`, page)
	w.edit(t)
	got := w.result(t, Main, "Read", file, read(40, 41))
	if len(marker.Find(got)) != 1 || !strings.Contains(got, "as lines 43-80 of the recalled lines") {
		t.Errorf("the third reading became\n%s", got)
	}
	// The row of the recall is gone, and with it all before it.
	w = watching(t, Active, Shadow)
	w.result(t, Main, recallTool, `{"key":"x"}`, page)
	w.edit(t)
	req := &api.ResultRequest{Session: "s1", Loop: Main, ToolUseID: "t9", Tool: "Read", Input: json.RawMessage(file), Texts: []string{read(40)}, Calls: w.calls, Transcript: w.file}
	if got := w.send(t, req); got != read(40) {
		t.Errorf("with nothing standing it became\n%s", got)
	}
}

// A result that is asked for twice counts as the second answer.
func TestSeenAskedTwice(t *testing.T) {
	w := watching(t, Active, Shadow)
	req := &api.ResultRequest{Session: "s1", Loop: Main, ToolUseID: "t1", Tool: "Read", Input: json.RawMessage(file), Texts: []string{read()}, Transcript: w.file}
	w.Result(t.Context(), req)
	w.Result(t.Context(), req)
	w.Seen.With("s1", Main, func(l *seen.Ledger) {
		if n := len(l.Sources()); n != 1 {
			t.Errorf("%d results are noted, want 1", n)
		}
	})
}

// Rows that were compacted or rewound do not stand, nor what came before them.
func TestSeenRowsGone(t *testing.T) {
	for name, standing := range map[string][]string{"compacted": nil, "the row itself is gone": {"e2"}} {
		w := watching(t, Active, Shadow)
		w.result(t, Main, "Read", file, read())
		w.edit(t)
		req := &api.ResultRequest{Session: "s1", Loop: Main, ToolUseID: "t3", Tool: "Read", Input: json.RawMessage(file), Texts: []string{read(40)}, Calls: w.calls, Transcript: w.file, Standing: standing}
		if got := w.send(t, req); got != read(40) {
			t.Errorf("%s: the text became\n%s", name, got)
		}
		// What is shown from here on counts again.
		w.edit(t)
		if got := w.result(t, Main, "Read", file, read(40, 60)); len(marker.Find(got)) == 0 {
			t.Errorf("%s: the reading after the next is whole", name)
		}
	}
}

// Fold and judge: both hide, each with its own keys, and are booked apart; a
// reference points only at what was shown.
func TestSeenAndJudged(t *testing.T) {
	w := watching(t, Active, Active)
	ask := func(input, text string) string {
		id := fmt.Sprintf("t%d", len(w.calls)+1)
		req := &api.ResultRequest{Session: "s1", Loop: Main, ToolUseID: id, Tool: "Read", Input: json.RawMessage(input), Texts: []string{text}, Calls: w.calls, Transcript: w.file,
			Rows: []api.Row{{Text: "find the slow test", Door: "prompt"}}}
		for _, c := range w.calls {
			req.Standing = append(req.Standing, c.ID)
		}
		return w.send(t, req)
	}
	first := ask(`{"file_path":"/p/a.txt"}`, read())
	if len(marker.Find(first)) == 0 {
		t.Fatal("the judge hid nothing of the first")
	}
	shown := map[string]bool{}
	for l := range strings.SplitSeq(first, "\n") {
		if _, rest, ok := strings.Cut(l, "\t"); ok {
			shown[rest] = true
		}
	}
	second := ask(`{"file_path":"/p/b.txt"}`, read())
	e := w.decided[len(w.decided)-1]
	if e.Fold != nil {
		for _, k := range e.Fold.Keys {
			text, _ := w.store.Get(marker.Key(k))
			for l := range strings.SplitSeq(text, "\n") {
				if _, rest, _ := strings.Cut(l, "\t"); !shown[rest] {
					t.Errorf("folded though never shown: %q", l)
				}
			}
		}
	}
	if len(marker.Find(second)) == 0 {
		t.Error("nothing is hidden of the second")
	}

	w = watching(t, Active, Active)
	w.result(t, Main, "Read", `{"file_path":"/p/a.txt"}`, read()) // no task: shown whole
	more := read() + "\n" + strings.ReplaceAll(strings.ReplaceAll(read(), "line ", "row "), "     ", "  10")
	got := ask(`{"file_path":"/p/b.txt"}`, more)
	e = w.decided[len(w.decided)-1]
	if e.Fold == nil || e.Fold.Mode != Active || len(e.Fold.Keys) == 0 {
		t.Fatalf("decision %+v, fold %+v", e.Record, e.Fold)
	}
	if e.Reason == "" && e.Out != len([]rune(got)) || e.In-e.Fold.Saved != e.Shown {
		t.Errorf("in %d, fold saved %d, shown %d, out %d of %d", e.In, e.Fold.Saved, e.Shown, e.Out, len([]rune(got)))
	}
}

// Nothing is folded where the store cannot take it; the original stands.
func TestSeenNotStored(t *testing.T) {
	w := watching(t, Active, Shadow)
	w.result(t, Main, "Read", file, read())
	w.edit(t)
	if err := w.store.Close(); err != nil {
		t.Fatal(err)
	}
	w.Store = unwritable{w.store}
	if got := w.result(t, Main, "Read", file, read(40)); got != read(40) {
		t.Errorf("the text became\n%s", got)
	}
}

// unwritable is a store that cannot write and says that recall is offered.
type unwritable struct{ *recall.Store }

func (unwritable) Offered(string, string) bool { return true }

// At the hook door the transcript says which results stand, and the host's own
// line numbers stay true.
func TestSeenInTheHookDoor(t *testing.T) {
	const (
		edited = `{"type":"assistant","uuid":"a2","parentUuid":"r1","message":{"role":"assistant","content":[{"type":"tool_use","id":"e","name":"Edit","input":{"file_path":"/p/server.go"}}]}}` + "\n"
		uses   = `{"type":"assistant","uuid":"%s","parentUuid":%q,"sessionId":"s1","message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Read","input":{"file_path":"/p/server.go"}}]}}` + "\n"
	)
	for _, tc := range []struct {
		name, between, parent string
		whole                 bool
		shown                 string // instead of what was answered
	}{
		{name: "edited in between", between: edited, parent: "a2"},
		{name: "the client stored it and showed the beginning", between: edited, parent: "a2", whole: true, shown: "<persisted-output>\nOutput too large (90KB).\n\nPreview:\n" + read()[:200]},
		{name: "another hook's replacement came last", between: edited, parent: "a2", whole: true, shown: "80 lines"},
		{name: "nothing in between", parent: "r1", whole: true},
		{name: "rewound", between: edited, parent: "u", whole: true},
		{name: "compacted", between: edited + `{"type":"system","subtype":"compact_boundary","uuid":"c","parentUuid":null}` + "\n", parent: "c", whole: true},
		{name: "cleared", between: edited + `{"type":"assistant","uuid":"m","parentUuid":"a2","message":{"role":"assistant","content":[]},"context_management":{"applied_edits":[{"cleared_tool_uses":1}]}}` + "\n", parent: "m", whole: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := watching(t, Active, Shadow)
			bare := func(s string) string {
				lines := strings.Split(s, "\n")
				for i, l := range lines {
					_, lines[i], _ = strings.Cut(l, "\t")
				}
				return strings.Join(lines, "\n")
			}
			hookRead := func(id, s string) string {
				body := fmt.Sprintf(`{"session_id":"s1","transcript_path":%q,"hook_event_name":"PostToolUse","tool_name":"Read","tool_use_id":%q,"tool_input":{"file_path":"/p/server.go"},"tool_response":{"type":"text","file":{"filePath":"/p/server.go","content":%q,"numLines":80,"startLine":1,"totalLines":80}}}`, w.file, id, s)
				e, err := hook.Decode(strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				out := w.Hook(t.Context(), e, nil)
				if len(out) == 0 {
					return s
				}
				var answer struct {
					Out struct {
						New struct {
							File struct {
								Content   string
								StartLine int
							}
						} `json:"updatedToolOutput"`
					} `json:"hookSpecificOutput"`
				}
				if err := json.Unmarshal(out, &answer); err != nil {
					t.Fatal(err)
				}
				f := answer.Out.New.File
				for i, l := range strings.Split(f.Content, "\n") { // each line that is left has its old number
					if strings.HasPrefix(l, "line ") && !strings.HasPrefix(l, fmt.Sprintf("line %d ", f.StartLine+i)) {
						t.Errorf("line %d is %q", f.StartLine+i, l)
					}
				}
				return f.Content
			}
			w.line(t, `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s1","message":{"role":"user","content":"find the slow test"}}`+"\n"+strings.TrimSpace(fmt.Sprintf(uses, "a1", "u", "t1")))
			if got := hookRead("t1", bare(read())); got != bare(read()) {
				t.Fatalf("the first reading became\n%s", got)
			}
			w.line(t, `{"type":"user","uuid":"r1","parentUuid":"a1","sourceToolAssistantUUID":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":`+quoted(t, or(tc.shown, read()))+`}]}}`+"\n"+tc.between+fmt.Sprintf(uses, "a9", tc.parent, "t9"))
			got := hookRead("t9", bare(read(40)))
			if folded := len(marker.Find(got)) > 0; folded == tc.whole {
				t.Errorf("folded = %v, want %v:\n%s", folded, !tc.whole, got)
			}
		})
	}
}
