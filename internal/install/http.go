package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/internal/api"
	"winnow/internal/host"
	"winnow/internal/mcp"
	"winnow/internal/settings"
)

// HTTP installs hooks that post each result to the daemon's port, for clients
// that are too old for the plugin. The agent recalls by an MCP server, which
// needs a rule of its own: without that nothing is hidden.
type HTTP struct {
	Port int
	// Token lets the hooks in. The client expands no variable of ours, so that it
	// stands in the file, which is why that is the user's own and 0600.
	Token string
}

var _ Door = HTTP{}

// HTTPName is this door's name.
const HTTPName = "http"

// Name says "http".
func (HTTP) Name() string { return HTTPName }

// AllowRule lets the agent recall without a question.
const AllowRule = mcp.Qualified

// ErrForeign reports an MCP server of our name that is not ours.
var ErrForeign = errors.New("an MCP server named " + mcp.Server + " is registered there, and it is not this one")

// URL is where the hooks post to.
func (h HTTP) URL() string { return fmt.Sprintf("http://127.0.0.1:%d%s", h.Port, api.PathHook) }

// httpTimeout is what a hook may take, in seconds: the daemon gives up at two.
const httpTimeout = 3

// postedTools matches the tools whose results are judged, and those that could
// have carried a marker into a file.
const postedTools = "Bash|Read|Grep|Glob|WebFetch|Edit|MultiEdit|Write|NotebookEdit|mcp__.*"

const postToolUse = "PostToolUse"

// entry is one of a settings file's hooks for an event.
type entry struct {
	event   string
	Matcher string `json:"matcher,omitempty"`
	Hooks   []any  `json:"hooks"`
}

type httpHook struct {
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Timeout int               `json:"timeout"`
	Headers map[string]string `json:"headers"`
}

type commandHook struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"`
}

// entries are what stands in the settings. A daemon that was idle has left, and
// a hook that posts cannot start one: each prompt does. Nothing is posted before a
// call, where an outage could stop work.
func (h HTTP) entries(t Target) []entry {
	post := httpHook{"http", h.URL(), httpTimeout, map[string]string{api.TokenHeader: h.Token}}
	start := commandHook{"command", t.ensure(), 10}
	return []entry{
		{"SessionStart", "", []any{start}}, {"UserPromptSubmit", "", []any{start}},
		{postToolUse, postedTools, []any{post}},
	}
}

// ensure is the command line that starts a daemon. In shell form: older clients
// know no other.
func (t Target) ensure() string {
	line := quote(t.command()) + " serve --ensure"
	if t.stateFlag() != "" {
		line += " --state " + quote(t.stateFlag())
	}
	return line
}

// command is what the client shall run: beside a binary that a launcher finds,
// the launcher, whose name stays.
func (t Target) command() string {
	launcher := filepath.Join(filepath.Dir(t.Exe), "winnow")
	if fi, err := os.Stat(launcher); filepath.Base(t.Exe) == BinaryName() && err == nil && fi.Mode().IsRegular() && fi.Mode()&0o111 != 0 {
		return launcher
	}
	return t.Exe
}

// stateFlag names the state folder where it is not the default one.
func (t Target) stateFlag() string {
	if string(t.State) == filepath.Join(t.Home, ".winnow") {
		return ""
	}
	return string(t.State)
}

// server is the MCP server as the client registers it.
func (t Target) server() any {
	args := []string{"mcp"}
	if t.stateFlag() != "" {
		args = append(args, "--state", t.stateFlag())
	}
	return struct {
		Type    string            `json:"type"`
		Command string            `json:"command"`
		Args    []string          `json:"args"`
		Env     map[string]string `json:"env"`
	}{"stdio", t.command(), args, map[string]string{}}
}

// Put plans the server, the hooks, the rule, and our URL where the user allows
// only some.
func (h HTTP) Put(p *Changes) error {
	if rel, err := filepath.Rel(p.PluginDir(), p.Exe); err == nil && !strings.HasPrefix(rel, "..") {
		return fmt.Errorf("%s lies in the plugin's folder, which goes with the plugin: run the winnow that it was installed from", p.Exe)
	}
	if !ownCommand(p.ensure()) { // else nothing would know it again
		return fmt.Errorf("%s has another name than winnow, and by its name it would be taken out again: call it winnow", p.Exe)
	}
	if err := p.putServer(); err != nil {
		return err
	}
	f, err := p.Settings()
	if err != nil {
		return err
	}
	p.tighten(f)
	return h.putHooks(p, f)
}

// tighten keeps others from reading a file that comes to hold the token.
func (p *Changes) tighten(f *settings.File) {
	if fi, err := os.Stat(f.Path); err == nil && fi.Mode().Perm() != 0o600 {
		if p.record.Mode == 0 {
			p.record.Mode = fi.Mode().Perm()
		}
		p.Before("let nobody else read "+f.Path+", which holds the daemon's token (mode 0600)", func() error { return os.Chmod(f.Path, 0o600) })
	}
	f.SetMode(0o600)
	p.noteUnread(f)
}

// noteUnread says when the client ignores the whole file, and what is put there with it.
func (p *Changes) noteUnread(f *settings.File) {
	if h, there := host.Read(f.Path); there && h.Err != nil {
		p.Note("the client ignores all of %s, and what is put there with it: it is no plain JSON (%v); comments and commas at the end count as mistakes there", f.Path, h.Err)
	}
}

// putHooks plans the entries, the rule and the URL.
func (h HTTP) putHooks(p *Changes, f *settings.File) error {
	old, err := posts(f)
	if err != nil {
		return err
	}
	for _, o := range old {
		if o.URL == h.URL() {
			continue
		}
		if err := f.Remove(is(o.URL), urlsKey); err != nil {
			return err
		}
	}
	for _, e := range h.entries(p.Target) {
		if err := putEntry(f, e); err != nil {
			return err
		}
	}
	if err := f.Append(AllowRule, "permissions", "allow"); err != nil {
		return err
	}
	return h.putURL(f)
}

func (t Target) registry() string {
	if t.Registry != "" {
		return t.Registry
	}
	return host.RegistryPath(t.Config, t.Home)
}

func (p *Changes) putServer() error {
	f, err := p.File(p.registry())
	if err != nil {
		return err
	}
	var have host.Server
	there, err := f.Get(&have, "mcpServers", mcp.Server)
	switch {
	case err != nil:
		return err
	case there && !OwnServer(have):
		return fmt.Errorf("%s: %w", f.Path, ErrForeign)
	}
	return f.Set(p.server(), "mcpServers", mcp.Server)
}

// putEntry makes e the event's one entry of ours.
func putEntry(f *settings.File, e entry) error {
	want, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := takeHooks(f, e.event, func(raw json.RawMessage) bool { return equal(raw, want) }); err != nil {
		return err
	}
	return f.Append(e, "hooks", e.event)
}

const urlsKey = "allowedHttpHookUrls"

// putURL adds our URL to the user's list of allowed ones, where there is such a
// list and it does not have it. Without a list every URL is allowed.
func (h HTTP) putURL(f *settings.File) error {
	var urls []string
	there, err := f.Get(&urls, urlsKey)
	if err != nil || !there || slices.ContainsFunc(urls, func(u string) bool { return host.URLMatches(u, h.URL()) }) {
		return err
	}
	return f.Append(h.URL(), urlsKey)
}

// Take plans to remove the hooks, the rule, the URL and the server, of whatever
// port and place they are.
func (h HTTP) Take(p *Changes) error {
	f, err := p.Settings()
	if err != nil {
		return err
	}
	old, err := posts(f)
	if err != nil {
		return err
	}
	if len(old) > 0 { // without hooks of ours the rule is not ours
		if err := f.Remove(is(AllowRule), "permissions", "allow"); err != nil {
			return err
		}
	}
	for _, h := range old {
		if err := f.Remove(is(h.URL), urlsKey); err != nil {
			return err
		}
	}
	if err := takeAllHooks(f); err != nil {
		return err
	}
	if err := p.takeServer(); err != nil {
		return err
	}
	p.giveModeBack(f)
	return nil
}

func (p *Changes) takeServer() error {
	path := p.registry()
	// The file is the client's memory of much else: without a server of ours it is
	// nothing to edit. Once it is, the plan counts, not the disk: taking an older
	// edit back may have brought a server of ours in again.
	if !p.opened(path) && !OwnServer(host.ReadRegistry(path).User[mcp.Server]) {
		return nil
	}
	f, err := p.File(path)
	if err != nil {
		return err
	}
	var s host.Server // what does not fit in there is not ours
	if _, err := f.Get(&s, "mcpServers", mcp.Server); err != nil || !OwnServer(s) {
		return nil
	}
	return f.Delete("mcpServers", mcp.Server)
}

// giveModeBack undoes what was done because of the token.
func (p *Changes) giveModeBack(f *settings.File) {
	mode := p.record.Mode
	if mode == 0 || f.Mode() != 0o600 {
		return
	}
	p.record.Mode = 0
	f.SetMode(mode)
	p.After(fmt.Sprintf("give %s its mode back (%#o)", f.Path, mode), func() error {
		if err := os.Chmod(f.Path, mode); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// OwnServer reports whether a registered server is a winnow, of some place.
func OwnServer(s host.Server) bool {
	return ownName(s.Command) && len(s.Args) > 0 && s.Args[0] == "mcp"
}
