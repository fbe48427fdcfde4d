package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/internal/decisions"
	"winnow/internal/transcript"
)

// Bounds of the comparison: somebody waits for it, and the client removes
// session files after some weeks.
const (
	rewritesLooked = 500
	rewritesTime   = 5 * time.Second
)

// rewrites compares what the daemon answered with what the sessions' files show:
// an answer that the client did not take up saved nothing, and nobody was told.
func (f *facts) rewrites(ctx context.Context) Finding {
	answers, err := f.answers()
	if err != nil {
		return warn("ls -l "+Quote(f.in(decisions.FileName)), "not looked at: %v", err)
	}
	if len(answers) == 0 {
		return ok("nothing was cut yet")
	}
	ctx, cancel := context.WithTimeout(ctx, rewritesTime)
	defer cancel()
	return f.compared(f.compare(ctx, answers), len(answers))
}

// answers returns the newest results that were cut for the model.
func (f *facts) answers() ([]decisions.Record, error) {
	var out []decisions.Record
	for r, err := range decisions.All(f.in(decisions.FileName)) {
		if errors.Is(err, decisions.ErrLine) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.Pruned() && r.Mode == "active" && r.Call != "" && len(r.Keys) > 0 && idRE.MatchString(r.Session) {
			r.P, r.Prev = nil, nil // a hundred times the rest
			if out = append(out, r); len(out) > 2*rewritesLooked {
				out = slices.Clone(out[rewritesLooked:])
			}
		}
	}
	return out[max(0, len(out)-rewritesLooked):], nil
}

// comparison is what became of answers.
type comparison struct {
	arrived int
	// missing are those whose result stands in the session's file without any of
	// their markers, in the order of the log.
	missing []decisions.Record
}

func (f *facts) compare(ctx context.Context, answers []decisions.Record) comparison {
	paths := map[string]string{}
	for _, s := range f.sessions() {
		if paths[s.id] == "" {
			paths[s.id] = s.path
		}
	}
	loops := map[[2]string][]decisions.Record{}
	var order [][2]string
	for _, r := range slices.Backward(answers) { // the newest first, for the time's sake
		k := [2]string{r.Session, r.Loop}
		if loops[k] == nil && paths[r.Session] != "" {
			order = append(order, k)
		}
		loops[k] = append(loops[k], r)
	}
	var c comparison
	for _, k := range order {
		agent := k[1]
		if agent == "main" {
			agent = ""
		}
		c.loop(loops[k], given(ctx, paths[k[0]], agent, loops[k]))
	}
	slices.SortStableFunc(c.missing, func(a, b decisions.Record) int { return a.Time.Compare(b.Time) })
	return c
}

// loop sorts one loop's answers by what the model was given for their calls.
func (c *comparison) loop(rs []decisions.Record, texts map[string][]string) {
	for _, r := range rs {
		got := texts[r.Call]
		shows := func(t string) bool {
			return slices.ContainsFunc(r.Keys, func(k string) bool { return strings.Contains(t, "<<ccr:"+k) })
		}
		switch {
		case len(got) == 0: // not written yet, or another file's
		case slices.ContainsFunc(got, shows):
			c.arrived++
		default:
			c.missing = append(c.missing, r)
		}
	}
}

// given returns the results of these calls in a loop's file, as far as it can be
// read in time.
func given(ctx context.Context, path, agent string, rs []decisions.Record) map[string][]string {
	want := map[string]bool{}
	for _, r := range rs {
		want[r.Call] = true
	}
	texts := map[string][]string{}
	for res, err := range transcript.Results(ctx, path, agent, func(id string) bool { return want[id] }) {
		if err != nil {
			break
		}
		texts[res.ToolUseID] = append(texts[res.ToolUseID], res.Text)
	}
	return texts
}

func (f *facts) compared(c comparison, of int) Finding {
	seen := c.arrived + len(c.missing)
	rest := ""
	if seen < of {
		rest = fmt.Sprintf("; %d more have no session file here", of-seen)
	}
	if len(c.missing) == 0 {
		return ok("%s of %d arrived%s", count(c.arrived, "cut result"), seen, rest)
	}
	last := c.missing[len(c.missing)-1]
	found := fmt.Sprintf("%d of %d cut results did not arrive: the model read the originals; the newest: call %s of %s, session %s%s",
		len(c.missing), seen, last.Call, when(last.Time), last.Session, rest)
	next := f.winnow("tail -n 50") + "  # what took over 2.5 s came too late"
	if last.Door == "hook" {
		next = "claude --debug  # its log says why it did not take the hook's answer"
	}
	if c.arrived == 0 && len(c.missing) >= 3 {
		return fail(next, "%s", found)
	}
	return warn(next, "%s", found)
}
