// Package inputs writes what the onnx judge is given of a case, for training:
// features, windows and the query come from the same code as in the daemon, so
// each has one implementation.
package inputs

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"winnow/internal/eval"
	"winnow/internal/lexical"
	"winnow/internal/model/tokenizer"
	"winnow/internal/model/window"
	"winnow/internal/prune"
)

// Row is what the judge reads of a case.
type Row struct {
	ID    string      `json:"id"`
	Doc   []float32   `json:"doc"`
	Lines [][]float32 `json:"lines"` // features, a row a line of the output
	// Query holds the ids of the query's parts, Windows those of the text, and
	// Spans, a window, the [line, from, to] of each line in it.
	Query   [window.Parts][]int64 `json:"query"`
	Windows [][]int64             `json:"windows"`
	Spans   [][][3]int            `json:"spans"`
}

// Write reads cases, one JSON object a line, and writes one [Row] a case.
func Write(r io.Reader, w io.Writer) error {
	tok, err := tokenizer.Default()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for c, err := range eval.Cases(r) {
		if err != nil {
			return err
		}
		row, err := of(tok.Camel(), c)
		if err != nil {
			return err
		}
		if err := enc.Encode(row); err != nil {
			return fmt.Errorf("write inputs: %w", err)
		}
	}
	return out.Flush()
}

func of(tok *tokenizer.Tokenizer, c eval.Case) (Row, error) {
	// What prune gives a judge to read, so that training sees what serving does.
	d, q := prune.Judged(c.Tool, c.Output), prune.Query{Task: c.Task, Tool: c.Tool}
	t, err := lexical.NewTable(context.Background(), q, d)
	if err != nil {
		return Row{}, fmt.Errorf("features of %s: %w", c.ID, err)
	}
	row := Row{ID: c.ID, Doc: t.Doc(), Lines: make([][]float32, t.Len()), Query: window.Query(tok, q), Windows: [][]int64{}, Spans: [][][3]int{}}
	for i := range row.Lines {
		row.Lines[i] = t.Rows(i, i+1, nil)
	}
	for _, w := range window.Cut(tok, d) {
		spans := make([][3]int, len(w.Lines))
		for i, l := range w.Lines {
			spans[i] = [3]int{l.N, l.From, l.To}
		}
		row.Windows = append(row.Windows, w.IDs)
		row.Spans = append(row.Spans, spans)
	}
	return row, nil
}
