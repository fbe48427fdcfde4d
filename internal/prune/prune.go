// Package prune is the one core behind every door: it takes a task, a tool
// call and the text that the model would read, and gives a shorter text back,
// or nothing. Doors only carry.
//
// It does no I/O, reads no clock and starts no goroutine; it never fails: every
// reason not to prune is a [Reason], and the text then stays as it was.
package prune

import (
	"context"
	"encoding/json"
	"errors"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// Task is what the agent is at, rebuilt from the session.
type Task struct {
	// Request is the newest real request, its head kept (at most [MaxRequest] characters).
	Request string `json:"user_request"`
	// Intent is the assistant's last text since that request, its tail kept.
	Intent string `json:"assistant_intent"`
}

// MaxRequest and MaxIntent bound the parts of a [Task], in characters.
const (
	MaxRequest = 1500
	MaxIntent  = 1500
)

// Tool is the call whose result is judged. Input is the call's arguments as JSON.
type Tool struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Query is what a judge reads beside the text.
type Query struct {
	Task Task
	Tool Tool
}

// Scores is a judge's answer for one text.
type Scores struct {
	// Line holds P(needed) for each line of the judged Doc, the whole output in view.
	Line []float64
	// Failure is P(the output as a whole reports a failure).
	Failure float64
}

// Scorer judges the lines of a text against a task. Implementations must give
// the same scores for the same arguments and must stop when ctx is done. Their
// errors are logged and must not quote the text.
type Scorer interface {
	Score(ctx context.Context, q Query, d text.Doc) (Scores, error)
}

// ErrNotReady is what a Scorer returns while its model is still loading.
var ErrNotReady = errors.New("judge not ready")

// Answers of a Scorer that turns a text away at once.
var (
	ErrBusy    = errors.New("judge busy")
	ErrTooLong = errors.New("text too long to judge in time")
)

// Call is an earlier tool call of the same loop.
type Call struct {
	ID   string `json:"id"`
	Tool string `json:"tool"`
	// Args identifies the arguments: equal strings are identical calls.
	Args string `json:"args"`
	// Path is the file a Read, Edit, Write or NotebookEdit call names, else "".
	Path string `json:"path,omitempty"`
	// SinceRequest reports whether the call came after the loop's newest request.
	SinceRequest bool `json:"since,omitempty"`
	// Cut reports whether winnow hid lines of this call's result.
	Cut bool `json:"-"`
}

// Saved describes a result that the host stored in a file because it was too
// large. The Input's Text is then that file's content, and the answer is a view
// of at most [MaxView] characters that names the file.
type Saved struct {
	Path string
	// Size is the size of the whole output in bytes.
	Size int64
	// Partial reports that Text is only the beginning of the file.
	Partial bool
	// Preview is the number of characters the host would have shown.
	Preview int
}

// MaxView bounds the answer for a saved output, in characters.
const MaxView = 4000

// Input is one tool result on its way to the model.
type Input struct {
	Task Task
	Tool Tool
	// Text is the result as the model would read it, margins and reminders included.
	Text string
	// Failed reports that the tool failed; its text is never touched.
	Failed bool
	Saved  *Saved
	// Args identifies the present call's arguments like [Call.Args]; "": they are
	// made from Tool.Input.
	Args string
	// Calls are the loop's earlier calls, oldest first, without the present one.
	Calls []Call
	// CanRecall reports whether this loop has a way to ask for hidden lines.
	CanRecall bool
	// Renumbered says that the host numbers the lines of the answer anew from
	// StartLine (a Read at the hook door): hidden lines must not shift numbers.
	Renumbered bool
	StartLine  int
	// Folds are runs of lines that are hidden whatever the judge says: the loop
	// was shown them before. See [Pruner.Look].
	Folds []Fold
	// Hint is the sentence, once per result, on how to recall. Empty: the default
	// for the registered tool. FoldHint is that of a fold, also once.
	Hint, FoldHint string
}

// Reason says why a text was left as it was; "" means it was pruned.
type Reason string

// The reasons, each counted by the daemon.
const (
	Pruned       Reason = ""
	NoTask       Reason = "no-task"
	Small        Reason = "small"
	FailedTool   Reason = "failed-tool"
	OtherTool    Reason = "other-tool"
	Own          Reason = "own"
	Excluded     Reason = "excluded"
	Marked       Reason = "marked"
	Aimed        Reason = "aimed-read"
	EditedFile   Reason = "edited-file"
	Repeat       Reason = "repeat-of-cut"
	JSON         Reason = "json"
	Binary       Reason = "binary"
	Whole        Reason = "whole-file-asked"
	NoRecall     Reason = "no-recall"
	NotReady     Reason = "judge-not-ready"
	Deadline     Reason = "deadline"
	Busy         Reason = "busy"     // not to be judged in time now: turned away before it cost anything
	TooLong      Reason = "too-long" // never to be judged in time
	JudgeError   Reason = "judge-error"
	Failure      Reason = "reports-failure"
	NothingFound Reason = "nothing-relevant"
	TooLittle    Reason = "too-little-saved"
	Internal     Reason = "internal"
)

// Hidden is one maximal run of hidden lines.
type Hidden struct {
	// Start and End are 0-based inclusive lines of Input.Text.
	Start, End int
	// First and Last are the numbers that the marker shows: the file's where the
	// text has a margin or is renumbered, else 1-based lines of the text.
	First, Last int
	Key         marker.Key
	// Text is the hidden bytes, of which Key is the hash.
	Text string
}

// Result is what prune made of an Input.
type Result struct {
	// Text is the new text, or Input.Text when Reason is not [Pruned] and nothing
	// is folded.
	Text string
	// Hidden is what the judge hid, Folded what of Input.Folds was hidden.
	Hidden, Folded []Hidden
	Reason         Reason
	// Err is the judge's error behind JudgeError, Deadline and NotReady, for the log.
	Err error
	// Uncertain counts lines kept in the band between drop and keep.
	Uncertain int
	// Scores is what was decided by, empty where no judge was asked. It is the
	// judge's own copy: only to be read.
	Scores Scores
	// StartLine is Input.StartLine, raised by a hidden head (Renumbered only).
	StartLine int
}
