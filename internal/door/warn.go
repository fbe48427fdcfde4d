package door

import (
	"bytes"
	"encoding/json"
	"fmt"

	"winnow/internal/hook"
	"winnow/internal/marker"
	"winnow/internal/prune"
)

// warn looks at the call behind a result: one whose arguments held a live marker
// wrote it where nobody can recall it. The hook door says so to the model and
// leaves the result alone. To stop such a call it would have to be asked before
// each, and its outage could then stop work (public reports B056, B196).
func (d *Door) warn(e *hook.Event) []byte {
	if d.Live == nil || mayCarry(e.ToolName) || prune.IsOwn(prune.Tool{Name: e.ToolName, Input: e.ToolInput}) {
		return nil
	}
	for _, k := range markers(e.ToolInput) {
		if !d.Live(k) {
			continue
		}
		d.Count("marker.carried", 1)
		d.Log.Info("a call carried a marker", "tool", e.ToolName, "call", e.ToolUseID, "key", k)
		return tell(fmt.Sprintf("winnow: the input of this %s call held a marker (<<ccr:%s ...>>). It stands for hidden lines and means nothing outside of this conversation: "+
			"where it went there is now a placeholder in place of them. Recall the lines of key %s as the hint at the marker says, or read them again with offset and limit, and put them there.",
			e.ToolName, k, k))
	}
	return nil
}

// mayCarry names the tools whose input goes to a model, never to a file.
func mayCarry(tool string) bool { return tool == "Agent" || tool == "Task" || tool == "SendMessage" }

// tell is a hook output that leaves the result alone and tells the model something.
func tell(text string) []byte {
	type output struct {
		Event string `json:"hookEventName"`
		Text  string `json:"additionalContext"`
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(map[string]output{"hookSpecificOutput": {hook.PostToolUse, text}}) != nil {
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
