package router

import (
	"slices"
	"sync"
	"time"
)

// After so many failures in a row a compressor rests for coolDown; then one
// try decides.
const (
	maxFailures = 3
	coolDown    = time.Minute
)

// breaker keeps a failing compressor from costing every block its time.
type breaker struct {
	now   func() time.Time
	mu    sync.Mutex // guards state
	state map[string]trips
}

type trips struct {
	failures int
	until    time.Time
}

// allow reports whether name may try.
func (b *breaker) allow(name string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.state[name]
	return t.failures < maxFailures || !b.now().Before(t.until)
}

// report notes how a try ended.
func (b *breaker) report(name string, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ok {
		delete(b.state, name)
		return
	}
	if b.state == nil {
		b.state = map[string]trips{}
	}
	t := b.state[name]
	if t.failures++; t.failures >= maxFailures {
		t.until = b.now().Add(coolDown)
	}
	b.state[name] = t
}

// open lists who rests.
func (b *breaker) open() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	for name, t := range b.state {
		if t.failures >= maxFailures && b.now().Before(t.until) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
