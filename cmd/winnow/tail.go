package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"winnow/internal/decisions"
	"winnow/internal/prune"
)

// followEvery is how often the log is looked at: a person does not see the difference.
const followEvery = 200 * time.Millisecond

func tailCmd() *cobra.Command {
	var n int
	var follow bool
	var dirFlag string
	cmd := &cobra.Command{
		Use:   "tail",
		Short: "Print the newest decisions, and follow them live",
		Long: "Print the newest lines of the decision log: when, the mode and what was decided, the tool and its kind,\n" +
			"characters before and after, keys, the time that the judge and the whole took, and the call.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := stateDir(dirFlag)
			if err != nil {
				return err
			}
			if n < 0 {
				return withHint(fmt.Errorf("-n %d: want a number from 0", n), "winnow tail -n 20")
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			records := newest(decisionsFile(dir), n)
			if follow {
				records = decisions.Follow(ctx, decisionsFile(dir), n, followEvery)
			}
			return printDecisions(cmd.OutOrStdout(), records, onTerminal(cmd.OutOrStdout()))
		},
	}
	cmd.Flags().IntVarP(&n, "lines", "n", 10, "how many to begin with")
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, "go on with what is decided from now on, until interrupted")
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

// newest yields the last n records of the log.
func newest(path string, n int) iter.Seq2[decisions.Record, error] {
	return func(yield func(decisions.Record, error) bool) {
		rs, err := decisions.Last(path, n)
		if err != nil {
			yield(decisions.Record{}, err)
			return
		}
		for _, r := range rs {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// onTerminal reports whether colours would be seen and are wanted.
func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	fi, err := f.Stat()
	return err == nil && fi.Mode()&os.ModeCharDevice != 0
}

func printDecisions(w io.Writer, records iter.Seq2[decisions.Record, error], colours bool) error {
	b := bufio.NewWriter(w)
	for r, err := range records {
		if errors.Is(err, decisions.ErrLine) {
			continue
		}
		if err != nil {
			return unreadable(err)
		}
		line := decisionLine(r)
		if c := colourOf(r); colours && c != "" {
			line = "\x1b[" + c + "m" + line + "\x1b[0m"
		}
		fmt.Fprintln(b, line)
		if err := b.Flush(); err != nil { // whoever read along is gone
			return nil
		}
	}
	return nil
}

func decisionLine(r decisions.Record) string {
	at := r.Time.Local().Format("01-02 15:04:05")
	if r.Event == decisions.Recall {
		said := fmt.Sprintf("%d characters", r.Shown)
		if r.Miss {
			said = "no answer"
		}
		return plain(fmt.Sprintf("%s %-6s %-16s %s, %s", at, "", "recalled", strings.Join(r.Keys, " "), said))
	}
	what, sizes := r.Reason, fmt.Sprint(r.In)
	if r.Pruned() {
		what, sizes = "pruned", fmt.Sprintf("%d>%d", r.Shown, r.Out)
	}
	if r.Event != decisions.Result {
		what = r.Event
	}
	line := fmt.Sprintf("%s %-6s %-16s %-10s %-6s %14s  judge %s of %s  %s", at, r.Mode, what, r.Tool, r.Kind, sizes, ms(r.JudgeUS), ms(r.WholeUS), r.Call)
	if len(r.Keys) > 0 {
		line += "  " + strings.Join(r.Keys, " ")
	}
	return plain(strings.TrimRight(line, " "))
}

func ms(us int64) string { return fmt.Sprintf("%.1f ms", float64(us)/1000) }

// colourOf returns the terminal's code: green for hidden, yellow for asked back,
// red for trouble, faint for the rest.
func colourOf(r decisions.Record) string {
	switch {
	case r.Event == decisions.Recall:
		return "33"
	case r.Pruned() && r.Mode == "active":
		return "32"
	case r.Pruned():
		return "36"
	}
	switch prune.Reason(r.Reason) {
	case prune.NotReady, prune.Deadline, prune.JudgeError, prune.Internal, "not-stored":
		return "31"
	}
	return "2"
}

// plain keeps what a tool or session called itself from moving the cursor.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}
