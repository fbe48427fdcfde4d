package hook

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/internal/text"
)

// shape is where in a tool_response the editable values stand.
type shape struct {
	// texts are the strings that a model reads, in order.
	texts []str
	// lineNo is the JSON number of the first line, first its value (Read only).
	lineNo text.Span
	first  int
	// frame is what goes when a text is replaced: members with their comma.
	frame []text.Span
	// limit is the number of characters over which the host would frame the
	// replacement itself; 0 for none.
	limit int
}

// str is a JSON string: where it stands, quotes included, and what it says.
type str struct {
	at text.Span
	is string
}

// numbered reports whether the host numbers the lines.
func (s shape) numbered() bool { return s.lineNo.Len() > 0 }

// shape finds the editable values of e's result.
func (e *Event) shape() (shape, error) {
	if e.HookEventName != PostToolUse {
		return shape{}, fmt.Errorf("event %q: %w", e.HookEventName, ErrShape)
	}
	find := map[string]func([]byte) (shape, error){
		"Bash": bashShape, "Read": readShape, "Grep": grepShape, "WebFetch": webFetchShape,
	}[e.ToolName]
	if strings.HasPrefix(e.ToolName, "mcp__") {
		find = mcpShape
	}
	if find == nil {
		return shape{}, fmt.Errorf("tool %q: %w", e.ToolName, ErrShape)
	}
	s, err := find(e.ToolResponse)
	if err != nil {
		return shape{}, fmt.Errorf("%s result: %w", e.ToolName, err)
	}
	return s, nil
}

// replace returns the edits that put texts in, in ascending order.
func (s shape) replace(texts []*string) ([]text.Edit, error) {
	var edits []text.Edit
	for i, t := range texts {
		switch {
		case t == nil, *t == s.texts[i].is:
			continue // the received spelling stays, escapes and all
		case !utf8.ValidString(*t):
			return nil, fmt.Errorf("text %d is not UTF-8: %w", i, ErrShape)
		case s.limit > 0 && utf8.RuneCountInString(*t) > s.limit:
			return nil, fmt.Errorf("text %d is over %d characters: %w", i, s.limit, ErrShape)
		}
		edits = append(edits, text.Edit{Span: s.texts[i].at, Note: quote(*t)})
	}
	return edits, nil
}

// finish adds what follows from a replacement: a raised first line number, a
// frame that no longer holds.
func (s shape) finish(edits []text.Edit, startLine int) []text.Edit {
	if s.numbered() && startLine > s.first {
		edits = append(edits, text.Edit{Span: s.lineNo, Note: strconv.Itoa(startLine)})
	}
	for _, f := range s.frame {
		edits = append(edits, text.Edit{Span: f})
	}
	slices.SortFunc(edits, func(a, b text.Edit) int { return a.Span.Start - b.Span.Start })
	return edits
}

// pointer reports whether t is a host's note that stands for a saved file: its
// path must reach the model whole, so it is never a text to prune.
func pointer(t string) bool {
	t = strings.TrimSpace(t)
	return strings.HasPrefix(t, persistedOpen) ||
		strings.HasPrefix(t, "Error: result (") && strings.Contains(t, "Output has been saved to ")
}
