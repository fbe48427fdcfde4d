package door

import (
	"sync"
	"time"
)

// modFor is how long after its last word a session counts as one that the mod
// serves. A session may be resumed without the mod, and no word says so.
const modFor = 6 * time.Hour

// maxMods bounds the sessions that are remembered.
const maxMods = 1024

// mods remembers which sessions the mod serves: there the hook door stays shut,
// or two hooks would work on one result.
type mods struct {
	mu   sync.Mutex // guards last
	last map[string]time.Time
}

// heard notes that the mod spoke for a session.
func (m *mods) heard(session string, at time.Time) {
	if session == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.last = map[string]time.Time{}
	}
	if _, known := m.last[session]; !known && len(m.last) >= maxMods {
		m.dropOldest()
	}
	if at.After(m.last[session]) {
		m.last[session] = at
	}
}

// dropOldest forgets the session that was silent for the longest time; mu is held.
func (m *mods) dropOldest() {
	oldest, when := "", time.Time{}
	for s, t := range m.last {
		if oldest == "" || t.Before(when) {
			oldest, when = s, t
		}
	}
	delete(m.last, oldest)
}

// serves reports whether the mod serves a session.
func (m *mods) serves(session string, now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, ok := m.last[session]
	return ok && now.Sub(t) < modFor
}

// Greet notes that the mod said hello for a session, or spoke otherwise.
func (d *Door) Greet(session string, at time.Time) { d.mods.heard(session, at) }
