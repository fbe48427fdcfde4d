package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/decisions"
	"winnow/internal/purse"
	"winnow/internal/state"
)

func decisionsFile(dir state.Dir) string { return filepath.Join(string(dir), decisions.FileName) }

// unreadable is what is said of a log that is no plain file.
func unreadable(err error) error {
	return withHint(fmt.Errorf("read decisions: %w", err), "winnow doctor  # says what stands in the log's place")
}

func statsCmd() *cobra.Command {
	var asJSON bool
	var since, dirFlag string
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Say what was hidden, what it saved and what was asked back",
		Long: "Sum up the decision log. Characters and tokens saved count each hidden text once, as the host would have\n" +
			"shown it, less what markers, views of saved outputs and recalls brought in; tokens are characters divided by 4.\n" +
			"Regret is recalled keys over hidden keys. Repeated are pruned calls that were made once more, or whose file was\n" +
			"read once more, within the next 10 calls of their loop; in shadow mode nothing was hidden, so its rate is what\n" +
			"happens anyway. A recall that a person typed counts like an agent's.\n" +
			"Second is the second judge's money, by whole days and at list prices: what its questions cost; gross, what its cuts\n" +
			"beyond the local judge's were worth by the requests that went without them so far; what was asked back; and the net.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := stateDir(dirFlag)
			if err != nil {
				return err
			}
			from, err := parseSince(since, time.Now())
			if err != nil {
				return withHint(err, "winnow stats --since 7d  # or 24h, or 2026-01-31")
			}
			sum, err := summarize(dir, from)
			if err != nil {
				return err
			}
			money, err := readMoney(dir, from)
			if err != nil {
				return withHint(err, "winnow doctor")
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				return enc.Encode(statsJSON(sum, money))
			}
			printStats(cmd.OutOrStdout(), dir, sum)
			printMoney(cmd.OutOrStdout(), money)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&since, "since", "", "only what is newer: 24h, 7d, or a date (2026-01-31, or with a time as in RFC 3339)")
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

// parseSince reads a time or how long ago it was; "" is the zero time.
func parseSince(s string, now time.Time) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither a duration nor a date", s)
}

func summarize(dir state.Dir, from time.Time) (decisions.Summary, error) {
	t := decisions.NewTally()
	for r, err := range decisions.All(decisionsFile(dir)) {
		switch {
		case errors.Is(err, decisions.ErrLine):
			t.Bad()
		case err != nil:
			return t.Summary(), unreadable(err)
		case !r.Time.Before(from):
			t.Add(r)
		}
	}
	return t.Summary(), nil
}

// statsJSON adds the two shares that people look for.
func statsJSON(sum decisions.Summary, m purse.Sum) any {
	type rates struct {
		Regret   float64 `json:"regret"`
		Implicit float64 `json:"implicit_regret"`
	}
	type side struct {
		decisions.Side
		rates
	}
	with := func(s decisions.Side) side { return side{s, rates{s.Regret(), s.Implicit()}} }
	type folded struct {
		decisions.Folded
		Regret float64 `json:"regret"`
	}
	type seen struct {
		Shadow folded `json:"shadow"`
		Active folded `json:"active"`
	}
	return struct {
		decisions.Summary
		Shadow side `json:"shadow"`
		Active side `json:"active"`
		Seen   seen `json:"seen"`
		Second any  `json:"second,omitempty"`
	}{sum, with(sum.Shadow), with(sum.Active), seen{
		folded{sum.Seen.Shadow, sum.Seen.Shadow.Regret()}, folded{sum.Seen.Active, sum.Seen.Active.Regret()},
	}, moneyJSON(m)}
}

func printStats(w io.Writer, dir state.Dir, sum decisions.Summary) {
	if sum.From.IsZero() {
		fmt.Fprintf(w, "no decisions in %s for this time\n", dir)
	} else {
		const layout = "2006-01-02 15:04"
		fmt.Fprintf(w, "from     %s to %s, %s\n", sum.From.Local().Format(layout), sum.To.Local().Format(layout), howMany(sum.Sessions, "session"))
	}
	if sum.BadLines > 0 {
		fmt.Fprintf(w, "log      %s could not be read\n", howMany(sum.BadLines, "line"))
	}
	if sum.Active.Results+sum.Active.Recalls > 0 {
		printSide(w, "active", "hid", &sum.Active)
	}
	if sum.Shadow.Results > 0 {
		printSide(w, "shadow", "would have hidden", &sum.Shadow)
	}
	printSeen(w, "active", "folded", &sum.Seen.Active)
	printSeen(w, "shadow", "would have folded", &sum.Seen.Shadow)
	printWays(w, sum)
	if len(sum.Reasons) > 0 {
		printReasons(w, sum)
	}
}

func printSide(w io.Writer, name, verb string, s *decisions.Side) {
	fmt.Fprintf(w, "\n%-8s %s, %d pruned: %s %s behind %s\n", name, howMany(s.Results, "result"), s.Pruned, verb, howMany(s.Hidden, "character"), howMany(s.Keys, "key"))
	fmt.Fprintf(w, "  saved     %d characters, some %d tokens, %.1f %% of what the host would have shown\n", s.Saved, s.Tokens, percent(s.Saved, s.Shown))
	fmt.Fprintf(w, "            (%d hidden - %d of markers - %d of views of saved outputs - %d of recalls)\n", s.Hidden, s.Markers, s.Views, s.RecallCost)
	if s.Recalls > 0 {
		fmt.Fprintf(w, "  recalls   %d, %d of them without an answer\n", s.Recalls, s.Misses)
	}
	if s.Keys > 0 && name == "active" {
		fmt.Fprintf(w, "  regret    %d of %s recalled (%.1f %%)\n", s.Recalled, howMany(s.Keys, "key"), 100*s.Regret())
	}
	if s.Pruned > 0 {
		fmt.Fprintf(w, "  repeated  %d of %s (%.1f %%), %d more after an edit\n", s.Again, howMany(s.Pruned, "pruned call"), 100*s.Implicit(), s.AgainEdited)
	}
	for _, k := range slices.Sorted(maps.Keys(s.Kinds)) {
		v := s.Kinds[k]
		fmt.Fprintf(w, "  %-9s %s, %d pruned, %d characters less (%.1f %%)\n", plain(k), howMany(v.Results, "result"), v.Pruned, v.Saved, percent(v.Saved, v.Shown))
	}
}

// printSeen says what of it loops were shown before.
func printSeen(w io.Writer, mode, verb string, f *decisions.Folded) {
	if f.Results == 0 {
		return
	}
	fmt.Fprintf(w, "\nseen     %s, %s: %s %s behind %s\n", howMany(f.Results, "result"), mode, verb, howMany(f.Hidden, "character"), howMany(f.Keys, "key"))
	fmt.Fprintf(w, "  saved     %d characters (%d - %d of markers - %d of recalls)\n", f.Saved, f.Hidden, f.Markers, f.RecallCost)
	if mode == "active" {
		fmt.Fprintf(w, "  regret    %d of %s recalled (%.1f %%)\n", f.Recalled, howMany(f.Keys, "key"), 100*f.Regret())
	}
}

// printWays says how results came, who judged them and how long it took.
func printWays(w io.Writer, sum decisions.Summary) {
	if len(sum.Doors) > 0 {
		fmt.Fprintf(w, "\ndoors    %s\n", counted(sum.Doors))
	}
	if j := sum.JudgeTime; j.N > 0 {
		by := ""
		if len(sum.Judges) > 0 { // earlier releases did not say
			by = ": " + counted(sum.Judges)
		}
		fmt.Fprintf(w, "judged   %s%s\n", howMany(j.N, "result"), by)
		fmt.Fprintf(w, "time     %s for the judge (95 %%: %s, most: %s)\n", ms(j.Half), ms(j.Most), ms(j.Max))
		fmt.Fprintf(w, "         %s in all (95 %%: %s, most: %s)\n", ms(sum.WholeTime.Half), ms(sum.WholeTime.Most), ms(sum.WholeTime.Max))
	}
}

// counted lists names with their numbers.
func counted(n map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(n)) {
		out = append(out, fmt.Sprintf("%d by %s", n[k], plain(k)))
	}
	return strings.Join(out, ", ")
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

func howMany(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// printReasons is a table: a line a reason, a column a kind of call.
func printReasons(w io.Writer, sum decisions.Summary) {
	kinds := map[string]bool{}
	for _, by := range sum.Reasons {
		for k := range by {
			kinds[k] = true
		}
	}
	columns := slices.Sorted(maps.Keys(kinds))
	fmt.Fprintf(w, "\n%-18s", "results")
	for _, k := range columns {
		fmt.Fprintf(w, " %7s", plain(k))
	}
	fmt.Fprintf(w, " %7s\n", "all")
	for _, reason := range slices.Sorted(maps.Keys(sum.Reasons)) {
		all := 0
		fmt.Fprintf(w, "%-18s", plain(reason))
		for _, k := range columns {
			n := sum.Reasons[reason][k]
			all += n
			fmt.Fprintf(w, " %7d", n)
		}
		fmt.Fprintf(w, " %7d\n", all)
	}
}
