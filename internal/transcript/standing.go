package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"
)

// standLimit bounds how much of a file's end is searched for earlier results.
const standLimit = 16 << 20

// link is what ties an entry to those before it.
type link struct {
	Type             string `json:"type"`
	Subtype          string `json:"subtype"`
	UUID             string `json:"uuid"`
	Parent           string `json:"parentUuid"`
	Call             string `json:"sourceToolAssistantUUID"`
	IsCompactSummary bool   `json:"isCompactSummary"`
	Message          struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// clearedRE finds in an assistant's entry that old results were taken out of the
// request: at the API, or by the client. Inside a string its quotes would be escaped.
var clearedRE = regexp.MustCompile(`[{,]\s*"(?:cleared_tool_uses|client_cut_tool_uses)"\s*:\s*(?:[1-9]|\[\s*[^\]\s])`)

// cleared reports whether a line says so: an assistant's entry, or the client's own
// record of what it cut or withdrew, or a summary that the API made by itself.
func cleared(line []byte) bool {
	says := func(word string) bool { return bytes.Contains(line, []byte(word)) }
	switch { // most lines hold none of these words, and are long
	case says(`_tool_uses"`) && hasPair(line, "type", "assistant") && clearedRE.Match(line):
		return true
	case says(`"tool_results_cut"`) && hasPair(line, "type", "tool_results_cut"), says(`"whole_texts_withdrawn"`) && hasPair(line, "type", "whole_texts_withdrawn"):
		return hasPair(line, "type", "attachment")
	}
	return says(`"compaction"`) && hasPair(line, "type", "compaction") && hasPair(line, "type", "assistant")
}

// Holds reports whether a call's result, as the transcript has it, is what
// somebody takes it for: another hook may have replaced it, and the client may
// have stored it elsewhere and shown the beginning. nil: it is.
type Holds func(id, text string) bool

// Standing returns which results of the calls want still stand in the context of
// the call o.ToolUseID: those on its own branch, after the last compaction and
// the last clearing of old results, of which holds says yes. What is not found,
// for whatever reason, does not stand.
func Standing(ctx context.Context, path string, o Options, want []string, holds Holds) (map[string]bool, error) {
	f, size, err := open(path, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit, budget, now := o.Limit, o.Budget, o.Now
	if limit <= 0 {
		limit = standLimit
	}
	if budget <= 0 {
		budget = 100 * time.Millisecond
	}
	if now == nil {
		now = time.Now
	}
	began := now()
	s := branch{present: o.ToolUseID, results: map[string][]string{}, want: map[string]bool{}, stands: map[string]bool{}, holds: holds}
	for _, id := range want {
		s.want[id] = true
	}
	b := backwards{r: f, pos: size, left: limit}
	for len(s.stands) < len(s.want) {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("read transcript: %w", err)
		}
		line, err := b.next()
		if err != nil || now().Sub(began) > budget {
			break // the end, the limits, or a file that cannot be read on
		}
		if !s.line(bytes.Trim(line, " \t\r\x00")) {
			break
		}
	}
	return s.stands, nil
}

// branch follows the present call's branch backwards.
type branch struct {
	present string
	// next is the entry that the branch goes on with; "" until the call is found.
	next string
	// results are the calls answered by results whose own call's entry has not come yet.
	results      map[string][]string
	want, stands map[string]bool
	holds        Holds
}

// line looks at the next older line and reports whether to go on.
func (b *branch) line(line []byte) bool {
	if !bytes.Contains(line, []byte(`"uuid"`)) {
		return true
	}
	if cleared(line) {
		return false // on whatever branch: in doubt it is gone
	}
	var e link
	if !unmarshal(line, &e) || e.UUID == "" {
		return true
	}
	if e.Type == "system" && e.Subtype == "compact_boundary" || e.IsCompactSummary {
		return false
	}
	b.weigh(line)
	for _, u := range blocks(e.Message.Content) {
		switch {
		case e.Type == "assistant" && u.Type == "tool_use" && u.ID == b.present && b.next == "":
			b.next = e.UUID
		case e.Type == "user" && u.Type == "tool_result":
			from := e.Call
			if from == "" {
				from = e.Parent
			}
			b.results[from] = append(b.results[from], u.ToolUseID)
		}
	}
	if b.next != e.UUID {
		return true
	}
	for _, id := range b.results[e.UUID] {
		if b.want[id] && slices.ContainsFunc(blocks(e.Message.Content), func(u block) bool { return u.ID == id }) {
			b.stands[id] = true
		}
	}
	b.next = e.Parent
	return e.Parent != ""
}

// weigh takes results off the wanted that do not hold what they are taken for.
func (b *branch) weigh(line []byte) {
	if b.holds == nil || !names(line, func(id string) bool { return b.want[id] }) {
		return
	}
	for _, r := range resultsOf(line) {
		if b.want[r.ToolUseID] && !b.holds(r.ToolUseID, r.Text) {
			delete(b.want, r.ToolUseID)
		}
	}
}

// Uncleared returns which results of the calls want are in the loop's file, hold
// what they are taken for, and came after the last clearing of old results. The
// present call's own entry must be there: the file is written behind its hooks,
// and the entry that is missing might say that they were cleared. The branch is
// for the caller to know.
func Uncleared(ctx context.Context, path string, o Options, want []string, holds Holds) (map[string]bool, error) {
	f, size, err := open(path, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := backwards{r: f, pos: size, left: standLimit}
	open := make(map[string]bool, len(want))
	for _, id := range want {
		open[id] = true
	}
	stands, present := map[string]bool{}, false
	for len(open) > 0 || !present {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("read transcript: %w", err)
		}
		line, err := b.next()
		if err != nil || cleared(line) {
			break
		}
		// What was cleared is said at a message's end; an entry from before is not enough.
		present = present || calls(line, o.ToolUseID) && !bytes.Contains(line, []byte(`"stop_reason":null`))
		if !names(line, func(id string) bool { return open[id] }) {
			continue
		}
		for _, r := range resultsOf(line) {
			if open[r.ToolUseID] && (holds == nil || holds(r.ToolUseID, r.Text)) {
				stands[r.ToolUseID] = true
			}
			delete(open, r.ToolUseID)
		}
	}
	if !present {
		return nil, nil
	}
	return stands, nil
}

// calls reports whether a line is the assistant's entry of the call id.
func calls(line []byte, id string) bool {
	if !bytes.Contains(line, []byte(id)) || !hasPair(line, "type", "tool_use") {
		return false
	}
	e, ok := decode(line)
	return ok && slices.ContainsFunc(e.uses(), func(u block) bool { return u.ID == id })
}
