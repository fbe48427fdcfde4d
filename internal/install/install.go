// Package install puts winnow into Claude Code's configuration and takes it out
// again without a trace. Everything is planned first, so that it can be shown
// and asked about; a plan that finds all in place is empty.
//
// It edits the user's own files only, never a project's or managed ones, and it
// neither starts nor stops anything.
package install

import (
	"io/fs"
	"path/filepath"

	"winnow/internal/settings"
	"winnow/internal/state"
)

// Target is what an installation works on.
type Target struct {
	// Config is the folder of the client's configuration; Home is the user's.
	Config, Home string
	// Registry is the client's file of MCP servers and of much else; "": where it
	// is found.
	Registry string
	// State is winnow's own folder.
	State state.Dir
	// Files are those of the plugin; Exe is the binary that goes with them.
	Files fs.FS
	Exe   string
	// Version is that of both.
	Version string
}

// NewTarget finds the client's configuration.
func NewTarget(getenv func(string) string) (Target, error) {
	dir, err := settings.ConfigDir(getenv)
	t := Target{Config: dir, Home: getenv("HOME")}
	if getenv("CLAUDE_CONFIG_DIR") != "" {
		t.Registry = filepath.Join(dir, ".claude.json")
	}
	return t, err
}

// SettingsFile is the user's settings file.
func (t Target) SettingsFile() string { return filepath.Join(t.Config, "settings.json") }

// PluginDir is where the plugin is put: a place that does not move, for the first
// session after a move would still load the plugin from the old one.
func (t Target) PluginDir() string { return filepath.Join(string(t.State), "plugin") }

// Door is a way by which tool results come to winnow. At most one is installed.
type Door interface {
	// Name is what a person calls it.
	Name() string
	// Put plans what is missing of an installation by this door.
	Put(*Changes) error
	// Take plans to remove every trace of this door, whoever left it.
	Take(*Changes) error
}

// Install plans an installation by door: the other ones are taken out.
func Install(t Target, door Door, all []Door) (*Changes, error) {
	p, err := newChanges(t)
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if d.Name() != door.Name() {
			if err := d.Take(p); err != nil {
				return nil, err
			}
		}
	}
	p.record.Door = door.Name()
	if err := door.Put(p); err != nil {
		return nil, err
	}
	if !p.uses {
		p.takeTree(t.PluginDir())
	}
	return p, nil
}

// Uninstall plans to take everything out. A file that nobody wrote since the
// installation gets its old bytes back; in any other, what is ours is removed.
func Uninstall(t Target, all []Door) (*Changes, error) {
	p, err := newChanges(t)
	if err != nil {
		return nil, err
	}
	created := map[string]bool{}
	for _, u := range p.record.Undo {
		f, err := p.File(u.Path)
		if err != nil {
			return nil, err
		}
		f.Revert(u)
		created[u.Path] = u.Created
	}
	for _, d := range all {
		if err := d.Take(p); err != nil {
			return nil, err
		}
	}
	p.takeTree(t.PluginDir())
	for _, f := range p.files {
		if created[f.Path] {
			f.DropEmpty()
		}
	}
	p.removing = true
	return p, nil
}
