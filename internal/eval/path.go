package eval

import (
	"context"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// path is the prune path at several thresholds, fed with scores already made.
type path struct {
	held    held
	pruners []*prune.Pruner
}

func newPath(o prune.Options, drops []float64) *path {
	p := &path{}
	p.pruners = append(p.pruners, prune.New(&p.held, o))
	for _, d := range drops {
		o.Drop = d
		p.pruners = append(p.pruners, prune.New(&p.held, o))
	}
	return p
}

// held answers with the scores of the case at hand. Cases are pruned one after
// the other, so one place is enough.
type held struct {
	scores prune.Scores
	asked  bool
}

// Score returns the scores held; of a text too long to be judged whole the
// pruner asks for the head only.
func (h *held) Score(_ context.Context, _ prune.Query, d text.Doc) (prune.Scores, error) {
	h.asked = true
	s := h.scores
	s.Line = s.Line[:min(len(s.Line), d.Len())]
	return s, nil
}

// run prunes a case at each threshold. sure says which lines must not be lost.
// The loop can recall and has no history: what the session adds to the gate
// only ever hides less.
func (p *path) run(ctx context.Context, c Case, s prune.Scores, sure []bool) []outcome {
	p.held.scores = s
	in := prune.Input{Task: c.Task, Tool: c.Tool, Text: c.Output, CanRecall: true}
	out := make([]outcome, len(p.pruners))
	for i, pr := range p.pruners {
		p.held.asked = false
		res := pr.Prune(ctx, in)
		o := outcome{reason: res.Reason, judged: p.held.asked, uncertain: res.Uncertain}
		if res.Reason == prune.Pruned {
			o.saved = text.Chars(in.Text) - text.Chars(res.Text)
		}
		for _, h := range res.Hidden {
			o.hidden += text.Chars(h.Text)
			for k := h.Start; k <= h.End; k++ {
				if sure[k] {
					o.lost++
				}
			}
		}
		out[i] = o
	}
	return out
}

// families are the sections of a report by tool; everything else is "other".
var families = []struct {
	name string
	only *prune.Pruner
}{{"Bash", onlyTool("Bash")}, {"Read", onlyTool("Read")}, {"Grep", onlyTool("Grep")}}

func onlyTool(name string) *prune.Pruner { return prune.New(nil, prune.Options{Tools: []string{name}}) }

// family asks the gate what it takes a tool for, so that another agent's shell
// is counted where it is treated: an empty text of a chosen tool is too small,
// that of any other tool is not even measured.
func family(tool string) string {
	for _, f := range families {
		if f.only.Gate(prune.Input{Tool: prune.Tool{Name: tool}}) == prune.Small {
			return f.name
		}
	}
	return "other"
}
