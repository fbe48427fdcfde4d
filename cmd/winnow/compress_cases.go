package main

import (
	"bufio"

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
	var before, after, n, changed int
	err := eachCase(cmd.InOrStdin(), func(c eval.Case) error {
		req := f.req
		req.ID, req.Text, req.Task, req.Tool, req.Input = c.ID, c.Output, c.Task, c.Tool.Name, c.Tool.Input
		if f.task != "" {
			req.Task.Request = f.task
		}
		out, err := ask(cmd.Context(), &req)
		if err != nil {
			return err
		}
		n, before, after = n+1, before+out.Before, after+out.After
		if out.Untouched == "" {
			changed++
		}
		if !f.json {
			out = api.CompressReply{ID: out.ID, Text: out.Text, Kind: out.Kind, Chain: out.Chain, Keys: out.Keys, Original: out.Original, Untouched: out.Untouched, Before: out.Before, After: out.After}
		}
		return enc.Encode(out)
	})
	cmd.PrintErrf("winnow: %d of %d texts changed, %d -> %d tokens (%.1f%% saved)\n", changed, n, before, after, 100*float64(before-after)/float64(max(before, 1)))
	return err
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
