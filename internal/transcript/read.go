package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"winnow/internal/prune"
)

const (
	// maxCalls is how many earlier calls are told.
	maxCalls = 60
	// enoughCalls are looked for beyond the request, within moreBytes: whether a
	// call repeats one of the last ten does not end with a new request.
	enoughCalls = 10
	moreBytes   = 1 << 20
	// fresh is how long ago a file may have ended that does not hold the present
	// call: it lags by a blink, but the model may have thought before the call.
	fresh = 10 * time.Minute
)

// Options are the settings of [Read] and [Wait].
type Options struct {
	// ToolUseID is the present call: what comes after it is not read, and it is
	// not among the earlier calls. "" reads the file as it ends.
	ToolUseID string
	// AgentID names a subagent, whose file lies beside the session's.
	AgentID string
	// Session, when set, must be the file's last session id if the file does not
	// hold ToolUseID.
	Session string
	// Limit bounds the bytes read. 0: 64 MB.
	Limit int64
	// Budget bounds the time. 0: 100 ms.
	Budget time.Duration
	// Now is the clock. nil: time.Now.
	Now func() time.Time
}

// State is what a file says of a loop.
type State struct {
	Task prune.Task
	// Calls are the loop's earlier calls, oldest first, at most 60.
	Calls []prune.Call
	// Found reports whether there is a task.
	Found bool
}

// ErrPath reports a path that cannot be a file of this machine, such as one
// with a drive letter on a system that has none.
var ErrPath = errors.New("not a transcript path of this machine")

var agentRE = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

// fileOf returns the file that holds the loop.
func fileOf(path string, o Options) (string, error) {
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", ErrPath
	}
	if o.AgentID == "" {
		return path, nil
	}
	if !agentRE.MatchString(o.AgentID) {
		return "", fmt.Errorf("agent id: %w", ErrPath)
	}
	name := "agent-" + o.AgentID + ".jsonl"
	if filepath.Base(path) == name {
		return path, nil
	}
	return filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", name), nil
}

// open opens a regular file: opening a pipe would wait for ever.
func open(path string, o Options) (*os.File, int64, error) {
	path, err := fileOf(path, o)
	if err != nil {
		return nil, 0, fmt.Errorf("open transcript: %w", err)
	}
	fi, err := os.Stat(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open transcript: %w", err)
	}
	if !fi.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("open transcript: not a regular file: %w", ErrPath)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, fmt.Errorf("open transcript: %w", err)
	}
	return f, fi.Size(), nil
}

// Read reads the file backwards until it has the loop's request, or the limits
// are spent. Without a request, or when the file is another session's, the
// state has no task; that is no error. path is the session's file also for a
// subagent.
func Read(ctx context.Context, path string, o Options) (State, error) {
	f, size, err := open(path, o)
	if err != nil {
		return State{}, err
	}
	defer f.Close()
	return readFrom(ctx, f, size, o)
}

func readFrom(ctx context.Context, r io.ReaderAt, size int64, o Options) (State, error) {
	if o.Limit <= 0 {
		o.Limit = 64 << 20
	}
	if o.Budget <= 0 {
		o.Budget = 100 * time.Millisecond
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := scanner{o: o, start: o.Now(), seen: map[string]bool{}, sawCall: o.ToolUseID == ""}
	b := backwards{r: r, pos: size, left: o.Limit}
	for !s.finished(&b) {
		if err := ctx.Err(); err != nil {
			return State{}, fmt.Errorf("read transcript: %w", err)
		}
		if o.Now().Sub(s.start) > o.Budget {
			break
		}
		line, err := b.next()
		if errors.Is(err, io.EOF) || errors.Is(err, errSpent) {
			break
		}
		if err != nil {
			return State{}, err
		}
		s.line(bytes.Trim(line, " \t\r\x00"))
	}
	return s.state(), nil
}

// scanner gathers a state from lines, newest first.
type scanner struct {
	o     Options
	start time.Time

	req    request
	intent string
	calls  []prune.Call // newest first
	seen   map[string]bool
	// sawCall says that the present call was passed, or none is looked for.
	sawCall bool
	latest  time.Time // of all lines so far, in whatever order they come
	session string    // of the newest entry that names one
	// foundAt is where the file was when the request was complete.
	foundAt int64
}

// finished reports whether nothing more is worth reading.
func (s *scanner) finished(b *backwards) bool {
	if !s.req.done() || !s.trusted() {
		return false
	}
	if s.foundAt == 0 {
		s.foundAt = b.pos + int64(len(b.buf)) + 1
	}
	return len(s.calls) >= enoughCalls || s.foundAt-b.pos-int64(len(b.buf)) > moreBytes
}

// trusted reports whether the file is the present session's: it holds the
// present call, or it only lags behind it.
func (s *scanner) trusted() bool {
	return s.sawCall || !s.latest.IsZero() && s.start.Sub(s.latest) <= fresh &&
		(s.o.Session == "" || s.session == s.o.Session)
}

func (s *scanner) line(line []byte) {
	if len(line) == 0 {
		return
	}
	if !s.req.done() {
		if t := stampOf(line); t.After(s.latest) {
			s.latest = t
		}
	}
	if !worthDecoding(line) {
		return
	}
	e, ok := decode(line)
	if !ok || e.IsSidechain && s.o.AgentID == "" {
		return
	}
	if s.session == "" {
		s.session = e.SessionID
	}
	for _, b := range slices.Backward(e.uses()) {
		s.call(b)
	}
	if text := e.said(); text != "" && s.intent == "" && !s.req.begun() {
		s.intent = text // a user's turn, bare or not, ends what the assistant was about
	}
	if text, ok := e.asked(); ok {
		s.req.add(text)
	}
}

func (s *scanner) call(b block) {
	if b.ID == s.o.ToolUseID {
		// All that came so far is later than the present call.
		*s = scanner{o: s.o, start: s.start, seen: map[string]bool{b.ID: true}, sawCall: true}
		return
	}
	if s.seen[b.ID] || len(s.calls) >= maxCalls {
		return
	}
	s.seen[b.ID] = true
	c := CallOf(b.ID, b.Name, b.Input)
	c.SinceRequest = !s.req.done()
	s.calls = append(s.calls, c)
}

func (s *scanner) state() State {
	if !s.trusted() {
		return State{}
	}
	slices.Reverse(s.calls)
	st := State{Calls: s.calls, Found: s.req.done()}
	if st.Found {
		st.Task = s.req.task(s.intent)
	}
	return st
}
