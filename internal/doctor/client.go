package doctor

import (
	"context"

	"winnow/internal/host"
)

// MinClient is the first release of Claude Code with every event that the mod
// listens to; an older one loads none of it.
const MinClient = host.MinMod

// client judges the version of the claude on PATH.
func (f *facts) client(context.Context) Finding {
	exe, err := lookPath("claude", f.Getenv("PATH"))
	if err != nil {
		return ok("no claude on PATH, so its version is not known; the plugin needs %s", MinClient)
	}
	v, err := f.clientVersion()
	switch {
	case err != nil:
		return warn(Quote(exe)+" --version", "%s %v", exe, err)
	case host.Older(v, host.MinHook) && f.posts():
		return fail("claude update", "%s is %s: too old for the hooks in the settings, which need %s, and for the plugin, which needs %s", exe, v, host.MinHook, MinClient)
	case host.Older(v, MinClient) && f.posts():
		return ok("%s is %s: too old for the plugin, which needs %s; settings-file hooks are set up instead", exe, v, MinClient)
	case host.Older(v, MinClient):
		return fail("claude update", "%s is %s; the plugin needs %s and is not loaded at all by an older one", exe, v, MinClient)
	}
	return ok("%s is %s; the plugin needs %s", exe, v, MinClient)
}

// askClient asks the claude on PATH for its version; "" with no error: there is none.
func askClient(ctx context.Context, o Options) (string, error) {
	exe, err := lookPath("claude", o.Getenv("PATH"))
	if err != nil {
		return "", nil
	}
	return host.Version(ctx, exe)
}
