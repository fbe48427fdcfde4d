// Package fidelity measures what a reducer keeps: a text holds a needle, the one
// fact that its reader will want, and after reducing it either still stands in
// the text, can be asked for, or is lost. It knows cases and figures; reducing
// is the router's.
package fidelity

import (
	"context"
	"fmt"
	"strings"

	"winnow/internal/compress/router"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
)

// Case is a text with a needle.
type Case struct {
	Name string      `json:"case"`
	Kind detect.Kind `json:"kind"`
	// Position says where the needle is: head, middle, tail, anywhere.
	Position string `json:"position"`
	Text     string `json:"-"`
	Needle   string `json:"needle"`
	// Task is what a reader who wants the needle would ask.
	Task string `json:"task,omitempty"`
	// Tool printed the text; the zero value is nobody.
	Tool prune.Tool `json:"-"`
}

// Mode says how the cases are reduced.
type Mode struct {
	Name             string
	WithTask, NoLoss bool
}

// Modes are those that are measured: what the reader asks unknown, known, and
// without any loss.
var Modes = []Mode{{Name: "plain"}, {Name: "task", WithTask: true}, {Name: "lossless", NoLoss: true}}

// Outcome is what became of a case.
type Outcome struct {
	Case
	Mode   string `json:"mode"`
	Before int    `json:"tokens_before"`
	After  int    `json:"tokens_after"`
	// Inline reports that the needle still stands in the text, Recoverable that
	// the text and its keys give back every byte.
	Inline      bool     `json:"inline"`
	Recoverable bool     `json:"recoverable"`
	Chain       []string `json:"chain"`
}

// Saved is the part of the tokens that went.
func (o *Outcome) Saved() float64 { return float64(o.Before-o.After) / float64(max(o.Before, 1)) }

// Measure reduces each case in each mode.
func Measure(ctx context.Context, r *router.Router, cases []Case, modes []Mode) []Outcome {
	var out []Outcome
	for _, m := range modes {
		for _, c := range cases {
			b := router.Block{Text: c.Text, Tool: c.Tool, Lossless: m.NoLoss}
			if m.WithTask {
				b.Task.Request = c.Task
			}
			res := r.Compress(ctx, b)
			back, err := res.Restore(held(res.Hidden))
			out = append(out, Outcome{
				Case: c, Mode: m.Name, Before: res.Before, After: res.After, Chain: res.Accepted(),
				Inline: strings.Contains(res.Text, c.Needle), Recoverable: err == nil && back == c.Text,
			})
		}
	}
	return out
}

func held(hidden []router.Hidden) router.Get {
	return func(k marker.Key) (string, error) {
		for _, h := range hidden {
			if h.Key == k && marker.KeyOf(h.Text) == k {
				return h.Text, nil
			}
		}
		return "", fmt.Errorf("key %s is nowhere", k)
	}
}

// Summary is the figures of some outcomes.
type Summary struct {
	Cases       int     `json:"cases"`
	Saved       float64 `json:"saved"` // the mean of the cases' parts
	Inline      float64 `json:"inline"`
	Recoverable float64 `json:"recoverable"`
	// CNG is the cost-normalised gain: what inline survival changed by, for each
	// whole of tokens saved. 0 is the best, as nothing can survive better than in
	// the text itself.
	CNG float64 `json:"cng"`
}

// Sum sums outcomes up.
func Sum(outcomes []Outcome) Summary {
	var s Summary
	for _, o := range outcomes {
		s.Cases++
		s.Saved += o.Saved()
		s.Inline += one(o.Inline)
		s.Recoverable += one(o.Recoverable)
	}
	n := float64(max(s.Cases, 1))
	s.Saved, s.Inline, s.Recoverable = s.Saved/n, s.Inline/n, s.Recoverable/n
	if s.Saved > 0 {
		s.CNG = (s.Inline - 1) / s.Saved
	}
	return s
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// By sums outcomes up in groups, and returns the groups' names in order of
// first appearance.
func By(outcomes []Outcome, group func(*Outcome) string) (names []string, sums map[string]Summary) {
	groups := map[string][]Outcome{}
	for i := range outcomes {
		g := group(&outcomes[i])
		if groups[g] == nil {
			names = append(names, g)
		}
		groups[g] = append(groups[g], outcomes[i])
	}
	sums = map[string]Summary{}
	for _, g := range names {
		sums[g] = Sum(groups[g])
	}
	return names, sums
}
