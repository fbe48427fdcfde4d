package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"winnow/internal/client"
	"winnow/internal/doctor"
	"winnow/internal/install"
	"winnow/internal/lock"
	"winnow/internal/price"
	"winnow/internal/purse"
	"winnow/internal/state"
)

type uninstallFlags struct {
	yes, purge, dryRun bool
	state              string
}

func uninstallCmd() *cobra.Command {
	var f uninstallFlags
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Take winnow out of Claude Code's configuration and stop the daemon",
		Long: "Take out of the client's configuration all that winnow, or the client because of it, put there; files that nobody\n" +
			"wrote since the installation get their old bytes back. The store of hidden text and your settings in ~/.winnow\n" +
			"stay, so that `winnow recall` still answers the markers of old sessions; --purge removes these, too.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := target(f.state)
			if err != nil {
				return err
			}
			return takeOut(cmd, t, f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.yes, "yes", false, "do not ask")
	fl.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	fl.BoolVar(&f.purge, "purge", false, "remove the store, the settings and the unpacked library, too")
	fl.StringVar(&f.state, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

func takeOut(cmd *cobra.Command, t install.Target, f uninstallFlags) error {
	plan := func() (*install.Changes, error) { return install.Uninstall(t, doors()) }
	p, err := plan()
	if err != nil {
		return mendFirst(err)
	}
	plain := planText(p)
	_, running := lock.Holder(t.State.Lock())
	if running {
		p.Note("stop the daemon")
	}
	if f.purge {
		for _, path := range ours(t.State) {
			p.Note("remove %s", path)
		}
	}
	w := cmd.OutOrStdout()
	if p.Empty() && len(p.Notes()) == 0 {
		fmt.Fprintln(w, "nothing to do: winnow is not installed, and no daemon runs")
		return nil
	}
	again := "winnow uninstall"
	if f.purge {
		again += " --purge"
	}
	if done, err := agreed(cmd, p, f.yes, f.dryRun, again+" --yes"); !done {
		return err
	}
	// The configuration first: without it nobody starts another daemon.
	if err := alone(t.State, plain, !f.yes, plan); err != nil {
		return wayOut(err, again)
	}
	if err := stopAny(cmd.Context(), t.State); err != nil {
		return withHint(err, "winnow serve --unstick && "+again)
	}
	os.RemoveAll(filepath.Join(string(t.State), "bin"))
	fmt.Fprintln(w, "done: winnow is out of the client's configuration; sessions that run now get whole results")
	return sayStore(w, t.State, f.purge)
}

// stopAny ends the daemon, also one that no longer answers.
func stopAny(ctx context.Context, dir state.Dir) error {
	if _, err := os.Stat(string(dir)); err != nil {
		return nil
	}
	if err := stop(ctx, dir); err != nil && !errors.Is(err, errHangs) {
		return err
	}
	_, err := client.Unstick(ctx, dir)
	return err
}

// sayStore says what the store still answers, or removes it.
func sayStore(w io.Writer, dir state.Dir, purge bool) error {
	n, err := liveSessions(dir)
	if err != nil {
		fmt.Fprintf(w, "the store cannot be read, so it is not known how many sessions hold markers: %v\n", err)
	}
	whose := fmt.Sprintf("%d sessions of the last 7 days hold markers", n)
	if n == 1 {
		whose = "1 session of the last 7 days holds markers"
	}
	if purge {
		if n > 0 {
			fmt.Fprintf(w, "%s that nobody can answer any more: ask for the files or commands anew there\n", whose)
		}
		return purgeState(w, dir)
	}
	if _, err := os.Lstat(dir.Store()); err != nil {
		return nil
	}
	fmt.Fprintf(w, "kept: %s (what was hidden, and your settings); %s, which `winnow recall KEY` answers\nnext: winnow uninstall --purge, when nobody needs that any more\n", dir, whose)
	return nil
}

// liveSessions counts the sessions that show markers; no store has none.
func liveSessions(dir state.Dir) (int, error) {
	if _, err := os.Lstat(dir.Store()); err != nil {
		return 0, nil
	}
	s, err := openStore(dir)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	return s.LiveSessions()
}

// ours lists what is winnow's in the state folder and the user's cache. The
// folder itself may be anybody's: WINNOW_DIR names it.
func ours(dir state.Dir) (out []string) {
	entries, _ := os.ReadDir(string(dir)) // no pattern of the whole path: its name may hold anything
	for _, e := range entries {
		if isOurs(e.Name()) {
			out = append(out, filepath.Join(string(dir), e.Name()))
		}
	}
	if cache, err := os.UserCacheDir(); err == nil {
		found, _ := filepath.Glob(filepath.Join(cache, "winnow", "ort-*"))
		out = append(out, found...)
	}
	return out
}

func isOurs(name string) bool {
	for _, pattern := range []string{"token", "daemon.json", "daemon.lock", "start.lock", "install.lock", "daemon.log*", "recall.db*", "decisions.jsonl*",
		"hello.json", "env", "install.json", "winnow.sock", "bin", "plugin", "seen", purse.FileName, price.FileName,
		// What a process that was killed in the middle of a write left.
		".token-*", ".daemon.json-*", ".hello.json-*", ".install.json-*", ".status-*", "." + purse.FileName + "-*"} {
		if found, _ := filepath.Match(pattern, name); found {
			return true
		}
	}
	return false
}

func purgeState(w io.Writer, dir state.Dir) error {
	var errs []error
	for _, path := range ours(dir) {
		errs = append(errs, os.RemoveAll(path))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		os.Remove(filepath.Join(cache, "winnow"))
	}
	if err := errors.Join(errs...); err != nil {
		return withHint(err, "ls -lA "+doctor.Quote(string(dir))+"  # what is there must be yours to remove; then: winnow uninstall --purge")
	}
	if err := os.Remove(string(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(w, "left: %s, which holds files that are not winnow's\n", dir)
	}
	return nil
}
