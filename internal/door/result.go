package door

import (
	"context"
	"os"
	"time"
	"unicode/utf8"

	"winnow/internal/api"
	"winnow/internal/hook"
	"winnow/internal/prune"
	"winnow/internal/transcript"
)

// recallTool is the tool that the mod registers. What it gave counts as shown.
const recallTool = "mcp__winnow__recall"

// Result answers the mod: each text of the result, or nil to leave it alone.
func (d *Door) Result(ctx context.Context, req *api.ResultRequest) api.ResultReply {
	cur := d.Now()
	d.Greet(req.Session, time.Now())
	reply := api.ResultReply{Mode: cur.Told()}
	if cur.Mode == Off || cur.Pruner == nil {
		return reply
	}
	reply.Seen, reply.Second = d.Seen != nil && cur.looks(), d.asks(cur)
	ctx, cancel := context.WithTimeout(ctx, Budget)
	defer cancel()
	began := time.Now()
	d.retract(cur, req.Session, req.Loop, req.ToolUseID)
	base := d.base(ctx, cur.Pruner, req)
	reply.Texts = make([]*string, len(req.Texts))
	if req.Tool == recallTool {
		d.note(ctx, cur, base, req.Texts)
		return reply
	}
	for i, text := range req.Texts {
		if i > 0 { // the first text bears what all texts took
			began = time.Now()
		}
		it := base.turn(began)
		if why := d.fill(&it, text, req.Transcript); why != prune.Pruned {
			d.pass(cur, &it, why)
			continue
		}
		on, wait := d.meetSecond(ctx, cur, &it, req, i)
		if wait != nil {
			reply.Questions = append(reply.Questions, *wait)
			continue
		}
		res, ok := d.run(on, cur, it)
		if !ok {
			continue
		}
		reply.Texts[i] = &res.Text
		for _, k := range keys(hiddenOf(res)) {
			reply.Keys = append(reply.Keys, string(k))
		}
	}
	return reply
}

// base builds what all texts of the result share. Small and foreign results
// never cost a look at the transcript.
func (d *Door) base(ctx context.Context, p *prune.Pruner, req *api.ResultRequest) item {
	it := item{face: modFace, session: req.Session, loop: req.Loop, project: req.Cwd, id: req.ToolUseID}
	it.in = prune.Input{
		Task:      transcript.TaskFrom(req.Rows, req.Assistant),
		Tool:      prune.Tool{Name: req.Tool, Input: req.Input},
		Args:      req.Args,
		Failed:    req.Failed,
		Calls:     d.calls(req.Session, req.Loop, req.Calls),
		CanRecall: d.Store != nil && d.Store.Offered(req.Session, req.Loop),
	}
	it.told = true
	it.rows = map[string]bool{}
	for _, id := range req.Standing {
		it.rows[id] = true
	}
	if req.Transcript != "" {
		it.standing = uncleared(req.Transcript, transcript.Options{AgentID: agentID(req.Loop), ToolUseID: req.ToolUseID, Session: req.Session})
	} else {
		it.rows = map[string]bool{} // nobody can say what was cleared
	}
	if it.in.Task.Request == "" && req.Transcript != "" && worthReading(p, it.in, req.Texts) {
		st, err := transcript.Read(ctx, req.Transcript, transcript.Options{AgentID: agentID(req.Loop), ToolUseID: req.ToolUseID, Session: req.Session})
		if err == nil && st.Found {
			it.in.Task = st.Task
		}
	}
	return it
}

// worthReading reports whether any text would be stopped by nothing but the
// missing task.
func worthReading(p *prune.Pruner, in prune.Input, texts []string) bool {
	for _, t := range texts {
		in.Text = t
		if p.Gate(in) == prune.NoTask {
			return true
		}
	}
	return false
}

// Main is the loop of the session itself; any other loop is a subagent's id.
const Main = "main"

func agentID(loop string) string {
	if loop == Main {
		return ""
	}
	return loop
}

// fill puts the text in, or the saved output that it points to, or says why it
// must stay as it is.
func (d *Door) fill(it *item, text, transcript string) prune.Reason {
	it.in.Text, it.shown = text, utf8.RuneCountInString(text)
	path, ok := hook.Persisted(text)
	if !ok {
		return prune.Pruned
	}
	if it.in.Tool.Name != "Bash" {
		return Persisted
	}
	full, partial, err := hook.SavedFile(path, it.session, transcript, os.Getuid())
	if err != nil {
		d.Log.Warn("saved output not read", "err", err)
		return SavedUnreadable
	}
	it.in.Text = full
	it.in.Saved = &prune.Saved{Path: path, Size: int64(len(full)), Partial: partial, Preview: it.shown}
	return prune.Pruned
}
