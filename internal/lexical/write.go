package lexical

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"winnow/internal/prune"
)

type featureCase struct {
	ID     string     `json:"id"`
	Task   prune.Task `json:"task"`
	Tool   prune.Tool `json:"tool"`
	Output string     `json:"output"`
}

type featureRow struct {
	ID    string      `json:"id"`
	Doc   []float32   `json:"doc"`
	Lines [][]float32 `json:"lines"`
}

// WriteFeatures reads cases, one JSON object a line as `winnow score` takes
// them, and writes one {"id","doc","lines"} a case. Training reads these, so
// that a feature has one implementation.
func WriteFeatures(r io.Reader, w io.Writer) error {
	dec := json.NewDecoder(r)
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for {
		var c featureCase
		if err := dec.Decode(&c); errors.Is(err, io.EOF) {
			return out.Flush()
		} else if err != nil {
			return fmt.Errorf("read case: %w", err)
		}
		row, err := features(c)
		if err != nil {
			return err
		}
		if err := enc.Encode(row); err != nil {
			return fmt.Errorf("write features: %w", err)
		}
	}
}

func features(c featureCase) (featureRow, error) {
	// What prune gives a judge to read, so that training sees what serving does.
	d := prune.Judged(c.Tool, c.Output)
	t, err := NewTable(context.Background(), prune.Query{Task: c.Task, Tool: c.Tool}, d)
	if err != nil {
		return featureRow{}, fmt.Errorf("features of %s: %w", c.ID, err)
	}
	row := featureRow{ID: c.ID, Doc: t.Doc(), Lines: make([][]float32, t.Len())}
	for i := range row.Lines {
		row.Lines[i] = t.Rows(i, i+1, nil)
	}
	return row, nil
}
