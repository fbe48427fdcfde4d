package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/api"
	"winnow/internal/host"
	"winnow/internal/install"
	"winnow/internal/mcp"
)

// hookDoor lists the checks of what only settings-file hooks need: what the
// client allows them, where they go, and who has the port.
func (f *facts) hookDoor() []check {
	return []check{
		{"port", f.port}, {"proxy", f.proxy}, {"hooks", f.hooks}, {"hook urls", f.hookURLs},
		{"hook door", f.settingsHooks}, {"recall", f.hookRecall}, {"doors", f.doors},
	}
}

// anew writes the hooks as they must be.
func (f *facts) anew() string { return f.winnow("install --http") }

// ownHooks lists our hooks by the files that hold them.
func (f *facts) ownHooks() (files []hostFile, hooks [][]host.Hook) {
	for _, h := range f.host {
		var ours []host.Hook
		for _, k := range h.Hooks {
			if install.OwnHook(k) {
				ours = append(ours, k)
			}
		}
		if slices.ContainsFunc(ours, posts) {
			files, hooks = append(files, h), append(hooks, ours)
		}
	}
	return files, hooks
}

func posts(h host.Hook) bool { return h.Type == "http" }

// settingsHooks looks whether hooks in settings files still lead to us.
func (f *facts) settingsHooks(context.Context) Finding {
	files, hooks := f.ownHooks()
	if len(files) == 0 {
		return ok("not set up: no settings file posts to the daemon")
	}
	user := filepath.Join(host.UserDir(f.Getenv), "settings.json")
	for i, h := range files {
		if h.path != user {
			return warn(Edit(h.path, "remove the hooks of winnow")+" && "+f.anew(),
				"%s holds our hooks, and the token with them: they belong into your own %s", h.path, user)
		}
		if out := f.outdated(hooks[i]); out != "" {
			return fail(f.anew(), "%s: %s", h.path, out)
		}
		if fi, err := os.Stat(h.path); err == nil && fi.Mode().Perm()&0o077 != 0 {
			return warn("chmod 600 "+Quote(h.path), "%s holds the token, and its mode %#o lets others read it", h.path, fi.Mode().Perm())
		}
	}
	return ok("%s posts to %s, with the token of now", files[0].path, hooks[0][slices.IndexFunc(hooks[0], posts)].URL)
}

// outdated says what of our hooks is not as it would be written now, "" for nothing.
func (f *facts) outdated(hooks []host.Hook) string {
	token, _ := f.Dir.ReadToken(false)
	url := fmt.Sprintf("http://127.0.0.1:%d%s", f.hookPort(), api.PathHook)
	for _, h := range hooks {
		switch {
		case h.Type == "command":
			if exe := commandOf(h.Command); exe != "" && !runs(exe) {
				return "the hook that starts the daemon runs " + exe + ", which is not there"
			}
		case f.hookPort() != 0 && h.URL != url:
			return fmt.Sprintf("the hooks post to %s, the daemon's port is %d", h.URL, f.hookPort())
		case token != "" && h.Headers[api.TokenHeader] != token:
			return "the hooks hold an old token"
		case h.Event != "PostToolUse":
			return "a hook posts at " + h.Event + ", where an outage of the daemon can stop work"
		case h.Timeout < 2 || h.Timeout > 10:
			return fmt.Sprintf("a hook may take %v seconds (0: 600); from 2 to 10 are good", h.Timeout)
		}
	}
	return ""
}

// hookPort is the port that hooks must name, 0 where that is not known.
func (f *facts) hookPort() int {
	if f.cfg.Port == 0 && f.status != nil {
		return f.status.Port
	}
	return f.cfg.Port
}

// commandOf is the program of a command line that [install.HTTP] wrote.
func commandOf(line string) string {
	head, _, _ := strings.Cut(line, " serve --ensure")
	return strings.ReplaceAll(strings.Trim(head, `'"`), `'\''`, `'`)
}

func runs(exe string) bool {
	_, err := exec.LookPath(exe)
	return err == nil
}

// hookRecall looks whether an agent at the hook door could recall, here and in
// the default permission mode: else nothing is hidden from it.
func (f *facts) hookRecall(context.Context) Finding {
	if files, _ := f.ownHooks(); len(files) == 0 {
		return ok("not needed: no settings file posts to the daemon")
	}
	managed := f.Managed
	if managed == "" {
		managed = host.ManagedDir()
	}
	home := f.Getenv("HOME")
	if f.Getenv("CLAUDE_CONFIG_DIR") != "" {
		home = "" // then everything is in that folder
	}
	ways := &host.Recaller{
		Managed: managed, Home: home, Server: mcp.Server, Tool: mcp.Tool,
		Command: func() bool { _, err := lookPath("winnow", f.Getenv("PATH")); return err == nil },
	}
	// Any session file of the user's names the folder of the configuration.
	session := host.Session{Transcript: filepath.Join(host.UserDir(f.Getenv), "projects", "here", "s.jsonl"), Cwd: f.Cwd, Mode: "default"}
	switch way, why := ways.Way(session); way {
	case host.ByTool:
		return ok("by the tool %s, which a rule allows", mcp.Qualified)
	case host.ByCommand:
		return ok("by the command `winnow recall`, which a rule allows")
	default:
		return warn(f.anew(), "nothing is hidden at the hook door, for the agent could not recall: %s", why)
	}
}

// doors looks whether one way in is set up, or two.
func (f *facts) doors(context.Context) Finding {
	on, _ := f.enabled()
	files, _ := f.ownHooks()
	switch {
	case len(on) > 0 && len(files) > 0:
		return fail(f.winnow("install"), "the plugin (%s) and hooks in %s are both set up: the hooks stand aside, and their MCP server keeps the plugin's tool out, so that nothing is hidden",
			on[0].name, files[0].path)
	case len(on) > 0:
		return ok("the plugin alone")
	case len(files) > 0:
		return ok("settings-file hooks alone")
	}
	return ok("none in a settings file")
}
