// Package decisions keeps the log of what was decided about each result, and of
// each recall: one JSON record a line, in files that only their owner reads.
// It answers "what did winnow do, and was it right" long after a session.
//
// It never holds tool output, and a task's words only where the user asked for
// them. Writing it never delays and never fails an answer: what cannot be
// written is dropped and counted.
package decisions

import (
	"bytes"
	"errors"
	"strconv"
	"time"

	"winnow/internal/marker"
	"winnow/internal/prune"
)

// FileName is the log's name in the state folder; ".1" and ".2" after it are
// the older files.
const FileName = "decisions.jsonl"

// Events of a [Record].
const (
	Result = "" // a result was judged, or left alone
	Recall = "recall"
)

// Entry is a decision as the door knows it. Add keeps it until it is written,
// so nobody may change what it points to. It has no place for output text.
type Entry struct {
	Record
	Task prune.Task
	Tool prune.Tool
	Args string
	// Calls are the loop's earlier calls.
	Calls  []prune.Call
	Scores prune.Scores
	// Judged reports whether Scores is a judge's answer.
	Judged bool
	Keys   []marker.Key
}

// Record is one line of the log. Sizes are in characters, times in microseconds.
type Record struct {
	Time    time.Time `json:"t"`
	Event   string    `json:"event,omitempty"`
	Door    string    `json:"door,omitempty"` // "mod" or "hook"
	Session string    `json:"session,omitempty"`
	Loop    string    `json:"loop,omitempty"`
	Call    string    `json:"call,omitempty"`
	Tool    string    `json:"tool,omitempty"`
	// Kind is what sort of call it is for the judge's figures: "shell", "read" ...
	Kind string `json:"kind,omitempty"`
	// Judge names the judge whose answer P is.
	Judge string `json:"judge,omitempty"`
	// Mode is "shadow" or "active", for this call.
	Mode string `json:"mode,omitempty"`
	// Reason says why the result was left alone; "" of a result: it was pruned.
	Reason string `json:"reason,omitempty"`
	// In is the whole text; Shown what the host would have shown of it; Out what
	// the model was given (in shadow mode: would have been); Hidden the text
	// behind markers, so that Hidden-(In-Out) is what the markers cost.
	In     int `json:"in"`
	Shown  int `json:"shown"`
	Out    int `json:"out"`
	Hidden int `json:"hidden,omitempty"`
	// Saved reports a result that the host had put into a file: its answer is a view.
	Saved bool `json:"saved,omitempty"`
	Lines int  `json:"lines,omitempty"`
	// Uncertain counts the lines kept between drop and keep.
	Uncertain int `json:"uncertain,omitempty"`
	// Second says what became of the second judge's question, "" where there was none;
	// with "used" its reply is what P and Uncertain tell.
	Second string `json:"second,omitempty"`
	// SecondCost is what that cost, in billionths of a dollar, where it is known.
	SecondCost int64 `json:"second_nusd,omitempty"`
	// P is P(needed) of each line, per mille, -1 where there is no number; at most
	// [MaxProbabilities] of them. PFailure is P(the whole reports a failure).
	P        PerMille `json:"p,omitempty"`
	PFailure *int     `json:"pf,omitempty"`
	// JudgeUS is the time that the answer waited for the judge, WholeUS all of it.
	JudgeUS int64    `json:"judge_us"`
	WholeUS int64    `json:"whole_us"`
	Keys    []string `json:"keys,omitempty"`
	// Fold is what the loop was shown before, where any of it stood in this result.
	// Shown then is what is left of it where that was taken out: what a fold saves
	// is no saving of the judge's.
	Fold *Fold `json:"fold,omitempty"`
	// Miss reports a recall that found nothing.
	Miss bool `json:"miss,omitempty"`
	// TaskHash tells tasks apart; their words are there only with WINNOW_LOG_TASKS=1.
	TaskHash string `json:"task,omitempty"`
	Request  string `json:"request,omitempty"`
	Intent   string `json:"intent,omitempty"`
	// ArgsHash and PathHash say whether two calls are the same or read the same file.
	ArgsHash string `json:"args,omitempty"`
	PathHash string `json:"path,omitempty"`
	// Prev are the loop's calls that came before this one and in no earlier record:
	// most results are too small for the daemon to hear of them otherwise.
	Prev []Prev `json:"prev,omitempty"`
}

// Fold says of a result what of it was folded, or in shadow mode would have been.
type Fold struct {
	Mode string `json:"mode"` // "shadow" or "active", its own switch
	// Hidden is the folded text, Saved that less the markers.
	Hidden int `json:"hidden"`
	Saved  int `json:"saved"`
	// Ago is how many calls back the farthest reference points.
	Ago  int      `json:"ago"`
	Keys []string `json:"keys"`
}

// Pruned reports whether lines were hidden, or in shadow mode would have been.
func (r *Record) Pruned() bool { return r.Event == Result && r.Reason == "" }

// Prev is an earlier call: a Read where it has a Path and is no Edit.
type Prev struct {
	Call string `json:"id"`
	Args string `json:"a"`
	Path string `json:"p,omitempty"`
	// Edit reports a call that changes a file.
	Edit bool `json:"e,omitempty"`
}

// PerMille are whole numbers. They are most of a log's bytes, hence a reader of
// their own.
type PerMille []int

// UnmarshalJSON reads a list of whole numbers.
func (p *PerMille) UnmarshalJSON(b []byte) error {
	out := make(PerMille, 0, bytes.Count(b, []byte(","))+1)
	in, closed := bytes.CutPrefix(b, []byte("["))
	in, ok := bytes.CutSuffix(in, []byte("]"))
	if !ok || !closed {
		return errors.New("per milles: not a list")
	}
	for len(in) > 0 {
		var one []byte
		one, in, _ = bytes.Cut(in, []byte(","))
		n, err := strconv.Atoi(string(bytes.TrimSpace(one)))
		if err != nil {
			return err
		}
		out = append(out, n)
	}
	*p = out
	return nil
}

// MaxProbabilities bounds [Record.P]: some 80 KB.
const MaxProbabilities = 20_000
