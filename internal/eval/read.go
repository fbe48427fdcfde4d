package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"

	"winnow/internal/prune"
)

// Cases reads JSONL cases. An unreadable line is yielded as an error with its
// number, a [LineError], and then it goes on; any other error is the last.
func Cases(r io.Reader) iter.Seq2[Case, error] { return records[Case](r, "case") }

// LineError reports a line that is no record.
type LineError struct {
	What string // "case"
	Line int    // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s on line %d: %v", e.What, e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// records decodes JSONL; what names a record in errors. Lines may be long: an
// output is one string.
func records[T any](r io.Reader, what string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		br := bufio.NewReaderSize(r, 1<<20)
		for n := 1; ; n++ {
			line, err := br.ReadBytes('\n')
			var v T
			if err != nil && !errors.Is(err, io.EOF) {
				yield(v, fmt.Errorf("read %ss: %w", what, err))
				return
			}
			if len(strings.TrimSpace(string(line))) > 0 {
				var bad error
				if err := json.Unmarshal(line, &v); err != nil {
					v, bad = *new(T), &LineError{what, n, err} // half a record is none
				}
				if !yield(v, bad) {
					return
				}
			}
			if err != nil {
				return
			}
		}
	}
}

// Label is one reader's grades of a case.
type Label struct{ Needed, Useful Ranges }

// Labels holds grades by case.
type Labels map[string]Label

// ReadLabels reads JSONL {"id","needed":"3-7,12","useful":"0-2"}.
func ReadLabels(r io.Reader) (Labels, error) {
	type line struct{ ID, Needed, Useful string }
	labels := Labels{}
	for l, err := range records[line](r, "label") {
		if err != nil {
			return nil, err
		}
		if _, twice := labels[l.ID]; twice {
			return nil, fmt.Errorf("label %s: graded twice", l.ID)
		}
		var v Label
		if v.Needed, err = parseRanges(l.Needed); err == nil {
			v.Useful, err = parseRanges(l.Useful)
		}
		if err != nil {
			return nil, fmt.Errorf("label %s: %w", l.ID, err)
		}
		labels[l.ID] = v
	}
	return labels, nil
}

// Ranges are 0-based inclusive runs of lines.
type Ranges [][2]int

// parseRanges reads "3-7,12"; the empty string is no line.
func parseRanges(s string) (Ranges, error) {
	var rs Ranges
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || a < 0 || b < a {
			return nil, fmt.Errorf("bad range %q", part)
		}
		rs = append(rs, [2]int{a, b})
	}
	return rs, nil
}

// mark returns which of n lines are in the ranges.
func (rs Ranges) mark(n int) ([]bool, error) {
	in := make([]bool, n)
	for _, r := range rs {
		if r[1] >= n {
			return nil, fmt.Errorf("grade of line %d in a text of %d lines", r[1], n)
		}
		for i := r[0]; i <= r[1]; i++ {
			in[i] = true
		}
	}
	return in, nil
}

// ReadScores reads JSONL {"id","scores":[P(needed) a line],"failure":P}. null is
// no judgement of that line; failure may be left out and is then 0.
func ReadScores(r io.Reader) (map[string]prune.Scores, error) {
	type line struct {
		ID      string
		Scores  []*float64
		Failure float64
	}
	all := map[string]prune.Scores{}
	for l, err := range records[line](r, "scores") {
		if err != nil {
			return nil, err
		}
		if _, twice := all[l.ID]; twice {
			return nil, fmt.Errorf("scores of %s: given twice", l.ID)
		}
		s := prune.Scores{Line: make([]float64, len(l.Scores)), Failure: l.Failure}
		for i, p := range l.Scores {
			s.Line[i] = math.NaN()
			if p != nil {
				s.Line[i] = *p
			}
		}
		all[l.ID] = s
	}
	return all, nil
}
