package door

import (
	"bytes"
	"encoding/json"
	"fmt"

	"winnow/internal/hook"
	"winnow/internal/marker"
	"winnow/internal/prune"
)

// preToolUse is the event before a call.
const preToolUse = "PreToolUse"

// refuse answers a call that is about to run: one whose arguments hold a live
// marker would write it where nobody can recall it. Empty: let it run.
func (d *Door) refuse(e *hook.Event) []byte {
	if d.Live == nil || mayCarry(e.ToolName) || prune.IsOwn(prune.Tool{Name: e.ToolName, Input: e.ToolInput}) {
		return nil
	}
	for _, k := range markers(e.ToolInput) {
		if !d.Live(k) {
			continue
		}
		d.Count("refused.marker", 1)
		d.Log.Info("call with a marker refused", "tool", e.ToolName, "call", e.ToolUseID, "key", k)
		return deny(fmt.Sprintf("the input holds a winnow marker (<<ccr:%s ...>>), which stands for hidden lines and must not go into a file or a command. "+
			"Recall the lines of key %q first, as the hint at the marker says, and use them in place of the marker; or read the lines again with offset and limit.", k, k))
	}
	return nil
}

// mayCarry names the tools whose input goes to a model, never to a file.
func mayCarry(tool string) bool { return tool == "Agent" || tool == "Task" || tool == "SendMessage" }

func deny(reason string) []byte {
	type output struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(map[string]output{"hookSpecificOutput": {preToolUse, "deny", reason}}) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// markers finds the keys of markers in a call's arguments.
func markers(input json.RawMessage) []marker.Key {
	if !bytes.Contains(input, []byte("ccr:")) {
		return nil
	}
	var v any
	if json.Unmarshal(input, &v) != nil {
		return nil
	}
	return markersIn(v)
}

func markersIn(v any) (out []marker.Key) {
	switch v := v.(type) {
	case string:
		return marker.Find(v)
	case []any:
		for _, e := range v {
			out = append(out, markersIn(e)...)
		}
	case map[string]any:
		for _, e := range v {
			out = append(out, markersIn(e)...)
		}
	}
	return out
}
