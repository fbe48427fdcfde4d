package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// entry is what is read of a line. Fields of an unexpected type stay empty.
type entry struct {
	Type              string     `json:"type"`
	SessionID         string     `json:"sessionId"`
	IsMeta            bool       `json:"isMeta"`
	IsSidechain       bool       `json:"isSidechain"`
	IsCompactSummary  bool       `json:"isCompactSummary"`
	IsTranscriptOnly  bool       `json:"isVisibleInTranscriptOnly"`
	IsAPIErrorMessage bool       `json:"isApiErrorMessage"`
	PromptSource      string     `json:"promptSource"`
	RowSource         string     `json:"rowSource"`
	Origin            origin     `json:"origin"`
	Message           message    `json:"message"`
	Attachment        attachment `json:"attachment"`
}

type origin struct {
	Kind string `json:"kind"`
}

type message struct {
	Role    string          `json:"role"`
	Model   string          `json:"model"`
	Content json.RawMessage `json:"content"`
}

type attachment struct {
	Type        string          `json:"type"`
	Prompt      json.RawMessage `json:"prompt"`
	CommandMode string          `json:"commandMode"`
	IsMeta      bool            `json:"isMeta"`
	Origin      origin          `json:"origin"`
}

type block struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	ToolUseID string          `json:"tool_use_id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	Content   json.RawMessage `json:"content"`
	IsError   bool            `json:"is_error"`
}

// worthDecoding reports whether a line can hold a request, a text or a call.
// Most bytes of a transcript are tool results and bookkeeping; looking for a
// few names in them is ten times faster than decoding them.
func worthDecoding(line []byte) bool {
	if hasPair(line, "type", "queued_command") || hasPair(line, "role", "assistant") {
		return true
	}
	return hasPair(line, "role", "user") &&
		(!hasPair(line, "type", "tool_result") || hasPair(line, "type", "text"))
}

// hasPair reports whether "key": "value" stands in the line, outside of strings
// (inside of them the quotes are escaped).
func hasPair(line []byte, key, value string) bool {
	value = `"` + value + `"`
	for rest := line; ; {
		i := bytes.Index(rest, []byte(value))
		if i < 0 {
			return false
		}
		before := bytes.TrimRight(rest[:i], " \t")
		if b, ok := bytes.CutSuffix(before, []byte(":")); ok &&
			bytes.HasSuffix(bytes.TrimRight(b, " \t"), []byte(`"`+key+`"`)) {
			return true
		}
		rest = rest[i+len(value):]
	}
}

// decode reads a line. A line that another writer broke into, or that follows
// a half-written one without a "\n", is read from the last entry that begins
// in it.
func decode(line []byte) (entry, bool) {
	var e entry
	if unmarshal(line, &e) {
		return e, e.Type != ""
	}
	if i := bytes.LastIndex(line, []byte(`{"parentUuid"`)); i > 0 {
		e = entry{}
		if unmarshal(line[i:], &e) {
			return e, e.Type != ""
		}
	}
	return entry{}, false
}

// unmarshal forgives fields of another type than expected: those stay empty.
func unmarshal(b []byte, v any) bool {
	err := json.Unmarshal(b, v)
	_, typed := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || typed
}

// stampOf finds the time of a line without decoding it; zero when there is none.
func stampOf(line []byte) time.Time {
	i := bytes.LastIndex(line, []byte(`"timestamp"`))
	if i < 0 {
		return time.Time{}
	}
	rest := bytes.TrimLeft(line[i+len(`"timestamp"`):], `: "`)
	end := bytes.IndexByte(rest, '"')
	if end < 0 || end > 40 {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, string(rest[:end]))
	if err != nil {
		return time.Time{}
	}
	return t
}

// asked returns the text of an entry that may be a request.
func (e *entry) asked() (string, bool) {
	switch {
	case e.IsMeta || e.IsCompactSummary || e.IsTranscriptOnly:
		return "", false
	case e.Type == "attachment":
		a := e.Attachment
		if a.Type != "queued_command" || a.IsMeta || a.CommandMode != "" && a.CommandMode != "prompt" || !human(a.Origin) {
			return "", false
		}
		return textOf(a.Prompt), true
	case e.Type != "user" || e.Message.Role != "user" || !human(e.Origin):
		return "", false
	case e.PromptSource == "" && (e.RowSource == "local" || e.RowSource == "harness"):
		// Requests carry promptSource in current clients; older ones and
		// subagents' files do not know it, so its absence alone says nothing.
		return "", false
	}
	return textOf(e.Message.Content), true
}

// human reports whether an origin's kind is somebody who can ask: a person or
// the loop's coordinator. Old clients give none.
func human(o origin) bool {
	return !strings.HasPrefix(o.Kind, "task-") && o.Kind != "command" && o.Kind != "tool"
}

// said returns the text of an assistant's entry, without what the client put
// into its mouth.
func (e *entry) said() string {
	if e.Type != "assistant" || e.IsAPIErrorMessage || e.Message.Model == "<synthetic>" {
		return ""
	}
	return strings.TrimSpace(textOf(e.Message.Content))
}

// uses returns the tool_use blocks of an assistant's entry.
func (e *entry) uses() []block {
	if e.Type != "assistant" {
		return nil
	}
	return slices.DeleteFunc(blocks(e.Message.Content), func(b block) bool { return b.Type != "tool_use" || b.ID == "" })
}

// textOf joins the texts of a content, which is a string or blocks.
func textOf(content json.RawMessage) string {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return s
	}
	var parts []string
	for _, b := range blocks(content) {
		// A block that is only inserted must not lend its place to the text.
		if b.Type == "text" && strings.TrimSpace(withoutInserted(b.Text)) != "" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func blocks(content json.RawMessage) []block {
	var bs []block
	if !unmarshal(content, &bs) {
		return nil
	}
	return bs
}
