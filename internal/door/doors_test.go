package door

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"winnow/internal/api"
	"winnow/internal/hook"
	"winnow/internal/marker"
	"winnow/internal/prune"
)

// payload is a Bash result of 200 rows at the hook door.
func payload(t *testing.T, session, agent, id string, text string) *hook.Event {
	t.Helper()
	response, err := json.Marshal(map[string]any{"stdout": text, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false})
	if err != nil {
		t.Fatal(err)
	}
	return &hook.Event{SessionID: session, AgentID: agent, HookEventName: "PostToolUse", ToolName: "Bash", ToolUseID: id,
		ToolInput: json.RawMessage(`{"command":"ls"}`), ToolResponse: response}
}

func row(session, loop, id, text string) *api.ResultRequest {
	return &api.ResultRequest{Session: session, Loop: loop, ToolUseID: id, Tool: "Bash", Input: json.RawMessage(`{"command":"ls"}`),
		Rows: []api.Row{{Text: "count the rows", Door: "prompt"}}, Texts: []string{text}}
}

func stdout(t *testing.T, out []byte) string {
	t.Helper()
	var answer struct {
		HookSpecificOutput struct{ UpdatedToolOutput struct{ Stdout string } }
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("answer %.100q: %v", out, err)
	}
	return answer.HookSpecificOutput.UpdatedToolOutput.Stdout
}

// One result is answered once, whichever door hears of it first, in the main
// loop and in subagents.
func TestOneDoor(t *testing.T) {
	task := &prune.Task{Request: "count the rows"}
	long := strings.Repeat("a row that nobody needs\n", 200)
	for _, loop := range []string{Main, "a1b2"} {
		agent := agentID(loop)
		t.Run("mod first, "+loop, func(t *testing.T) {
			d, store, counts := newDoor(t)
			store.Offer("s", loop)
			d.Early(t.Context(), row("s", loop, "t1", long))
			if out := d.Hook(t.Context(), payload(t, "s", agent, "t1", long), task); out != nil {
				t.Errorf("the hook door answered: %.100s", out)
			}
			if r := d.Result(t.Context(), row("s", loop, "t1", long)); r.Texts[0] == nil {
				t.Error("the mod's door did not answer")
			}
			if c := counts.Snapshot(); c["reason.other-door"] != 1 || c["results"] != 1 {
				t.Errorf("counts = %v, want one pass and one result", c)
			}
		})
		t.Run("hook first, "+loop, func(t *testing.T) {
			d, store, counts := newDoor(t)
			store.Offer("s", loop)
			out := d.Hook(t.Context(), payload(t, "s", agent, "t1", long), task)
			if out == nil {
				t.Fatal("the hook door did not answer")
			}
			// The row holds what the hook made of it.
			if r := d.Result(t.Context(), row("s", loop, "t1", stdout(t, out)+long)); r.Texts[0] != nil {
				t.Errorf("the mod's door cut it again: %.300s", *r.Texts[0])
			}
			// From now on the session is the mod's.
			if out := d.Hook(t.Context(), payload(t, "s", agent, "t2", long), task); out != nil {
				t.Errorf("the hook door answered: %.100s", out)
			}
			if c := counts.Snapshot(); c["reason.marked"] != 1 || c["reason.other-door"] != 1 {
				t.Errorf("counts = %v, want one marked and one pass", c)
			}
		})
	}
	t.Run("another session", func(t *testing.T) {
		d, _, _ := newDoor(t)
		d.Greet("s", time.Now())
		d.Greet("", time.Now())
		for _, session := range []string{"other", ""} {
			if out := d.Hook(t.Context(), payload(t, session, "", "t1", long), task); out == nil {
				t.Errorf("session %q was passed over", session)
			}
		}
	})
	t.Run("long silent", func(t *testing.T) {
		d, _, _ := newDoor(t)
		d.Greet("s", time.Now().Add(-modFor))
		if out := d.Hook(t.Context(), payload(t, "s", "", "t1", long), task); out == nil {
			t.Error("passed over")
		}
	})
}

func TestModsAreBounded(t *testing.T) {
	var m mods
	at := time.Now()
	for i := range maxMods + 10 {
		m.heard(strings.Repeat("x", i+1), at.Add(time.Duration(i)))
	}
	if len(m.last) != maxMods || m.serves("x", at) || !m.serves(strings.Repeat("x", maxMods+10), at) {
		t.Errorf("%d sessions; the first %v, the last %v", len(m.last), m.serves("x", at), m.serves(strings.Repeat("x", maxMods+10), at))
	}
}

// Without a way to recall nothing is hidden; the hint names the way that there is.
func TestHint(t *testing.T) {
	long := strings.Repeat("a row that nobody needs\n", 200)
	d, _, counts := newDoor(t)
	hint := ""
	d.Hint = func(e *hook.Event) string { return hint }
	task := &prune.Task{Request: "count the rows"}
	if out := d.Hook(t.Context(), payload(t, "s", "", "t1", long), task); out != nil {
		t.Errorf("hidden: %.200s", out)
	}
	if c := counts.Snapshot(); c["reason.no-recall"] != 1 {
		t.Errorf("counts = %v, want no-recall", c)
	}
	hint = ToolHint
	if out := d.Hook(t.Context(), payload(t, "s", "", "t2", long), task); !strings.Contains(stdout(t, out), ToolHint) {
		t.Errorf("no hint in %.300s", out)
	}
}

// A call that carried a marker away is told of, unless it may; its result stays.
func TestWarn(t *testing.T) {
	live := marker.KeyOf("hidden")
	tag, dead := marker.Tag(live, 9), marker.Tag(marker.KeyOf("other"), 9)
	for _, c := range []struct {
		name, tool string
		input      any
		warned     bool
	}{
		{"write", "Write", map[string]any{"file_path": "a", "content": "x\n" + tag + "\ny"}, true},
		{"deep in an edit", "MultiEdit", map[string]any{"edits": []any{map[string]any{"new_string": tag}}}, true},
		{"shell", "Bash", map[string]any{"command": "echo '" + tag + "' > a"}, true},
		{"a key alone", "Bash", map[string]any{"command": "echo " + string(live)}, false},
		{"not live", "Write", map[string]any{"content": dead}, false},
		{"no marker", "Write", map[string]any{"content": "ccr: nothing"}, false},
		{"recall by the tool", "mcp__winnow__winnow_recall", map[string]any{"key": tag}, false},
		{"recall by the command", "Bash", map[string]any{"command": "winnow recall '" + tag + "'"}, false},
		{"to a subagent", "Agent", map[string]any{"prompt": tag}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _, _ := newDoor(t)
			d.Live = func(k marker.Key) bool { return k == live }
			input, err := json.Marshal(c.input)
			if err != nil {
				t.Fatal(err)
			}
			e := payload(t, "s", "", "t1", "done")
			e.ToolName, e.ToolInput = c.tool, input
			out := d.Hook(t.Context(), e, nil)
			var answer struct {
				HookSpecificOutput struct {
					HookEventName, AdditionalContext string
					UpdatedToolOutput                json.RawMessage
				}
			}
			if len(out) > 0 {
				if err := json.Unmarshal(out, &answer); err != nil {
					t.Fatal(err)
				}
			}
			got := answer.HookSpecificOutput
			if said := strings.Contains(got.AdditionalContext, string(live)); said != c.warned || len(got.AdditionalContext) > 600 || got.UpdatedToolOutput != nil {
				t.Errorf("answer = %s, want warned %v", out, c.warned)
			}
			e.HookEventName = "PreToolUse"
			if out := d.Hook(t.Context(), e, nil); out != nil {
				t.Errorf("answered before the call: %s", out)
			}
			e.HookEventName = "PostToolUse"
			d.Greet("s", time.Now())
			if out := d.Hook(t.Context(), e, nil); out != nil {
				t.Errorf("answered where the mod does: %s", out)
			}
		})
	}
}
