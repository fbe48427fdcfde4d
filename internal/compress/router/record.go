package router

import (
	"maps"
	"sync"
	"time"

	"winnow/internal/prune/detect"
)

// Decision is the record of what was done to a block and why.
type Decision struct {
	Kind       detect.Kind `json:"kind"`
	Language   string      `json:"language,omitempty"`
	Confidence float64     `json:"confidence"`
	// Untouched says why the text is as it was, "" where it changed.
	Untouched string `json:"untouched,omitempty"`
	// Chain is what was tried, in order.
	Chain []Step `json:"chain"`
	// Before and After count tokens.
	Before int `json:"tokens_before"`
	After  int `json:"tokens_after"`
	// Sections is how many parts a mixed text was routed in, 0 for a pure one.
	Sections int           `json:"sections,omitempty"`
	Time     time.Duration `json:"ns"`
	// Cached reports that the answer was remembered.
	Cached bool `json:"cached,omitempty"`
}

// Step is one candidate.
type Step struct {
	Name string `json:"name"`
	// Class is "fold", "edit", "sample" or "judge".
	Class string `json:"class"`
	// Refused says why it was not accepted, "" where it was.
	Refused string `json:"refused,omitempty"`
	Before  int    `json:"before"`
	After   int    `json:"after,omitempty"`
	// Section is which part of a mixed text it was, from 1.
	Section int           `json:"section,omitempty"`
	Time    time.Duration `json:"ns"`
}

// Accepted lists the names of the steps that made the text.
func (d Decision) Accepted() []string {
	names := []string{}
	for _, s := range d.Chain {
		if s.Refused == "" {
			names = append(names, s.Name)
		}
	}
	return names
}

// Why a block or a candidate is left.
const (
	whyRole       = "role"
	whyCached     = "cache-marked"
	whyMarked     = "marked"
	whyFailed     = "failed-tool"
	whyOwn        = "own"
	whySmall      = "small"
	whyNothing    = "nothing-to-gain"
	whyEmpty      = "empty"
	whyLarger     = "not-smaller"
	whyLittle     = "too-little-saved"
	whyNoRecall   = "no-recall"
	whyNotExact   = "not-exact"
	whyNoTag      = "no-tag"
	whyPanic      = "panic"
	whyCoolDown   = "cooling-down"
	whyEarly      = "no-pressure"
	whyNone       = "none"
	whyFailure    = "failure-lost"
	whyOutOfOrder = "cuts-out-of-order"
)

// Stats sums decisions up.
type Stats struct {
	Blocks  int64 `json:"blocks"`
	Changed int64 `json:"changed"`
	Before  int64 `json:"tokens_before"`
	After   int64 `json:"tokens_after"`
	Hits    int64 `json:"cache_hits"`
	// Cooling names the compressors that are switched off for a while.
	Cooling []string                  `json:"cooling,omitempty"`
	Kinds   map[detect.Kind]KindStats `json:"kinds"`
}

// KindStats is the same for one kind.
type KindStats struct {
	Blocks  int64 `json:"blocks"`
	Changed int64 `json:"changed"`
	Before  int64 `json:"tokens_before"`
	After   int64 `json:"tokens_after"`
}

// sums are what routers of one family count together.
type sums struct {
	mu    sync.Mutex // guards stats
	stats Stats
}

func (r *Router) note(res *Result) {
	r.sums.mu.Lock()
	defer r.sums.mu.Unlock()
	s := &r.sums.stats
	k := s.Kinds[res.Kind]
	s.Blocks++
	k.Blocks++
	if res.Changed() {
		s.Changed++
		k.Changed++
	}
	if res.Cached {
		s.Hits++
	}
	s.Before += int64(res.Before)
	s.After += int64(res.After)
	k.Before += int64(res.Before)
	k.After += int64(res.After)
	s.Kinds[res.Kind] = k
}

// Stats returns the sums so far.
func (r *Router) Stats() Stats {
	r.sums.mu.Lock()
	defer r.sums.mu.Unlock()
	s := r.sums.stats
	s.Kinds = maps.Clone(s.Kinds)
	s.Cooling = r.breaker.open()
	return s
}
