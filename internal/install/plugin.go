package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/internal/settings"
)

// Names of the plugin in the client's files: by a marketplace, by a folder, and
// for one run with --plugin-dir.
const (
	byMarketplace = "winnow@winnow"
	byFolder      = "winnow@skills-dir"
	byRun         = "winnow@inline"
)

// Marketplace installs the plugin by a marketplace of one plugin. Two entries of
// the user's settings do it: the client then loads the plugin in place from the
// first session on, and keeps its own books. Its command line would do the same,
// but writes the whole settings file anew, in an order of its own.
type Marketplace struct{}

// Name says "plugin".
func (Marketplace) Name() string { return "plugin" }

func source(dir string) any {
	type inner struct {
		Source string `json:"source"`
		Path   string `json:"path"`
	}
	return struct {
		Source inner `json:"source"`
	}{inner{"directory", dir}}
}

// Put plans the plugin's folder and the two entries.
func (m Marketplace) Put(p *Changes) error {
	if err := p.putFolder(); err != nil {
		return err
	}
	f, err := p.Settings()
	if err != nil {
		return err
	}
	p.noteUnread(f)
	if err := f.Set(source(p.PluginDir()), "extraKnownMarketplaces", "winnow"); err != nil {
		return err
	}
	if err := f.Set(true, "enabledPlugins", byMarketplace); err != nil {
		return err
	}
	if Installed(p.Target) == "" { // else they are there because of us
		p.noteAbsent(p.marketplaces(), p.plugins(), p.Config)
	}
	return nil
}

// The client's own books.
func (t Target) marketplaces() string {
	return filepath.Join(t.Config, "plugins", "known_marketplaces.json")
}
func (t Target) plugins() string { return filepath.Join(t.Config, "plugins", "installed_plugins.json") }

// Take plans to remove the two entries and what the client noted because of them.
func (m Marketplace) Take(p *Changes) error {
	f, err := p.Settings()
	if err != nil {
		return err
	}
	for _, path := range [][]string{{"extraKnownMarketplaces", "winnow"}, {"enabledPlugins", byMarketplace}} {
		if err := f.Delete(path...); err != nil {
			return err
		}
	}
	if err := p.strike(p.marketplaces(), `{}`, "winnow"); err != nil {
		return err
	}
	if err := p.strike(p.plugins(), `{"version":2,"plugins":{}}`, "plugins", byMarketplace); err != nil {
		return err
	}
	p.takeUsage(byMarketplace)
	for _, dir := range []string{"cache/winnow", "marketplaces/winnow", "data/winnow-winnow"} {
		p.takeTree(filepath.Join(p.Config, "plugins", filepath.FromSlash(dir)))
	}
	return nil
}

// strike removes a key from one of the client's books. One that did not exist
// before winnow and holds nothing else goes whole.
func (p *Changes) strike(path, empty string, keys ...string) error {
	f, err := p.File(path)
	if err != nil {
		return err
	}
	if err := f.Drop(keys...); err != nil {
		return err
	}
	for _, was := range p.record.Absent {
		if was == path {
			f.DropIf(json.RawMessage(empty))
		}
	}
	return nil
}

// takeUsage removes the plugin from the client's count of uses. That file is the
// client's memory of much else: what is not as expected is left alone.
func (p *Changes) takeUsage(id string) {
	path := p.registry()
	if fi, err := os.Stat(path); err != nil || fi.Size() > settings.MaxSize {
		return
	}
	if f, err := p.File(path); err == nil {
		_ = f.Drop("pluginUsage", id)
	}
}

// takeTree plans to remove a folder that is ours, if it is there.
func (p *Changes) takeTree(dir string) {
	if _, err := os.Lstat(dir); err == nil {
		p.After("remove "+dir, func() error { return os.RemoveAll(dir) })
	}
}

// Folder installs the plugin by a link in the client's folder of skills, from
// which it loads plugins, too. No setting is touched, and a plugin that is worked
// on is loaded where it lies.
type Folder struct {
	// Dir is the plugin's folder; "" is a copy, as for a marketplace.
	Dir string
}

// Name says "folder".
func (Folder) Name() string { return "folder" }

func (t Target) link() string { return filepath.Join(t.Config, "skills", "winnow") }

// Put plans the link.
func (d Folder) Put(p *Changes) error {
	dir := d.Dir
	if dir == "" {
		dir = p.PluginDir()
		if err := p.putFolder(); err != nil {
			return err
		}
	}
	link := p.link()
	to, err := os.Readlink(link)
	if err == nil && to == dir {
		return nil
	}
	if _, there := os.Lstat(link); there == nil && err != nil {
		return fmt.Errorf("%s is there and is no link; move it away first", link)
	}
	p.noteAbsent(filepath.Dir(link), p.Config)
	p.Before(fmt.Sprintf("link %s to %s", link, dir), func() error {
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			return err
		}
		if err := os.Remove(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return os.Symlink(dir, link)
	})
	return nil
}

// Take plans to remove the link, and nothing behind it.
func (Folder) Take(p *Changes) error {
	link := p.link()
	if fi, err := os.Lstat(link); err == nil && fi.Mode()&fs.ModeSymlink != 0 {
		p.After("remove the link "+link, func() error { return os.Remove(link) })
	}
	p.takeUsage(byFolder)
	p.takeUsage(byRun)
	p.takeTree(filepath.Join(p.Config, "plugins", "data", "winnow-skills-dir"))
	return nil
}
