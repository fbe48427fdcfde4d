// Package metrics counts. It has no exporter and keeps nothing between runs:
// who wants the counts takes a [Counters.Snapshot].
package metrics

import (
	"maps"
	"sync"
)

// Counters is a set of named counts. The zero value is ready; all methods may
// be called at the same time.
type Counters struct {
	mu sync.Mutex // guards n
	n  map[string]int64
}

// Add adds n, which may be negative, to the counter name. On nil Counters it
// does nothing, so that counting is never a condition.
func (c *Counters) Add(name string, n int64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = map[string]int64{}
	}
	c.n[name] += n
}

// Snapshot returns a copy of all counts, never nil.
func (c *Counters) Snapshot() map[string]int64 {
	out := map[string]int64{}
	if c == nil {
		return out
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.Copy(out, c.n)
	return out
}
