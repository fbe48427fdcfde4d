package purse

import (
	"encoding/json"
	"fmt"
	"time"
)

// Sum adds up a ledger's days from a time on.
type Sum struct {
	Day
	// Off and Paused are as in the ledger; zero: neither.
	Off    time.Time `json:"off,omitzero"`
	Paused time.Time `json:"paused,omitzero"`
}

// Read sums up a saved ledger without owning it. Days count whole.
func Read(saved []byte, from time.Time) (Sum, error) {
	var l ledger
	if len(saved) == 0 {
		return Sum{}, nil
	}
	if err := json.Unmarshal(saved, &l); err != nil {
		return Sum{}, fmt.Errorf("read the second judge's ledger: %w", err)
	}
	s := Sum{Off: l.Off, Paused: l.Paused}
	first := ""
	if !from.IsZero() {
		first = from.Format(time.DateOnly)
	}
	for name, d := range l.Days {
		if d != nil && name >= first {
			s.add(*d)
		}
	}
	return s, nil
}

func (s *Sum) add(d Day) {
	s.Questions += d.Questions
	s.Answered += d.Answered
	s.Failed += d.Failed
	s.Usage = s.Usage.Plus(d.Usage)
	s.Cost += d.Cost
	s.Held += d.Held
	s.Kept += d.Kept
	s.Reads += d.Reads
	s.Gross += d.Gross
	s.Recalls += d.Recalls
	s.RecallCost += d.RecallCost
	s.Refused += d.Refused
	s.Lost = s.Lost || d.Lost
}
