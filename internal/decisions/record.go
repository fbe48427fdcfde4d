package decisions

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"winnow/internal/prune"
)

// record makes the line of an entry; words says whether the task's text goes in.
func record(e Entry, words bool) Record {
	r := e.Record
	r.Time = r.Time.UTC().Truncate(time.Millisecond)
	for _, k := range e.Keys {
		r.Keys = append(r.Keys, string(k))
	}
	if e.Event != Result {
		return r
	}
	if e.Judged {
		r.P = make(PerMille, min(len(e.Scores.Line), MaxProbabilities))
		for i := range r.P {
			r.P[i] = perMille(e.Scores.Line[i])
		}
		f := perMille(e.Scores.Failure)
		r.PFailure = &f
	}
	if e.Task != (prune.Task{}) {
		r.TaskHash = digest(e.Task.Request + "\x00" + e.Task.Intent)
		if words {
			r.Request, r.Intent = e.Task.Request, e.Task.Intent
		}
	}
	args := e.Args
	if args == "" {
		args = prune.Args(e.Tool.Input)
	}
	r.ArgsHash = argsHash(e.Tool.Name, args)
	r.PathHash = digest(pathOf(e.Tool))
	return r
}

// prev makes the earlier call's part of a record.
func prev(c prune.Call) Prev {
	return Prev{Call: c.ID, Args: argsHash(c.Tool, c.Args), Path: digest(c.Path), Edit: edits(c.Tool)}
}

// edits reports whether calls of a tool change a file.
func edits(tool string) bool {
	switch tool {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		return true
	}
	return false
}

// perMille rounds down, so that a line under a threshold of whole per milles
// stays under it. -1 stands for what is no number from 0 to 1.
func perMille(p float64) int {
	if !(p >= 0 && p <= 1) {
		return -1
	}
	return int(p*1000 + 1e-9)
}

func argsHash(tool, args string) string { return digest(tool + "\x00" + args) }

// digest tells strings apart; "" stays "".
func digest(s string) string {
	if s == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}

// pathOf returns the file that a call reads or edits, else "".
func pathOf(t prune.Tool) string {
	if t.Name != "Read" && !edits(t.Name) {
		return ""
	}
	var in struct {
		FilePath     string `json:"file_path"`
		NotebookPath string `json:"notebook_path"`
	}
	if json.Unmarshal(t.Input, &in) != nil {
		return ""
	}
	return cmp.Or(in.FilePath, in.NotebookPath)
}
