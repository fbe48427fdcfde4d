package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/serve"
	"winnow/internal/state"
)

func cleanCmd() *cobra.Command {
	var older, size, dirFlag string
	var req api.CleanRequest
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Remove old originals from the store and give the space back",
		Long: "Remove originals that nobody has needed for long, the oldest first, and write the store anew without them.\n" +
			"The daemon does the same by itself, at its start and every six hours. What a session of the last 7 days\n" +
			"shows stays, whatever the limits; only --all removes that, too. A recall of what was removed says so.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := stateDir(dirFlag)
			if err != nil {
				return err
			}
			if err := limits(&req, older, size); err != nil {
				return withHint(err, "winnow clean --older 14d --size 100MB --dry-run")
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt)
			defer cancel()
			r, err := clean(ctx, dir, req)
			if errors.Is(err, errNoStore) {
				_, err = fmt.Fprintln(cmd.OutOrStdout(), err)
				return err
			}
			if err != nil {
				return err
			}
			printClean(cmd.OutOrStdout(), req, r, older, size)
			if r.Error != "" {
				return withHint(errors.New(r.Error), "winnow clean")
			}
			return nil
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&older, "older", "30d", "remove what is older: 12h, 30d")
	fl.StringVar(&size, "size", "200MB", "keep no more than that, the newest: 500KB, 200MB, 1GB")
	fl.BoolVar(&req.All, "all", false, "remove every original, and stores that were damaged and set aside")
	fl.BoolVar(&req.DryRun, "dry-run", false, "only say what would be removed")
	fl.StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	cmd.MarkFlagsMutuallyExclusive("all", "older")
	cmd.MarkFlagsMutuallyExclusive("all", "size")
	return cmd
}

var errNoStore = errors.New("nothing to remove")

// clean asks the daemon, or works on the file itself when none answers.
func clean(ctx context.Context, dir state.Dir, req api.CleanRequest) (api.CleanReply, error) {
	if c, err := client.Probe(ctx, dir); err == nil {
		defer c.Close()
		return c.Clean(ctx, req)
	}
	if _, err := os.Lstat(dir.Store()); err != nil {
		return api.CleanReply{}, fmt.Errorf("%w: nothing was ever hidden in %s", errNoStore, dir)
	}
	s, err := openStore(dir)
	if err != nil {
		return api.CleanReply{}, err
	}
	defer s.Close()
	return serve.Clean(ctx, s, req), nil
}

// limits puts what was typed into the request, where 0 means the default.
func limits(req *api.CleanRequest, older, size string) error {
	age, err := parseAge(older)
	if err != nil {
		return err
	}
	if req.OlderMS = age.Milliseconds(); req.OlderMS == 0 {
		req.OlderMS = 1
	}
	if req.MaxBytes, err = parseSize(size); err == nil && req.MaxBytes == 0 {
		req.MaxBytes = -1
	}
	return err
}

func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.ParseFloat(days, 64); err == nil && n >= 0 && n <= 36500 {
			return time.Duration(n * 24 * float64(time.Hour)), nil
		}
	} else if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("--older %q is not an age", s)
}

func parseSize(s string) (int64, error) {
	digits, unit := strings.ToUpper(strings.ReplaceAll(s, " ", "")), 1.0
	for _, u := range []struct {
		name  string
		bytes float64
	}{{"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}} {
		if d, ok := strings.CutSuffix(digits, u.name); ok {
			digits, unit = d, u.bytes
			break
		}
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(n >= 0 && n*unit <= 1e15) {
		return 0, fmt.Errorf("--size %q is not a size", s)
	}
	return int64(n * unit), nil
}

// printClean says what was done; every line is true of what is there, also when
// an error follows.
func printClean(w io.Writer, req api.CleanRequest, r api.CleanReply, older, size string) {
	removed := "removed"
	if req.DryRun {
		removed = "would remove"
	}
	why := fmt.Sprintf("older than %s, or the oldest over %s", older, size)
	if req.All {
		why = "all there are"
	}
	fmt.Fprintf(w, "%s %s (%s): %s\n", removed, number(r.Removed, "original"), megabytes(r.RemovedBytes), why)
	if r.Lost > 0 {
		fmt.Fprintf(w, "%s with markers of these: a recall there says that they have expired\n", number(r.Lost, "session"))
	}
	if r.Kept > 0 {
		fmt.Fprintf(w, "%s kept (%s); %s with markers of them\n", number(r.Kept, "original"), megabytes(r.KeptBytes), number(r.Sessions, "session"))
	}
	if r.Held > 0 {
		fmt.Fprintf(w, "%d of them over the limits, but shown by sessions of the last 7 days; --all removes them, too\n", r.Held)
	}
	if r.Damaged > 0 {
		fmt.Fprintf(w, "%s %s that had been set aside (%s)\n", removed, number(r.Damaged, "damaged store"), megabytes(r.DamagedBytes))
	}
	if r.After < r.Before {
		fmt.Fprintf(w, "the store's file went from %s to %s\n", megabytes(r.Before), megabytes(r.After))
	}
}

func number(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
