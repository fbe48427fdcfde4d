package replay

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/seen"
	"winnow/internal/text"
	"winnow/internal/transcript"
)

// MinResults is how many results a session has at least to be walked.
const MinResults = 5

// SeenOptions set a walk up.
type SeenOptions struct {
	Seen seen.Options
	// Check makes sure of every fold, line by line, and that the original comes
	// back; a fold that does not hold is an error.
	Check bool
}

// Folded is one result of a walk, as `--jsonl` prints it.
type Folded struct {
	ID    string   `json:"id"`
	Text  string   `json:"text"`
	Folds []FoldAt `json:"folds"`
}

// FoldAt is one fold: 0-based inclusive lines of the result's output, and the
// line of an earlier result's output where the same lines begin.
type FoldAt struct {
	Start    int        `json:"start"`
	End      int        `json:"end"`
	Key      marker.Key `json:"key"`
	RefID    string     `json:"ref_id"`
	RefStart int        `json:"ref_start"`
}

// Seen walks records in order and reports what would have been folded. each,
// when set, is given every result of the sessions that count.
func Seen(records iter.Seq2[*Record, error], o SeenOptions, each func(Folded) error) (*SeenReport, error) {
	w := walk{
		o: o, each: each, report: newSeenReport(), sessions: map[string]*session{},
		p: prune.New(prune.Fake{}, prune.Options{}),
	}
	for rec, err := range records {
		if err != nil {
			return nil, err
		}
		if rec.Session == "" {
			continue
		}
		s := w.sessions[rec.Session]
		if s == nil {
			s = &session{}
			w.sessions[rec.Session] = s
		}
		if err := w.add(s, rec); err != nil {
			return nil, fmt.Errorf("result %s: %w", rec.ID, err)
		}
	}
	for _, s := range w.sessions {
		for _, u := range s.used { // nothing came after them
			u.stood()
		}
	}
	return w.report, nil
}

type walk struct {
	o        SeenOptions
	each     func(Folded) error
	report   *SeenReport
	sessions map[string]*session
	p        *prune.Pruner
}

// session is where the walk of one session is.
type session struct {
	// waiting are its results until there are enough.
	waiting []*Record
	walked  bool
	ledger  *seen.Ledger
	calls   []prune.Call
	// coming are the calls that the newest result's record says come next.
	coming []Event
	told   int
	// used are the folds of the newest result that the assistant took up later.
	used  []use
	check checker
}

// settle says of used folds whether their lines still stand.
func (s *session) settle() {
	for _, u := range s.used {
		if s.ledger.Stands(u.ref) {
			u.stood()
		}
	}
	s.used = nil
}

func (w *walk) add(s *session, rec *Record) error {
	if s.walked {
		return w.step(s, rec)
	}
	s.waiting = append(s.waiting, rec)
	if len(s.waiting) < MinResults {
		return nil
	}
	s.walked, s.ledger = true, seen.New(w.o.Seen)
	s.check.shown = map[string]*shown{}
	w.report.sessions++
	for _, r := range s.waiting {
		if err := w.step(s, r); err != nil {
			return err
		}
	}
	s.waiting = nil
	return nil
}

// maxCalls is how many earlier calls a door tells of.
const maxCalls = 60

func (w *walk) step(s *session, rec *Record) error {
	s.unrecorded(rec)
	in := prune.Input{Tool: rec.Tool, Text: rec.Output, Failed: rec.IsError, Calls: s.calls, CanRecall: true, Args: prune.Args(rec.Tool.Input)}
	earlier := make([]string, len(s.calls))
	for i, c := range s.calls {
		earlier[i] = c.ID
	}
	if rec.Gone {
		s.ledger.Forget()
	}
	s.ledger.Begin(rec.ID, earlier, rec.Time.Time)
	s.settle()
	turn := s.ledger.Take(w.p, in, rec.ID)
	lost := s.ledger.Explain(turn, rec.ID)
	in.Folds = turn.Given()
	res := w.p.Fold(in)
	s.ledger.Took(turn, seen.Source{ID: rec.ID}, res.Folded, text.Chars(res.Text))
	s.call(callOf(rec.ID, rec.Tool.Name, rec.Tool.Input))
	f := Folded{ID: rec.ID, Text: res.Text, Folds: []FoldAt{}}
	var folds []seen.Fold
	for _, h := range res.Folded {
		for _, t := range turn.Folds {
			if t.Start == h.Start {
				folds = append(folds, t)
				f.Folds = append(f.Folds, FoldAt{h.Start, h.End, h.Key, t.Source.ID, t.Line})
			}
		}
	}
	if w.o.Check {
		if err := s.check.add(rec, f, res.Folded); err != nil {
			return err
		}
	}
	s.used = w.report.add(rec, lost, res, folds)
	if w.each != nil {
		return w.each(f)
	}
	return nil
}

func (s *session) call(c prune.Call) {
	s.calls = append(s.calls, c)
	if len(s.calls) > maxCalls {
		s.calls = append(s.calls[:0], s.calls[len(s.calls)-maxCalls:]...)
	}
}

// unrecorded enters the calls between the result before and rec whose own
// results are not recorded (small ones are not): the record before says what
// came next.
func (s *session) unrecorded(rec *Record) {
	coming := uses(rec.Next)
	defer func() { s.coming = coming }()
	at := -1
	for i, e := range s.coming {
		if same(e, rec) {
			at = i
			break
		}
	}
	switch {
	case at >= 0:
	case len(coming) > 0 && len(s.coming) > 0 && coming[0].Name == s.coming[0].Name && string(coming[0].Input) == string(s.coming[0].Input):
		return // a call of the same message: what follows is the same
	default:
		at = len(s.coming)
	}
	for _, e := range s.coming[:at] {
		s.told++
		s.call(callOf(fmt.Sprintf("unrecorded %d", s.told), e.Name, e.Input))
	}
}

// callOf also knows what other agents call an edit.
func callOf(id, tool string, input json.RawMessage) prune.Call {
	c := transcript.CallOf(id, tool, input)
	if c.Path == "" {
		c.Path = prune.Edited(tool, input)
	}
	return c
}

func uses(events []Event) []Event {
	var out []Event
	for _, e := range events {
		if e.Type == "tool_use" {
			out = append(out, e)
		}
	}
	return out
}

func same(e Event, rec *Record) bool {
	return e.Name == rec.Tool.Name && (string(e.Input) == string(rec.Tool.Input) || prune.Args(e.Input) == prune.Args(rec.Tool.Input))
}

// later says what the assistant did with folded lines afterwards.
type later struct{ edited, quoted bool }

// minQuote is the length of a line that is a quotation where it is found.
const minQuote = 24

func laterUse(next []Event, lines []string) (l later) {
	for _, e := range next {
		hay := e.Text
		edit := false
		if e.Type == "tool_use" {
			hay, edit = oldString(e)
		}
		if hay == "" {
			continue
		}
		for _, line := range lines {
			if line = strings.TrimSpace(line); len(line) >= minQuote && strings.Contains(hay, line) {
				if edit {
					l.edited = true
				} else {
					l.quoted = true
				}
				break
			}
		}
	}
	return l
}

// oldString returns what a call takes up of what it saw, and whether it edits.
func oldString(e Event) (string, bool) {
	var in struct {
		Old     any `json:"old_string"`
		OldC    any `json:"oldString"`
		Input   any `json:"input"`
		Patch   any `json:"patch"`
		Command any `json:"command"`
		Cmd     any `json:"cmd"`
		Edits   []struct {
			Old any `json:"old_string"`
		} `json:"edits"`
	}
	if json.Unmarshal(e.Input, &in) != nil {
		var s string // a patch alone
		if json.Unmarshal(e.Input, &s) == nil {
			return s, true
		}
	}
	var old []string
	for _, v := range []any{in.Old, in.OldC, in.Input, in.Patch} {
		if s, ok := v.(string); ok {
			old = append(old, s)
		}
	}
	for _, ed := range in.Edits {
		if s, ok := ed.Old.(string); ok {
			old = append(old, s)
		}
	}
	if len(old) > 0 {
		return strings.Join(old, "\n"), true
	}
	for _, v := range []any{in.Command, in.Cmd} {
		if s, ok := v.(string); ok {
			return s, false
		}
	}
	return "", false
}
