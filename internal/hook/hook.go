// Package hook is Claude Code's hook JSON: it reads the payload of a
// PostToolUse hook, hands out the texts in it that a model would read, and
// writes the same tool_response with other texts in their places.
//
// A wrong shape costs the user the answer (the client drops it without a word),
// so whatever is not exactly a known shape is [ErrShape] and stays as it is.
// Nothing is ever re-marshalled: an answer is the received bytes with single
// values replaced, so key order, spacing and numbers stay as they came.
//
// The package decides nothing about what is hidden and knows no daemon.
package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"winnow/internal/text"
)

// MaxBody bounds a payload. The client caps what a tool may return far below
// it; an Edit or Write carries whole files beside its result.
const MaxBody = 32 << 20

var (
	// ErrBody reports a payload that cannot be given back byte for byte: not
	// JSON, not UTF-8, half a surrogate pair, a key given twice, or too large.
	ErrBody = errors.New("not a hook payload")
	// ErrShape reports a result that is not text in a known shape: leave it alone.
	ErrShape = errors.New("no text to rewrite in this shape")
)

// PostToolUse is the one event that takes a replacement.
const PostToolUse = "PostToolUse"

// Event is one hook payload. Fields it does not name are of no use here.
type Event struct {
	SessionID      string
	TranscriptPath string
	Cwd            string
	HookEventName  string
	ToolName       string
	ToolUseID      string
	// AgentID names the subagent; TranscriptPath is the parent's file even then.
	AgentID        string
	AgentType      string
	PermissionMode string
	ToolInput      json.RawMessage
	// ToolResponse is the tool's result exactly as received.
	ToolResponse json.RawMessage
}

// Decode reads one payload. Every error is an [ErrBody] or r's own.
func Decode(r io.Reader) (*Event, error) {
	body, err := io.ReadAll(io.LimitReader(r, MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("read hook payload: %w", err)
	}
	switch {
	case len(body) > MaxBody:
		return nil, fmt.Errorf("over %d bytes: %w", MaxBody, ErrBody)
	case !utf8.Valid(body):
		return nil, fmt.Errorf("not UTF-8: %w", ErrBody)
	case !json.Valid(body):
		return nil, fmt.Errorf("not JSON: %w", ErrBody)
	case loneSurrogate(body):
		return nil, fmt.Errorf("half a surrogate pair: %w", ErrBody)
	}
	ms, err := members(body)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", err, ErrBody)
	}
	return event(body, ms)
}

// event takes the known fields out of a payload's members. Names are compared
// exactly, as the client does; encoding/json would also take "CWD" for cwd.
func event(body []byte, ms []member) (*Event, error) {
	e := &Event{}
	strs := map[string]*string{
		"session_id": &e.SessionID, "transcript_path": &e.TranscriptPath, "cwd": &e.Cwd,
		"hook_event_name": &e.HookEventName, "tool_name": &e.ToolName, "tool_use_id": &e.ToolUseID,
		"agent_id": &e.AgentID, "agent_type": &e.AgentType, "permission_mode": &e.PermissionMode,
	}
	for _, m := range ms {
		v := body[m.val.Start:m.val.End]
		switch p := strs[m.key]; {
		case p != nil:
			if err := json.Unmarshal(v, p); err != nil {
				return nil, fmt.Errorf("%s is no string: %w", m.key, ErrBody)
			}
		case m.key == "tool_input":
			e.ToolInput = v
		case m.key == "tool_response":
			e.ToolResponse = v
		}
	}
	return e, nil
}

// Leaf is one text of a result.
type Leaf struct {
	Text string
	// Renumbered says that the host numbers the text's lines itself, from
	// StartLine on: what is hidden must not shift the numbers (Read).
	Renumbered bool
	StartLine  int
}

// Leaves returns the result's texts in order, to be pruned one by one. The
// error is an [ErrShape] for every event but PostToolUse and for every result
// that is not text in a known shape.
func (e *Event) Leaves() ([]Leaf, error) {
	s, err := e.shape()
	if err != nil {
		return nil, err
	}
	leaves := make([]Leaf, len(s.texts))
	for i, t := range s.texts {
		leaves[i] = Leaf{Text: t.is, Renumbered: s.numbered(), StartLine: s.first}
	}
	return leaves, nil
}

// Rewrite returns the tool_response with the leaves replaced by texts, one for
// each of [Event.Leaves]; nil leaves one unchanged. Every byte that is not part
// of a replaced value is as received. With nothing changed it is the received
// bytes.
//
// startLine counts only for a Read whose text is replaced: greater than the
// result's own it is written there; it never goes down. A Bash result that the
// host saved to a file loses the two fields that name the file, or the model
// would see the replacement inside the host's "output too large" frame.
func (e *Event) Rewrite(texts []*string, startLine int) (json.RawMessage, error) {
	s, err := e.shape()
	if err != nil {
		return nil, err
	}
	if len(texts) != len(s.texts) {
		return nil, fmt.Errorf("rewrite %s with %d texts for %d: %w", e.ToolName, len(texts), len(s.texts), ErrShape)
	}
	edits, err := s.replace(texts)
	if err != nil {
		return nil, fmt.Errorf("rewrite %s: %w", e.ToolName, err)
	}
	if len(edits) == 0 {
		return e.ToolResponse, nil
	}
	out, err := text.Apply(text.Doc{Src: string(e.ToolResponse)}, s.finish(edits, startLine))
	return json.RawMessage(out), err
}

// Answer wraps a rewritten tool_response as the hook's output. It is empty,
// which means "leave it alone", when updated is nothing new.
func Answer(e *Event, updated json.RawMessage) ([]byte, error) {
	if len(updated) == 0 || bytes.Equal(updated, e.ToolResponse) {
		return nil, nil
	}
	if e.HookEventName != PostToolUse {
		return nil, fmt.Errorf("answer %s: %w", e.HookEventName, ErrShape)
	}
	// Built by hand: json.Marshal would compact the raw value.
	out := []byte(`{"hookSpecificOutput":{"hookEventName":"` + PostToolUse + `","updatedToolOutput":`)
	return append(append(out, updated...), "}}"...), nil
}
