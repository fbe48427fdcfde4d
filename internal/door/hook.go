package door

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"winnow/internal/hook"
	"winnow/internal/prune"
	"winnow/internal/transcript"
)

// lag is how long a transcript may lag behind its hook (0.5 to 75 ms were seen).
const lag = 100 * time.Millisecond

// Hints that tell an agent without the mod's tool how to recall.
const (
	CommandHint = "[hidden by winnow; the output itself is intact: the command `winnow recall KEY` prints these lines]"
	ToolHint    = "[hidden by winnow; the output itself is intact: mcp__winnow__winnow_recall with this key gives these lines back]"
)

// foldHint is the command's for lines that are not repeated.
const foldHint = "[not repeated; `winnow recall KEY` gives them]"

// Hook answers one hook payload; an empty answer leaves the result alone. task,
// when set, stands for the one in the transcript.
func (d *Door) Hook(ctx context.Context, e *hook.Event, task *prune.Task) []byte {
	cur := d.Now()
	began := time.Now()
	switch {
	case d.mods.serves(e.SessionID, began):
		d.Count("reason."+string(OtherDoor), 1)
		return nil
	case e.HookEventName != hook.PostToolUse:
		return nil
	}
	if out := d.warn(e); out != nil {
		return out
	}
	if cur.Mode == Off || cur.Pruner == nil {
		return nil
	}
	leaves, err := e.Leaves()
	if err != nil {
		it := hookItem(e).turn(began)
		d.pass(cur, &it, Shape)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, Budget)
	defer cancel()
	base := d.hookBase(ctx, cur, e, leaves, task)
	texts := make([]*string, len(leaves))
	start, changed := 0, false
	for i, leaf := range leaves {
		if i > 0 { // the first text bears what all texts took
			began = time.Now()
		}
		it := base.turn(began)
		if why := d.fillLeaf(&it, e, leaf); why != prune.Pruned {
			d.pass(cur, &it, why)
			continue
		}
		if res, ok := d.run(ctx, cur, it); ok {
			texts[i], start, changed = &res.Text, res.StartLine, true
		}
	}
	if !changed {
		return nil
	}
	return d.answer(e, texts, start)
}

func (d *Door) answer(e *hook.Event, texts []*string, start int) []byte {
	updated, err := e.Rewrite(texts, start)
	if err == nil {
		var out []byte
		if out, err = hook.Answer(e, updated); err == nil {
			return out
		}
	}
	d.Count("reason."+string(Shape), 1)
	d.Log.Error("answer not built", "tool", e.ToolName, "err", err)
	return nil
}

// hookItem is what the payload alone says.
func hookItem(e *hook.Event) item {
	loop := e.AgentID
	if loop == "" {
		loop = Main
	}
	it := item{face: hookFace, session: e.SessionID, loop: loop, project: e.Cwd, id: e.ToolUseID}
	it.in = prune.Input{
		Tool:      prune.Tool{Name: e.ToolName, Input: e.ToolInput},
		Args:      transcript.CallOf(e.ToolUseID, e.ToolName, e.ToolInput).Args,
		CanRecall: true, // until it is known
		Hint:      CommandHint,
	}
	return it
}

func (d *Door) hookBase(ctx context.Context, cur Current, e *hook.Event, leaves []hook.Leaf, task *prune.Task) item {
	it := hookItem(e)
	if task != nil {
		it.in.Task = *task
	} else if !worthReading(cur.Pruner, it.in, textsOf(leaves)) && !d.worthLooking(cur, leaves) {
		return it
	}
	if d.Hint != nil {
		it.in.Hint = d.Hint(e)
		it.in.CanRecall = it.in.Hint != ""
	}
	if it.in.Hint == CommandHint {
		it.in.FoldHint = foldHint
	}
	if task != nil || !it.in.CanRecall && cur.For(it.in.Tool) == Active {
		return it
	}
	o := transcript.Options{AgentID: e.AgentID, ToolUseID: e.ToolUseID, Session: e.SessionID}
	transcript.Wait(ctx, e.TranscriptPath, o, lag)
	st, err := transcript.Read(ctx, e.TranscriptPath, o)
	if err != nil {
		d.Log.Warn("transcript not read", "err", err)
		return it
	}
	it.in.Task = st.Task
	it.in.Calls = d.calls(it.session, it.loop, st.Calls)
	it.told, it.standing = true, inFile(e.TranscriptPath, o)
	return it
}

// worthLooking reports whether a text is long enough to look for what of it the
// loop was shown before.
func (d *Door) worthLooking(cur Current, leaves []hook.Leaf) bool {
	return d.Seen != nil && cur.looks() && slices.ContainsFunc(leaves, func(l hook.Leaf) bool { return utf8.RuneCountInString(l.Text) >= seenLeast })
}

func textsOf(leaves []hook.Leaf) []string {
	texts := make([]string, len(leaves))
	for i := range leaves {
		texts[i] = leaves[i].Text
	}
	return texts
}

// fillLeaf puts the leaf's text in. A Bash result that the host saved is
// replaced by its file; where that cannot be read for an innocent reason, by
// the beginning that the payload holds.
func (d *Door) fillLeaf(it *item, e *hook.Event, leaf hook.Leaf) prune.Reason {
	it.in.Text, it.shown = leaf.Text, utf8.RuneCountInString(leaf.Text)
	it.in.Renumbered, it.in.StartLine = leaf.Renumbered, leaf.StartLine
	path, size, ok := e.Saved()
	if !ok {
		return prune.Pruned
	}
	full, partial, err := hook.SavedFile(path, e.SessionID, e.TranscriptPath, os.Getuid())
	if errors.Is(err, hook.ErrNotOurs) {
		d.Log.Warn("saved output not read", "err", err)
		return SavedUnreadable
	}
	if err != nil {
		full, partial = leaf.Text, true
	}
	it.in.Text, it.shown = full, previewChars
	it.in.Saved = &prune.Saved{Path: path, Size: max(size, int64(len(full))), Partial: partial, Preview: previewChars}
	return prune.Pruned
}

// previewChars is what the host shows of a saved output: its first 2 KB.
const previewChars = 2048
