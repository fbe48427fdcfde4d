package main

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/eval"
	"winnow/internal/marker"
	"winnow/internal/recall"
)

// cases answers cases line by line.
func (f *compressFlags) cases(cmd *cobra.Command, ask reduceFunc) error {
	w := bufio.NewWriter(cmd.OutOrStdout())
	defer w.Flush()
	enc := jsonLines(w)
	var before, after, n, changed, bad int
	for c, err := range eval.Cases(cmd.InOrStdin()) {
		if _, line := errors.AsType[*eval.LineError](err); line { // the others are still answered
			cmd.PrintErrf("winnow: %v\n", err)
			bad++
			continue
		} else if err != nil {
			return err
		}
		req := f.req
		req.ID, req.Text, req.Task, req.Tool, req.Input = c.ID, c.Output, c.Task, c.Tool.Name, c.Tool.Input
		if f.task != "" {
			req.Task.Request = f.task
		}
		out, err := ask(cmd.Context(), &req)
		if err != nil {
			return fmt.Errorf("case %s: %w", c.ID, err)
		}
		n, before, after = n+1, before+out.Before, after+out.After
		if out.Untouched == "" {
			changed++
		}
		if !f.json {
			out = api.CompressReply{ID: out.ID, Text: out.Text, Kind: out.Kind, Chain: out.Chain, Keys: out.Keys, Original: out.Original, Untouched: out.Untouched, Before: out.Before, After: out.After}
		}
		if err := enc.Encode(out); err != nil {
			return err
		}
	}
	cmd.PrintErrf("winnow: %d of %d texts changed, %d -> %d tokens (%.1f%% saved)\n", changed, n, before, after, 100*float64(before-after)/float64(max(before, 1)))
	if bad > 0 {
		return withHint(fmt.Errorf("%s left out", plural(bad, "line")), `winnow compress --help  # a case is {"id","tool":{"name","input"},"output"} on a line`)
	}
	return w.Flush()
}

// liveIn asks a store, which may be missing, whether a key leads somewhere.
func liveIn(s *recall.Store) func(marker.Key) bool {
	return func(k marker.Key) bool { return s != nil && s.Live(k) }
}

// retrieveCmd is recall under the name that goes with compress.
func retrieveCmd() *cobra.Command {
	cmd := recallCmd()
	cmd.Use, cmd.Short = "retrieve KEY", "Print the original behind a key of `winnow compress` (the same as recall)"
	return cmd
}
