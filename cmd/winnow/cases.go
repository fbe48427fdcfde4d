package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"winnow/internal/prune"
)

// testCase is one line of the input of `winnow score` and `winnow prune`.
type testCase struct {
	ID     string     `json:"id"`
	Task   prune.Task `json:"task"`
	Tool   prune.Tool `json:"tool"`
	Output string     `json:"output"`
}

// eachCase decodes JSONL from r and calls do for every case; an unreadable line
// ends it with its number.
func eachCase(r io.Reader, do func(testCase) error) error {
	br := bufio.NewReaderSize(r, 1<<20)
	for n := 1; ; n++ {
		line, err := br.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read cases: %w", err)
		}
		if len(line) > 1 {
			var c testCase
			if jerr := json.Unmarshal(line, &c); jerr != nil {
				return fmt.Errorf("case on line %d: %w", n, jerr)
			}
			if derr := do(c); derr != nil {
				return fmt.Errorf("case %s: %w", c.ID, derr)
			}
		}
		if err != nil {
			return nil
		}
	}
}

// jsonLines returns an encoder of one object a line.
func jsonLines(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}
