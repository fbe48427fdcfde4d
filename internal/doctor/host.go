package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// hostFile is one settings file of the client, as far as it concerns us. The
// files come in their precedence, managed ones first.
type hostFile struct {
	path    string
	managed bool
	err     error
	noHooks bool // disableAllHooks
	// managedOnly is allowManagedHooksOnly: hooks of users and plugins are off.
	managedOnly bool
	// urls is allowedHttpHookUrls; nil where it is not set.
	urls []string
	env  map[string]string
	// plugins are enabledPlugins: "name@marketplace" and whether it is on.
	plugins map[string]bool
	// posts says that a hook posts to 127.0.0.1.
	posts bool
}

// hostFiles reads the client's settings files: managed, the project's, the user's.
func hostFiles(o Options) []hostFile {
	var out []hostFile
	add := func(managed bool, path string) {
		if h, there := readHost(path); there {
			h.managed = managed
			out = append(out, h)
		}
	}
	dir := o.Managed
	if dir == "" {
		dir = managedDir()
	}
	parts, _ := filepath.Glob(filepath.Join(dir, "managed-settings.d", "*.json"))
	slices.Reverse(parts) // the last one counts
	for _, p := range append(parts, filepath.Join(dir, "managed-settings.json")) {
		add(true, p)
	}
	if o.Cwd != "" {
		add(false, filepath.Join(o.Cwd, ".claude", "settings.local.json"))
		add(false, filepath.Join(o.Cwd, ".claude", "settings.json"))
	}
	if user := clientDir(o.Getenv); user != "" && filepath.Dir(user) != o.Cwd {
		add(false, filepath.Join(user, "settings.json"))
	}
	return out
}

func managedDir() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// clientDir is the folder of the user's configuration of the client.
func clientDir(getenv func(string) string) string {
	if d := getenv("CLAUDE_CONFIG_DIR"); d != "" {
		return d
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".claude")
	}
	return ""
}

// readHost reads one file; there is false when it does not exist.
func readHost(path string) (h hostFile, there bool) {
	h.path = path
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return h, false
	case err == nil && (!fi.Mode().IsRegular() || fi.Size() > 4<<20):
		err = errors.New("not a plain settings file")
	}
	var b []byte
	if err == nil {
		b, err = os.ReadFile(path)
	}
	if err == nil {
		err = h.parse(b)
	}
	h.err = err
	return h, true
}

// parse takes what concerns us; a value of another kind counts as not set.
func (h *hostFile) parse(b []byte) error {
	b = []byte(strings.TrimPrefix(string(b), "\ufeff"))
	if len(strings.TrimSpace(string(b))) == 0 {
		return nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	_ = json.Unmarshal(all["disableAllHooks"], &h.noHooks)
	_ = json.Unmarshal(all["allowManagedHooksOnly"], &h.managedOnly)
	_ = json.Unmarshal(all["allowedHttpHookUrls"], &h.urls)
	_ = json.Unmarshal(all["env"], &h.env)
	var plugins map[string]json.RawMessage
	_ = json.Unmarshal(all["enabledPlugins"], &plugins)
	h.plugins = map[string]bool{}
	for name, v := range plugins { // a list of versions means on
		h.plugins[name] = string(v) != "false" && string(v) != "null"
	}
	h.posts = postsRE.Match(all["hooks"])
	return nil
}

// postsRE finds a hook of ours by where it goes.
var postsRE = regexp.MustCompile(`"http://(127\.0\.0\.1|localhost):\d+/hook"`)

// pluginNames lists the file's entries for our plugin, in order.
func (h *hostFile) pluginNames() []string {
	var out []string
	for name := range h.plugins {
		if strings.HasPrefix(name, "winnow@") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// hooks looks for settings that keep the client from running any hook of ours.
func (f *facts) hooks(context.Context) Finding {
	for _, h := range f.host {
		switch {
		case h.noHooks:
			return fail(edit(h.path, `remove "disableAllHooks"`), "%s switches all hooks off, and the plugin with them", h.path)
		case h.managed && h.managedOnly:
			return fail(edit(h.path, `ask who manages this machine about "allowManagedHooksOnly"`), "%s allows managed hooks only", h.path)
		}
	}
	for _, h := range f.host {
		if h.err != nil {
			return warn(edit(h.path, "mend it"), "%s is not understood: %v", h.path, h.err)
		}
	}
	return ok("not switched off in %s of the client", count(len(f.host), "settings file"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// hookURLs looks whether the client may post to the daemon's port.
func (f *facts) hookURLs(context.Context) Finding {
	port := f.cfg.Port
	if f.status != nil && f.status.Port != 0 {
		port = f.status.Port
	}
	if port == 0 {
		return ok("no port that a hook could name")
	}
	url := fmt.Sprintf("http://127.0.0.1:%d/hook", port)
	for _, h := range f.host {
		if h.urls != nil && !slices.ContainsFunc(h.urls, func(p string) bool { return matches(p, url) }) {
			return warn(edit(h.path, `add "http://127.0.0.1:*/*" to "allowedHttpHookUrls"`),
				"%s does not allow %s: settings-file hooks are blocked; the plugin is not", h.path, url)
		}
	}
	return ok("%s is not blocked", url)
}

// matches reports whether a pattern of allowedHttpHookUrls, in which * stands
// for anything, is the whole URL.
func matches(pattern, url string) bool {
	re := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$"
	found, err := regexp.MatchString(re, url)
	return err == nil && found
}
