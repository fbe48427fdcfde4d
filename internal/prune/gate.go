package prune

import (
	"path"
	"strings"

	"winnow/internal/text"
)

// Gate is the part of the gate that needs no look into the text, cheapest
// questions first; a door may ask it before any other work. [Pruned] means
// that nothing speaks against pruning so far, [NoTask] that only the task is
// missing: what needs the session's history is asked after it.
func (p *Pruner) Gate(in Input) Reason {
	if in.Failed {
		return FailedTool
	}
	if ownTool(in.Tool.Name) {
		return Own
	}
	kind := kindOf(in.Tool.Name)
	if kind == otherTool || !p.chosen(in.Tool.Name, kind) {
		return OtherTool
	}
	if in.Saved == nil && small(in.Text, p.o.MinChars) {
		return Small
	}
	if !in.CanRecall {
		return NoRecall
	}
	return p.gateCall(&in, kind, readArgs(in.Tool.Input))
}

// gateCall asks what the call itself and the session say.
func (p *Pruner) gateCall(in *Input, kind toolKind, a *args) Reason {
	switch {
	case kind == shellTool && ownCommand(a.command), p.namesState(kind, a):
		return Own
	case p.excluded(kind, a):
		return Excluded
	case kind == readTool && a.aimed:
		return Aimed
	case p.scorer == nil:
		return NotReady
	case strings.TrimSpace(in.Task.Request) == "":
		return NoTask
	case kind == readTool && edited(in.Calls, a.path):
		return EditedFile
	case repeated(in, a.path):
		return Repeat
	case kind == readTool && asksForWhole(in.Task.Request, a.path):
		return Whole
	}
	return Pruned
}

// gateText asks what the text says.
func (p *Pruner) gateText(in *Input, v *view) Reason {
	switch {
	case binary(in.Text, in.Saved != nil && in.Saved.Partial):
		return Binary
	case p.marked(in.Text):
		return Marked
	case isJSON(v):
		return JSON
	}
	return Pruned
}

// small reports whether s has fewer than n characters. Most texts are small,
// and a text has at most as many characters as bytes.
func small(s string, n int) bool { return len(s) < n || len(s) < 4*n && text.Chars(s) < n }

// edited reports whether the loop changed the file since its request: the
// agent is working on it and compares what it reads with what it wrote.
func edited(calls []Call, file string) bool {
	for _, c := range calls {
		if c.SinceRequest && edits(c.Tool) && samePath(c.Path, file) {
			return true
		}
	}
	return false
}

// repeatWindow is how many calls back a repeated call is looked for.
const repeatWindow = 10

// repeated reports whether the same call was cut a few calls ago and its file
// was not changed since: the agent came back because it wants the whole.
func repeated(in *Input, file string) bool {
	calls := in.Calls[max(0, len(in.Calls)-repeatWindow):]
	mine := in.Args
	for i := len(calls) - 1; i >= 0; i-- {
		c := calls[i]
		if file != "" && edits(c.Tool) && samePath(c.Path, file) {
			return false
		}
		if !c.Cut || c.Tool != in.Tool.Name {
			continue
		}
		if mine == "" {
			mine = Args(in.Tool.Input)
		}
		if c.Args == mine || Args([]byte(c.Args)) == mine {
			return true
		}
	}
	return false
}

func edits(tool string) bool {
	switch tool {
	case "Edit", "Write", "NotebookEdit", "MultiEdit", "edit", "write", "apply_patch": // the last are other agents'
		return true
	}
	return false
}

// samePath compares two ways to name a file; one of them may be relative.
func samePath(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	a, b = path.Clean(a), path.Clean(b)
	if a == b {
		return true
	}
	if path.IsAbs(a) && path.IsAbs(b) {
		return false
	}
	return strings.HasSuffix(a, "/"+b) || strings.HasSuffix(b, "/"+a)
}
