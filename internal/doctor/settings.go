package doctor

import (
	"context"
	"fmt"
	"strings"

	"winnow/internal/config"
)

// config reads the settings as a daemon that starts now would, and compares
// them with those of the one that runs.
func (f *facts) config(context.Context) Finding {
	if f.cfgErr != nil {
		return fail(f.mend(), "%s", strings.ReplaceAll(f.cfgErr.Error(), "\n", "; "))
	}
	if len(f.cfg.Warnings) > 0 {
		return warn(Edit(f.Dir.Env(), "mend what counts for nothing"), "%s: %s", f.Dir.Env(), strings.Join(f.cfg.Warnings, "; "))
	}
	if s := config.Strays(f.Environ); len(s) > 0 {
		return warn("unset "+strings.Join(s, " "), "in the environment, and no settings: %s", strings.Join(s, ", "))
	}
	if d := f.differing(); len(d) > 0 {
		return warn(f.restart(), "the running daemon has other values than it would get here: %s", strings.Join(d, ", "))
	}
	return ok("good; %d of %d settings are set", len(f.cfg.From), len(f.cfg.Values()))
}

// mend says where the first mistake can be mended.
func (f *facts) mend() string {
	first, _, _ := strings.Cut(f.cfgErr.Error(), "\n")
	if rest, found := strings.CutPrefix(first, "environment: "); found {
		name, _, _ := strings.Cut(rest, "=")
		return "unset " + name
	}
	return Edit(f.Dir.Env(), strings.TrimPrefix(first, f.Dir.Env()+" "))
}

// differing lists the daemon's settings that have another value here.
func (f *facts) differing() []string {
	if f.status == nil {
		return nil
	}
	here := map[string]string{}
	for _, v := range f.cfg.Values() {
		here[v.Name] = v.Value
	}
	var out []string
	for _, s := range f.status.Settings {
		if v, known := here[s.Name]; known && v != s.Value {
			out = append(out, fmt.Sprintf("%s=%s (%s), here %s", s.Name, s.Value, s.From, v))
		}
	}
	return out
}

// mode says what happens to results: the daemon's word where one runs.
func (f *facts) mode(context.Context) Finding {
	mode, active := f.cfg.Mode, f.Proven(f.cfg)
	if f.status != nil {
		mode, active = f.status.Setting, f.status.ActiveFor
	}
	switch mode {
	case config.Off:
		return warn(f.set("WINNOW_MODE", config.Auto), "off: nothing is judged or hidden")
	case config.Shadow:
		return ok("shadow: judges and counts, hides nothing")
	case config.Active:
		return ok("active: prunes every kind of call")
	}
	if len(active) == 0 {
		return warn(f.winnow("config"), "auto hides nothing: the judge's losses are known only with the shipped judge and bands")
	}
	return ok("auto: active for %s, shadow for the rest", strings.Join(active, ", "))
}
