package replay

import (
	"io"
	"iter"

	"winnow/internal/transcript"
)

// maxNext is how many of the assistant's events after a result are kept with it.
const maxNext = 12

// Transcript reads a session's file of Claude Code as records of one session.
// The file is read whole before the first record comes: what follows a result
// is part of it.
func Transcript(r io.Reader, session string, sidechain bool) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		var all []*Record
		open := 0 // all[open:] still take events
		gone := false
		for s, err := range transcript.Steps(r, sidechain) {
			if err != nil {
				yield(nil, err)
				return
			}
			switch {
			case s.Gone:
				gone = true
			case s.Asked:
				open = len(all)
			case s.Answer != nil:
				all = append(all, &Record{
					ID: session + ":" + s.Answer.ID, Session: session, Tool: s.Answer.Tool, Output: s.Answer.Text,
					IsError: s.Answer.Failed, Time: Stamp{s.Answer.Time}, Gone: gone,
				})
				gone = false
			case s.Call != nil:
				note(all[open:], Event{Type: "tool_use", Name: s.Call.Name, Input: s.Call.Input})
			case s.Said != "":
				note(all[open:], Event{Type: "text", Text: s.Said})
			}
		}
		for _, rec := range all {
			if !yield(rec, nil) {
				return
			}
		}
	}
}

func note(open []*Record, e Event) {
	for i := max(0, len(open)-4*maxNext); i < len(open); i++ {
		if rec := open[i]; len(rec.Next) < maxNext {
			rec.Next = append(rec.Next, e)
		}
	}
}
