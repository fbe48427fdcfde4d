package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/config"
	"winnow/internal/state"
)

func statusCmd() *cobra.Command {
	var asJSON bool
	var dirFlag string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Say whether the daemon runs and what it did",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return status(cmd, dirFlag, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

func status(cmd *cobra.Command, dirFlag string, asJSON bool) error {
	dir, err := stateDir(dirFlag)
	if err != nil {
		return err
	}
	c, err := client.Probe(cmd.Context(), dir)
	if err != nil {
		return noDaemon(dir)
	}
	defer c.Close()
	st, err := c.Status(cmd.Context())
	if err != nil {
		return err
	}
	if asJSON {
		enc := json.NewEncoder(cmd.OutOrStdout())
		enc.SetIndent("", "  ")
		return enc.Encode(st)
	}
	printStatus(cmd.OutOrStdout(), st)
	return nil
}

func printStatus(w io.Writer, st api.Status) {
	fmt.Fprintf(w, "daemon   pid %d, version %s (%s), up %v%s\n", st.Pid, st.Version, st.Build, ago(st.UptimeMS), leavingLine(st))
	fmt.Fprintf(w, "mode     %s\n", modeLine(st))
	fmt.Fprintf(w, "judge    %s, %s\n", st.Judge, st.JudgeState)
	fmt.Fprintf(w, "listens  %s, %s\n", st.Socket, portLine(st))
	fmt.Fprintf(w, "doors    %s\n", doorsLine(st.Doors))
	if st.StoreOpening {
		fmt.Fprintln(w, "store    opening; until then nothing is hidden")
	}
	for _, e := range []struct{ what, msg string }{{"config", st.ConfigError}, {"store", st.StoreError}} {
		if e.msg != "" {
			fmt.Fprintf(w, "%-8s %s\n", e.what, e.msg)
		}
	}
	if st.Second != nil {
		fmt.Fprintf(w, "second   %s\n", secondLine(st.Second))
	}
	printDeeds(w, st.Counts)
	for _, name := range slices.Sorted(maps.Keys(st.Counts)) {
		fmt.Fprintf(w, "  %-28s %d\n", name, st.Counts[name])
	}
}

// noDaemon says that none answers and, where that is so, why none can.
func noDaemon(dir state.Dir) error {
	err := fmt.Errorf("no daemon answers for %s", dir)
	t, werr := os.CreateTemp(string(dir), ".status-*")
	if werr == nil {
		t.Close()
		os.Remove(t.Name())
	}
	if werr == nil || errors.Is(werr, os.ErrNotExist) {
		return withHint(err, "winnow serve --ensure")
	}
	return withHint(fmt.Errorf("%w: nothing can be written there, so none can start and all results stay whole: %w", err, werr), "winnow doctor")
}

func ago(ms int64) time.Duration { return (time.Duration(ms) * time.Millisecond).Round(time.Second) }

func leavingLine(st api.Status) string {
	if st.Leaving {
		return "; it leaves and finishes what it answers"
	}
	return ""
}

func portLine(st api.Status) string {
	switch {
	case st.Port != 0:
		return fmt.Sprintf("127.0.0.1:%d", st.Port)
	case st.PortError != "":
		return "no port: " + st.PortError
	}
	return "no port (winnow doctor says why)"
}

// doorsLine says who came, and how long ago.
func doorsLine(all []api.Door) string {
	if len(all) == 0 {
		return "nobody came yet"
	}
	var out []string
	for _, d := range all {
		out = append(out, fmt.Sprintf("%s %s, last %v ago", d.Name, howMany(int(d.Requests), "time"), ago(d.LastMS)))
	}
	return strings.Join(out, "; ")
}

// printDeeds says what was hidden, or would have been, and what was asked back.
func printDeeds(w io.Writer, c map[string]int64) {
	if n := c["shadow.pruned"]; n > 0 {
		fmt.Fprintf(w, "shadow   would have hidden %d characters of %s (%d read in all)\n", c["shadow.chars_hidden"], howMany(int(n), "result"), c["results"])
	}
	if n := c["active.pruned"]; n > 0 {
		fmt.Fprintf(w, "active   hid %d characters of %s (%d read in all)\n", c["active.chars_hidden"], howMany(int(n), "result"), c["results"])
	}
	if p := c["keys.pruned"]; p > 0 {
		r := c["keys.recalled"]
		fmt.Fprintf(w, "regret   %d of %d hidden keys recalled (%.1f %%)\n", r, p, 100*float64(r)/float64(p))
	}
}

// modeLine says what a mode does where its name does not.
func modeLine(st api.Status) string {
	switch {
	case st.Setting != config.Auto:
		return st.Setting
	case len(st.ActiveFor) == 0:
		return "auto: shadow, this judge's losses are not known well enough for any kind of call"
	}
	return "auto: active for " + strings.Join(st.ActiveFor, ", ") + "; shadow for the rest"
}
