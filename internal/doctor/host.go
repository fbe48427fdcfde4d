package doctor

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"winnow/internal/host"
)

// hostFile is one settings file of the client. The files come in their
// precedence, managed ones first.
type hostFile struct {
	host.File
	path string
	err  error
	// posts says that a hook posts to 127.0.0.1.
	posts bool
}

// hostFiles reads the client's settings files: managed, the project's, the user's.
func hostFiles(o Options) []hostFile {
	at := host.Places{Managed: o.Managed, User: host.UserDir(o.Getenv), Project: o.Cwd}
	if at.Managed == "" {
		at.Managed = host.ManagedDir()
	}
	var out []hostFile
	for _, f := range host.Files(at) {
		posts := slices.ContainsFunc(f.Hooks, func(h host.Hook) bool { return postsRE.MatchString(h.URL) })
		out = append(out, hostFile{f, f.Path, f.Err, posts})
	}
	return out
}

// postsRE finds a hook of ours by where it goes.
var postsRE = regexp.MustCompile(`^http://(127\.0\.0\.1|localhost):\d+/hook$`)

// pluginNames lists the file's entries for our plugin, in order.
func (h *hostFile) pluginNames() []string {
	var out []string
	for name := range h.Plugins {
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
		case h.NoHooks:
			return fail(Edit(h.path, `remove "disableAllHooks"`), "%s switches all hooks off, and the plugin with them", h.path)
		case h.Managed && h.ManagedHooks:
			return fail(Edit(h.path, `ask who manages this machine about "allowManagedHooksOnly"`), "%s allows managed hooks only", h.path)
		}
	}
	if h := f.ignored(); h != nil {
		return warn(Edit(h.path, "mend it: no comments, no comma before } or ]"), "%s is not understood, and the client ignores all of it: %v", h.path, h.err)
	}
	return ok("not switched off in %s of the client", count(len(f.host), "settings file"))
}

// ignored is the first settings file that is no plain JSON, nil for none: the client
// takes nothing from it.
func (f *facts) ignored() *hostFile {
	for i := range f.host {
		if f.host[i].err != nil {
			return &f.host[i]
		}
	}
	return nil
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
		if h.URLs != nil && !slices.ContainsFunc(h.URLs, func(p string) bool { return host.URLMatches(p, url) }) {
			return warn(Edit(h.path, `add "http://127.0.0.1:*/*" to "allowedHttpHookUrls"`),
				"%s does not allow %s: settings-file hooks are blocked; the plugin is not", h.path, url)
		}
	}
	return ok("%s is not blocked", url)
}
