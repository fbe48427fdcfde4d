package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"winnow/internal/replay"
)

func replayCmd() *cobra.Command {
	var folder string
	var asJSON, asLines, check bool
	cmd := &cobra.Command{
		Use:   "replay --seen FOLDER",
		Short: "Walk recorded sessions and say what would have been folded",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := bufio.NewWriter(cmd.OutOrStdout())
			var each func(replay.Folded) error
			if asLines {
				enc := jsonLines(w)
				each = func(f replay.Folded) error { return enc.Encode(f) }
			}
			r, err := replay.Seen(readRecords(cmd.Context(), folder), replay.SeenOptions{Check: check}, each)
			if err == nil && !asLines {
				if asJSON {
					enc := json.NewEncoder(w)
					enc.SetIndent("", " ")
					err = enc.Encode(r)
				} else {
					err = r.Write(w)
				}
			}
			return errors.Join(err, w.Flush())
		},
	}
	f := cmd.Flags()
	f.StringVar(&folder, "seen", "", "folder of recorded sessions (*.jsonl, *.jsonl.xz)")
	f.BoolVar(&asJSON, "json", false, "print the report as JSON")
	f.BoolVar(&asLines, "jsonl", false, "print each result instead: {\"id\",\"text\",\"folds\"}")
	f.BoolVar(&check, "check", false, "make sure of every folded line, and that text and recalls are the input")
	cmd.MarkFlagsMutuallyExclusive("json", "jsonl")
	_ = cmd.MarkFlagRequired("seen")
	return cmd
}

func readRecords(ctx context.Context, path string) iter.Seq2[*replay.Record, error] {
	return func(yield func(*replay.Record, error) bool) {
		files, err := caseFiles(path)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, f := range files {
			r, err := openCases(ctx, f)
			if err != nil {
				yield(nil, err)
				return
			}
			for rec, err := range replay.Records(io.Reader(r)) {
				if err != nil {
					err = fmt.Errorf("%s: %w", f, err)
				}
				if !yield(rec, err) || err != nil {
					r.Close()
					return
				}
			}
			if err := r.Close(); err != nil {
				yield(nil, fmt.Errorf("read %s: %w", f, err))
				return
			}
		}
	}
}
