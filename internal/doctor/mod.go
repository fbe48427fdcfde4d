package doctor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/internal/api"
	"winnow/internal/host"
	"winnow/internal/transcript"
)

// plugin looks whether the client's settings enable it, or a session was given
// its folder.
func (f *facts) plugin(context.Context) Finding {
	on, off := f.enabled()
	hellos, _ := f.Dir.ReadHellos()
	switch {
	case len(on) > 1 && on[1].name == byFolder:
		return warn(f.winnow("install"), "%s and %s are both enabled: results go to the daemon twice", on[0].name, on[1].name)
	case len(on) > 1:
		return warn("claude plugin uninstall "+Quote(on[1].name), "%s and %s are both enabled: results go to the daemon twice", on[0].name, on[1].name)
	case len(on) == 1 && on[0].name == byFolder:
		return ok("%s is loaded from %s", on[0].name, on[0].path)
	case len(on) == 1:
		return ok("%s is enabled in %s", on[0].name, on[0].path)
	case len(off) > 0:
		return warn("claude plugin enable "+Quote(off[0].name), "%s is switched off in %s", off[0].name, off[0].path)
	case f.posts():
		return ok("not enabled; settings-file hooks are set up instead")
	case len(hellos) > 0:
		return ok("in no settings file; a session loaded it from %s", hellos[0].Root)
	case f.ignored() != nil:
		return warn(Edit(f.ignored().path, "mend it, or: "+f.winnow("install --folder")),
			"no session loaded it, and whatever enables it in %s counts for nothing: the client ignores that file", f.ignored().path)
	}
	return warn(f.winnow("install"), "in no settings file of the client, and no session loaded it")
}

// byFolder is our plugin's name where the client's folder of skills holds it
// (`winnow install --folder`); no setting need name it then.
const byFolder = "winnow@skills-dir"

// choice is a plugin that a settings file switches on or off, or a link brings.
type choice struct{ name, path string }

// enabled lists our plugin by its marketplaces; of each the first file counts.
func (f *facts) enabled() (on, off []choice) {
	decided := map[string]bool{}
	for _, h := range f.host {
		for _, name := range h.pluginNames() {
			switch c := (choice{name, h.path}); {
			case decided[name]:
			case h.Plugins[name]:
				on = append(on, c)
			default:
				off = append(off, c)
			}
			decided[name] = true
		}
	}
	link := filepath.Join(host.UserDir(f.Getenv), "skills", "winnow")
	if _, err := os.Stat(filepath.Join(link, ".claude-plugin", "plugin.json")); err == nil && !decided[byFolder] {
		on = append(on, choice{byFolder, link})
	}
	return on, off
}

// posts reports whether a settings file holds a hook that posts to us.
func (f *facts) posts() bool {
	return slices.ContainsFunc(f.host, func(h hostFile) bool { return h.posts })
}

// mod looks whether sessions load the mod: those that do, say hello; those that
// do not, leave a session file of the client all the same.
func (f *facts) mod(ctx context.Context) Finding {
	hellos, _ := f.Dir.ReadHellos() // none can be read: nobody said it
	silent, version := f.silent(ctx, hellos)
	if silent != "" {
		return f.notLoaded(silent, version, hellos)
	}
	if len(hellos) > 0 {
		h := hellos[0]
		return ok("session %s said hello at %s, client %s, from %s", h.Session, when(h.At), known(h.Client), h.Root)
	}
	if f.posts() {
		return ok("not used: settings-file hooks are set up instead")
	}
	if v, _ := f.clientVersion(); v != "" && host.Older(v, MinClient) {
		return warn("claude update", "no session has loaded it: the client is %s, and one older than %s loads none of it", v, MinClient)
	}
	return warn("claude", "no session has loaded it yet")
}

func (f *facts) notLoaded(session, version string, hellos []api.Hello) Finding {
	last := "none ever did"
	if len(hellos) > 0 {
		last = "the last that did was " + hellos[0].Session + " at " + when(hellos[0].At)
	}
	switch on, _ := f.enabled(); {
	case version != "" && host.Older(version, MinClient):
		return fail("claude update", "session %s ran on client %s, and one older than %s loads none of it; %s", session, version, MinClient, last)
	case f.posts():
		return ok("session %s did not load it; settings-file hooks are set up instead", session)
	case len(on) == 0 && f.ignored() != nil:
		return warn(Edit(f.ignored().path, "mend it, or: "+f.winnow("install --folder")),
			"session %s did not load it, and the client ignores %s; %s", session, f.ignored().path, last)
	case len(on) == 0:
		return warn(f.winnow("install"), "session %s of client %s did not load it, and no settings file enables it; %s", session, known(version), last)
	}
	return warn("claude --debug  # its log says why the mod is not loaded", "session %s of client %s did not load it; %s", session, known(version), last)
}

// recent is how many sessions are looked at, and for how far back.
const (
	recentSessions = 5
	recentTime     = 7 * 24 * time.Hour
)

// silent returns the newest session that went on after the last hello and never
// said one itself, "" for none, and its client's version.
func (f *facts) silent(ctx context.Context, hellos []api.Hello) (id, version string) {
	since := f.installed()
	if len(hellos) > 0 && hellos[0].At.After(since) {
		since = hellos[0].At
	}
	all := f.sessions()
	for _, s := range all[:min(len(all), recentSessions)] {
		greeted := slices.ContainsFunc(hellos, func(h api.Hello) bool { return h.Session == s.id })
		if greeted || time.Since(s.changed) > recentTime {
			continue
		}
		a, err := transcript.AboutOf(ctx, s.path)
		if err != nil || a.Session != s.id || !a.Latest.After(since) {
			continue
		}
		return s.id, host.VersionRE.FindString(a.Version)
	}
	return "", ""
}

// installed says when `winnow install` last changed anything; a session of before
// says nothing about how it is now.
func (f *facts) installed() time.Time {
	fi, err := os.Stat(filepath.Join(string(f.Dir), "install.json"))
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime()
}

func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func known(version string) string {
	if strings.TrimSpace(version) == "" {
		return "of an unknown version"
	}
	return version
}
