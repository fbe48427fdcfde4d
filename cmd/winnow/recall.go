package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/decisions"
	"winnow/internal/door"
	"winnow/internal/recall"
	"winnow/internal/state"
)

func recallCmd() *cobra.Command {
	var req api.RecallRequest
	var dirFlag string
	var page bool
	cmd := &cobra.Command{
		Use:   "recall KEY",
		Short: "Print the lines behind a marker",
		Long: "Print the lines behind a marker, byte for byte. KEY is the 24 hex digits of a marker\n" +
			"(or the whole marker). With --page, a long one comes in pages and a note on standard error says how to go on.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := stateDir(dirFlag)
			if err != nil {
				return err
			}
			req.Key = args[0]
			ask, done, err := recaller(cmd.Context(), dir)
			if err != nil {
				return err
			}
			defer done()
			return printRecall(cmd.OutOrStdout(), os.Stderr, ask, req, !page)
		},
	}
	cmd.Flags().StringVar(&req.Lines, "lines", "", "only these lines, by the numbers the marker shows: 120-180")
	cmd.Flags().StringVar(&req.Pattern, "grep", "", "only lines that match this regular expression")
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	cmd.Flags().BoolVar(&page, "page", false, "print one page (20,000 characters), not all of it")
	return cmd
}

type askFunc func(api.RecallRequest) (api.RecallReply, error)

// recaller asks the daemon, or the store itself when none answers.
func recaller(ctx context.Context, dir state.Dir) (askFunc, func(), error) {
	if c, err := client.Probe(ctx, dir); err == nil {
		return func(r api.RecallRequest) (api.RecallReply, error) {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			return c.Recall(ctx, r)
		}, c.Close, nil
	}
	if _, err := os.Stat(dir.Store()); err != nil {
		return nil, nil, withHint(fmt.Errorf("nothing was ever hidden in %s", dir), "winnow doctor  # says which folder; another one is named by --state or WINNOW_DIR")
	}
	s, err := openStore(dir)
	if err != nil && !errors.Is(err, recall.ErrLocked) { // a full or read-only disk still reads
		if ro, roErr := recall.Open(dir.Store(), recall.Options{ReadOnly: true}); roErr == nil {
			s, err = ro, nil
		}
	}
	if err != nil {
		return nil, nil, err
	}
	log := decisions.Open(decisionsFile(dir), decisions.Options{})
	ask := func(r api.RecallRequest) (api.RecallReply, error) {
		began := time.Now()
		out := door.Recall(s, r)
		log.Add(door.Recalled(r, out, time.Since(began)))
		return out, nil
	}
	return ask, func() { log.Close(); s.Close() }, nil
}

var errMiss = errors.New("not recalled")

// printRecall writes the text alone to out; notes go to errOut.
func printRecall(out, errOut io.Writer, ask askFunc, req api.RecallRequest, all bool) error {
	for {
		r, err := ask(req)
		if err != nil {
			return err
		}
		if !r.Found || r.Bad {
			return fmt.Errorf("%w: %s", errMiss, r.Note)
		}
		if _, err := io.WriteString(out, r.Text); err != nil {
			return err
		}
		next, more := door.Next(r.Note)
		if !all || !more {
			return printNote(errOut, r)
		}
		req.Lines = next
	}
}

// printNote keeps a note off the end of a text without a last newline: both may
// be going to one terminal.
func printNote(w io.Writer, r api.RecallReply) error {
	if r.Note == "" {
		return nil
	}
	if r.Text != "" && !strings.HasSuffix(r.Text, "\n") {
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintln(w, r.Note)
	return err
}
