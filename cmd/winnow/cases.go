package main

import (
	"encoding/json"
	"fmt"
	"io"

	"winnow/internal/eval"
)

// eachCase calls do for every case of r (JSONL); an unreadable line ends it
// with its number.
func eachCase(r io.Reader, do func(eval.Case) error) error {
	for c, err := range eval.Cases(r) {
		if err != nil {
			return err
		}
		if err := do(c); err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
	}
	return nil
}

// jsonLines returns an encoder of one object a line.
func jsonLines(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}
