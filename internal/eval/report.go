package eval

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"winnow/internal/prune"
)

// Report is what was measured.
type Report struct {
	Judge     string  `json:"judge"`
	Drop      float64 `json:"drop"`
	Keep      float64 `json:"keep"`
	Resamples int     `json:"resamples"`
	Seed      uint64  `json:"seed"`
	// NoCase counts labels whose case was not among those read.
	NoCase int       `json:"labels_without_case"`
	All    Section   `json:"all"`
	Tools  []Section `json:"tools,omitempty"`
	Groups []Section `json:"groups,omitempty"`
}

// Section is what was measured on a part of the cases.
type Section struct {
	Name   string `json:"name"`
	Cases  int    `json:"cases"`
	Second int    `json:"cases_graded_twice"`
	// Lines are those that are not blank, Unjudged those of them without a score.
	Lines       int     `json:"lines"`
	Needed      int     `json:"needed_lines"`
	Unjudged    int     `json:"unjudged_lines"`
	Ranking     Ranking `json:"ranking"`
	Reliability []Bin   `json:"reliability"`
	Path        Path    `json:"path"`
	Curve       []Path  `json:"curve,omitempty"`
}

// Ranking is how well the scores order lines, and whether they are probabilities.
type Ranking struct {
	AUC       Figure `json:"auc"`
	PooledAUC Figure `json:"pooled_auc"`
	Recall50  Figure `json:"recall_at_drop50"`
	Recall70  Figure `json:"recall_at_drop70"`
	Recall90  Figure `json:"recall_at_drop90"`
	Hidden1   Figure `json:"hidden_at_loss1"`
	Hidden5   Figure `json:"hidden_at_loss5"`
	ECE       Figure `json:"ece"`
}

// Path is what the whole prune path does at one threshold.
type Path struct {
	Drop float64 `json:"drop"`
	// Judged results passed the gate; Pruned ones lost lines, Hurt ones a needed line.
	Judged int `json:"judged_results"`
	Pruned int `json:"pruned_results"`
	Hurt   int `json:"hurt_results"`
	// Needed counts the lines that must not be lost, Lost those that were.
	Needed int `json:"needed_lines"`
	Lost   int `json:"lost_lines"`
	Chars  int `json:"chars"`
	// Hidden is the share of all characters in hidden lines, Saved what remains of
	// it after the markers, HiddenJudged the share of the characters of judged
	// results.
	Hidden       Figure   `json:"hidden"`
	HiddenJudged Figure   `json:"hidden_of_judged"`
	Saved        Figure   `json:"saved"`
	LostShare    Figure   `json:"needed_lost"`
	HurtShare    Figure   `json:"pruned_hurt"`
	Uncertain    int      `json:"uncertain_lines"`
	UncertainOf  Figure   `json:"uncertain"` // share of the lines of pruned results
	Reasons      []Passed `json:"reasons,omitempty"`
}

// Passed counts the results that were left alone for one reason.
type Passed struct {
	Reason prune.Reason `json:"reason"`
	Cases  int          `json:"cases"`
	Chars  int          `json:"chars"`
	Share  Figure       `json:"share"` // of all characters
}

func (m *meter) report() *Report {
	o := m.o
	r := &Report{Judge: o.Judge, Drop: o.Prune.Drop, Keep: o.Prune.Keep, Resamples: o.Resamples, Seed: o.Seed,
		NoCase: len(o.Labels) - len(m.records), All: m.section("all", m.records)}
	if !o.Parts {
		return r
	}
	names := []string{}
	for _, f := range families {
		names = append(names, f.name)
	}
	r.Tools = m.sections(append(names, "other"), func(r *record) string { return r.tool })
	groups := map[string]bool{}
	for _, rec := range m.records {
		groups[rec.group] = true
	}
	r.Groups = m.sections(slices.Sorted(maps.Keys(groups)), func(r *record) string { return r.group })
	return r
}

// sections makes a section of each part that has cases.
func (m *meter) sections(names []string, of func(*record) string) []Section {
	var all []Section
	for _, name := range names {
		var recs []*record
		for _, r := range m.records {
			if of(r) == name {
				recs = append(recs, r)
			}
		}
		if len(recs) > 0 {
			all = append(all, m.section(name, recs))
		}
	}
	return all
}

func (m *meter) section(name string, recs []*record) Section {
	rs := draw(len(recs), m.o.Resamples, m.o.Seed)
	s := Section{Name: name, Cases: len(recs)}
	for _, r := range recs {
		s.Lines += len(r.lines)
		if r.second {
			s.Second++
		}
		for _, l := range r.lines {
			s.Needed += int(one(l.needed))
			s.Unjudged += int(one(math.IsNaN(l.p)))
		}
	}
	s.Ranking = ranking(recs, rs)
	s.Reliability = reliability(recs, rs)
	s.Path = pathOf(recs, rs, 0, m.o.Prune.Drop)
	s.Path.Reasons = reasons(recs, rs)
	for k, drop := range m.o.Drops {
		s.Curve = append(s.Curve, pathOf(recs, rs, k+1, drop))
	}
	return s
}

func ranking(recs []*record, rs resamples) Ranking {
	all := pool(recs)
	kept := func(percent int) Figure {
		return rs.figure(mean(recs, func(r *record) float64 { return recall(r, percent) }))
	}
	hidden := func(percent int) Figure {
		return rs.figure(func(w []uint16) float64 { return hiddenAt(all, w, percent) })
	}
	return Ranking{
		AUC:       rs.figure(mean(recs, caseAUC)),
		PooledAUC: rs.figure(func(w []uint16) float64 { return auc(all, w) }),
		Recall50:  kept(50), Recall70: kept(70), Recall90: kept(90),
		Hidden1: hidden(1), Hidden5: hidden(5),
		ECE: rs.figure(ece(recs)),
	}
}

func reasons(recs []*record, rs resamples) []Passed {
	by := map[prune.Reason]*Passed{}
	for _, r := range recs {
		p := by[r.out[0].reason]
		if p == nil {
			p = &Passed{Reason: r.out[0].reason}
			by[p.Reason] = p
		}
		p.Cases++
		p.Chars += r.chars
	}
	delete(by, prune.Pruned)
	var all []Passed
	for reason, p := range by {
		p.Share = rs.figure(ratio(recs, func(r *record) float64 {
			return one(r.out[0].reason == reason) * float64(r.chars)
		}, chars))
		all = append(all, *p)
	}
	slices.SortFunc(all, func(a, b Passed) int {
		return cmp.Or(cmp.Compare(b.Chars, a.Chars), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}

func chars(r *record) float64 { return float64(r.chars) }
