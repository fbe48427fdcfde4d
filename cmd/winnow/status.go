package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/config"
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
		return withHint(fmt.Errorf("no daemon answers for %s", dir), "winnow serve --ensure")
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
	fmt.Fprintf(w, "daemon   pid %d, version %s (%s), up %v\n", st.Pid, st.Version, st.Build, (time.Duration(st.UptimeMS) * time.Millisecond).Round(time.Second))
	fmt.Fprintf(w, "mode     %s\n", modeLine(st))
	fmt.Fprintf(w, "judge    %s, %s\n", st.Judge, st.JudgeState)
	fmt.Fprintf(w, "listens  %s, %s\n", st.Socket, portLine(st.Port))
	for _, e := range []struct{ what, msg string }{{"config", st.ConfigError}, {"store", st.StoreError}} {
		if e.msg != "" {
			fmt.Fprintf(w, "%-8s %s\n", e.what, e.msg)
		}
	}
	printDeeds(w, st.Counts)
	for _, name := range slices.Sorted(maps.Keys(st.Counts)) {
		fmt.Fprintf(w, "  %-28s %d\n", name, st.Counts[name])
	}
}

func portLine(port int) string {
	if port == 0 {
		return "no port (winnow doctor says why)"
	}
	return fmt.Sprintf("127.0.0.1:%d", port)
}

// printDeeds says what was hidden, or would have been, and what was asked back.
func printDeeds(w io.Writer, c map[string]int64) {
	if n := c["shadow.pruned"]; n > 0 {
		fmt.Fprintf(w, "shadow   would have hidden %d characters of %d results (%d read in all)\n", c["shadow.chars_hidden"], n, c["results"])
	}
	if n := c["active.pruned"]; n > 0 {
		fmt.Fprintf(w, "active   hid %d characters of %d results (%d read in all)\n", c["active.chars_hidden"], n, c["results"])
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
