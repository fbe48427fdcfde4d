package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"winnow"
	"winnow/internal/client"
	"winnow/internal/doctor"
	"winnow/internal/host"
	"winnow/internal/install"
	"winnow/internal/mcp"
	"winnow/internal/settings"
	"winnow/internal/state"
)

type installFlags struct {
	yes, dryRun, folder, marketplace, http bool
	state                                  string
}

func installCmd() *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Put winnow into Claude Code's configuration",
		Long: "Show what has to change in your own configuration of Claude Code, ask, and change it. What is in place stays;\n" +
			"a newer winnow replaces an older one, also while sessions run. Comments, order and format of your settings stay.\n\n" +
			"--marketplace, the default, copies the plugin to ~/.winnow/plugin and enables it there. --folder links the\n" +
			"plugin's folder into the client's skills folder instead and touches no setting; a checkout is then used in place.\n" +
			"--http is for clients that are too old for the plugin: hooks in your settings file, and the tool to recall over MCP.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			t, err := target(f.state)
			if err != nil {
				return err
			}
			var door install.Door = install.Marketplace{}
			if f.folder {
				door = install.Folder{Dir: pluginFolder(t.Exe)}
			}
			if f.http {
				if door, err = httpDoor(cmd, t, f.dryRun); err != nil {
					return err
				}
			} else {
				warnOld(cmd, host.MinMod)
			}
			return putIn(cmd, t, door, f.yes, f.dryRun)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.yes, "yes", false, "do not ask")
	fl.BoolVar(&f.dryRun, "dry-run", false, "only show what would change")
	fl.BoolVar(&f.marketplace, "marketplace", false, "by a marketplace of one plugin (the default)")
	fl.BoolVar(&f.folder, "folder", false, "by a link in the client's skills folder")
	fl.BoolVar(&f.http, "http", false, "by hooks in your settings file, for clients too old for the plugin")
	fl.StringVar(&f.state, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	cmd.MarkFlagsMutuallyExclusive("marketplace", "folder", "http")
	return cmd
}

// doors are all the ways in; an installation by one takes the others out.
func doors() []install.Door {
	return []install.Door{install.Marketplace{}, install.Folder{}, install.HTTP{}}
}

// target says what to install into, and what.
func target(stateFlag string) (install.Target, error) {
	t, err := install.NewTarget(os.Getenv)
	if err != nil {
		return t, withHint(err, "HOME=/home/you winnow install")
	}
	if t.State, err = stateDir(stateFlag); err != nil {
		return t, err
	}
	exe, err := os.Executable()
	if err == nil {
		t.Exe, err = filepath.EvalSymlinks(exe)
	}
	if err != nil {
		return t, fmt.Errorf("find own binary: %w", err)
	}
	t.Files, t.Version = winnow.Plugin, version
	return t, nil
}

// pluginFolder is the plugin's folder that the binary lies in, "" for none.
func pluginFolder(exe string) string {
	dir := filepath.Dir(filepath.Dir(exe))
	if _, err := os.Stat(filepath.Join(dir, ".claude-plugin", "plugin.json")); err != nil {
		return ""
	}
	return dir
}

// warnOld says when the client on PATH is too old for a door.
func warnOld(cmd *cobra.Command, need string) {
	w, exe := cmd.ErrOrStderr(), host.Find(os.Getenv)
	if exe == "" {
		fmt.Fprintf(w, "note: no claude on PATH, so its version is not known; the plugin needs %s or newer\n", need)
		return
	}
	v, err := host.Version(cmd.Context(), exe)
	switch {
	case err != nil:
		fmt.Fprintf(w, "note: %s %v; the plugin needs %s or newer\n", exe, err, need)
	case host.Older(v, need):
		fmt.Fprintf(w, "warning: %s is %s; the plugin needs %s or newer, and an older one loads none of it\ntry: claude update  # or: winnow install --http\n", exe, v, need)
	}
}

// putIn plans, shows, asks, does, and says what comes next.
func putIn(cmd *cobra.Command, t install.Target, door install.Door, yes, dryRun bool) error {
	plan := func() (*install.Changes, error) { return install.Install(t, door, doors()) }
	p, err := plan()
	if err != nil {
		return mendFirst(err)
	}
	w := cmd.OutOrStdout()
	if p.Empty() {
		fmt.Fprintf(w, "nothing to do: winnow %s is installed (%s)\n", t.Version, door.Name())
		for _, n := range p.Notes() {
			fmt.Fprintln(w, n)
		}
		return nil
	}
	again := "winnow install --" + flagOf(door)
	if done, err := agreed(cmd, p, yes, dryRun, again+" --yes"); !done {
		return err
	}
	if err := t.State.Make(); err != nil {
		return wayOut(err, again)
	}
	if err := alone(t.State, planText(p), !yes, plan); err != nil {
		return wayOut(err, again)
	}
	newer := renew(cmd.Context(), t.State)
	fmt.Fprintf(w, "done: winnow %s is installed (%s)\n", t.Version, door.Name())
	if newer != "" {
		fmt.Fprintf(w, "note: a newer daemon, %s, runs on, and is used as long as it does\ntry: %s\n", newer,
			withState(cmd, "winnow serve --stop && winnow serve --ensure"))
	}
	fmt.Fprintln(w, "next: claude, a new session, then `winnow status`; sessions that run now go on as they began")
	return nil
}

func flagOf(door install.Door) string {
	if name := door.Name(); name != "plugin" {
		return name
	}
	return "marketplace"
}

// renew brings this version's daemon up where an older one runs. Where a newer one
// runs, it stays, and its version is returned.
func renew(ctx context.Context, dir state.Dir) (newer string) {
	c, err := client.Probe(ctx, dir)
	if err != nil {
		return ""
	}
	defer c.Close()
	if s, err := c.Status(ctx); err == nil && client.Compare(s.Version, version) > 0 {
		return s.Version
	}
	_ = ensure(ctx, dir) // else the next session does it
	return ""
}

// mendFirst points to a settings file that cannot be read.
func mendFirst(err error) error {
	if at, ok := errors.AsType[*settings.Error](err); ok {
		return withHint(err, doctor.Edit(at.Path, "mend it, then the same again; nothing was changed"))
	}
	if errors.Is(err, install.ErrForeign) {
		return withHint(err, "claude mcp remove --scope user "+mcp.Server+"  # or give that one another name, then the same again")
	}
	return err
}

var errNothingChanged = errors.New("nothing was changed")

// agreed shows the plan and reports whether to go on.
func agreed(cmd *cobra.Command, p *install.Changes, yes, dryRun bool, how string) (bool, error) {
	w := cmd.OutOrStdout()
	p.Show(w)
	switch {
	case dryRun:
		fmt.Fprintln(w, "nothing was changed (--dry-run)")
		return false, nil
	case yes:
		return true, nil
	}
	fmt.Fprint(w, "Go on? [y/N] ")
	answer, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("read the answer: %w", err)
	}
	if answer == "" {
		fmt.Fprintln(w)
		return false, withHint(errNothingChanged, how)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	return false, withHint(errNothingChanged, "") // as was said
}
