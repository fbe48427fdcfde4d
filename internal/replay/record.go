// Package replay walks recorded sessions in order and says what winnow would
// have done with them. It changes nothing, and it drives the very code that the
// daemon does.
package replay

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"winnow/internal/prune"
)

// Record is one recorded result.
type Record struct {
	ID      string     `json:"id"`
	Session string     `json:"session_id"`
	Task    prune.Task `json:"task"`
	Tool    prune.Tool `json:"tool"`
	Output  string     `json:"output"`
	IsError bool       `json:"is_error"`
	// Time is when it came, zero where nobody wrote it down.
	Time Stamp `json:"ts"`
	// Gone says that what came before it left the context: a compaction, a clearing.
	Gone bool `json:"-"`
	// Next are the assistant's events after it.
	Next []Event `json:"next"`
}

// Event is something that the assistant said or called.
type Event struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// Stamp is a time that may be missing or of another form.
type Stamp struct{ time.Time }

// UnmarshalJSON takes what is a time and leaves the rest zero.
func (s *Stamp) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		s.Time, _ = time.Parse(time.RFC3339, text)
	}
	return nil
}

// Records reads JSONL records. The first unreadable line ends it.
func Records(r io.Reader) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		br := bufio.NewReaderSize(r, 1<<20)
		for n := 1; ; n++ {
			line, err := br.ReadBytes('\n')
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, fmt.Errorf("read records: %w", err))
				return
			}
			if len(strings.TrimSpace(string(line))) > 0 {
				rec := new(Record)
				if jerr := json.Unmarshal(line, rec); jerr != nil {
					yield(nil, fmt.Errorf("record on line %d: %w", n, jerr))
					return
				}
				if !yield(rec, nil) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}
