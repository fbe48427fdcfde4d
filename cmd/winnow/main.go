// Command winnow keeps what a tool printed and the task does not need out of
// Claude Code's context, recoverably. See README.md and docs/design.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"winnow/internal/doctor"
)

// version is set by the build (-ldflags -X main.version=...).
var version = "dev"

// buildID, set by the build like version, names the build where the binary cannot
// know the commit that it was made from.
var buildID string

func main() { os.Exit(run()) }

// run returns the exit code: 0, or 1 for any error. It is never 2, which a
// hook's caller would read as "block".
func run() (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(os.Stderr, "winnow: internal error: %v\n%s", p, debug.Stack())
			code = 1
		}
	}()
	if cmd, err := root().ExecuteContextC(context.Background()); err != nil {
		fmt.Fprintf(os.Stderr, "winnow: %v\n", err)
		if hint := hintFor(cmd, err); hint != "" {
			fmt.Fprintf(os.Stderr, "try: %s\n", hint)
		}
		return 1
	}
	return 0
}

// hintFor is the next command after an error: its own, else what its command says
// of itself.
func hintFor(cmd *cobra.Command, err error) string {
	var h hinted
	if errors.As(err, &h) {
		return withState(cmd, h.hint)
	}
	return cmd.CommandPath() + " --help"
}

// withState gives the commands of a hint the state folder that cmd was given.
func withState(cmd *cobra.Command, hint string) string {
	given := cmd.Flags().Lookup("state")
	if given == nil || !given.Changed {
		return hint
	}
	command, words, commented := strings.Cut(hint, "  # ")
	parts := strings.Split(command, " && ")
	for i, part := range parts {
		w := strings.Fields(part)
		if len(w) < 2 || w[0] != "winnow" || slices.Contains(w, "--state") {
			continue
		}
		if c, _, err := cmd.Root().Find(w[1:]); err == nil && c.Flags().Lookup("state") != nil {
			parts[i] += " --state " + doctor.Quote(given.Value.String())
		}
	}
	command = strings.Join(parts, " && ")
	if commented {
		command += "  # " + words
	}
	return command
}

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:           "winnow",
		Short:         "Hide what a tool printed and the task does not need, recoverably",
		Version:       version + " (" + build() + ")",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	cmd.AddCommand(installCmd(), uninstallCmd(), versionCmd(), manCmd(), serveCmd(), statusCmd(), configCmd(), doctorCmd(), hookCmd(), recallCmd(), retrieveCmd(), compressCmd(), tableCmd(), dedupeCmd(), rehydrateCmd(), mcpCmd(), cleanCmd(), statsCmd(), tailCmd(), scoreCmd(), askCmd(), pruneCmd(), benchCmd(), evalCmd(), featuresCmd(), replayCmd())
	cmd.InitDefaultCompletionCmd()
	for _, c := range cmd.Commands() {
		if c.HasSubCommands() && !c.Runnable() {
			c.RunE = helpOnly
		}
	}
	return cmd
}

// helpOnly is a command that only has others below it. By itself cobra shows its help
// for one that is not there, too, and calls that success.
func helpOnly(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown command %q for %q", args[0], cmd.CommandPath())
	}
	return cmd.Help()
}

// build names the commit the binary was made from, "unknown" outside a checkout.
func build() string {
	if buildID != "" {
		return buildID
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	rev, dirty := "unknown", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			rev = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+"
		}
	}
	return rev + dirty
}

// hinted is an error with the next command to try, as it can be typed: what else is
// to be said stands behind "  # ". "" says that none is needed.
type hinted struct {
	error
	hint string
}

func (h hinted) Unwrap() error { return h.error }

func withHint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return hinted{err, hint}
}
