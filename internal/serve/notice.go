package serve

import (
	"strings"
	"sync"
	"time"

	"winnow/internal/api"
	"winnow/internal/door"
)

// notice tells the person that the judge of the settings cannot start, or that
// there is no store; "" when all is well. The mod shows it once a session.
func (s *Server) notice() string {
	c := s.cur.Load()
	why, ill := strings.CutPrefix(c.judgeState, "failed: ")
	if !ill {
		why, ill = strings.CutPrefix(c.judgeState, "ready; ")
	}
	if opening, store := s.shelf.state(); !ill && !opening && s.shelf.get() == nil {
		why, ill = "without its store nothing is hidden: "+store, true
	}
	if !ill || c.mode == door.Off {
		return ""
	}
	return "winnow: " + why + "; `winnow doctor` says what to do"
}

// doors notes who came by which way.
type doors struct {
	mu  sync.Mutex // guards the field below
	all [2]came
}

type came struct {
	n    int64
	last time.Time
}

// The ways that are told apart.
const (
	modDoor = iota
	hookDoor
)

var doorNames = [...]string{modDoor: "mod", hookDoor: "hook"}

// note counts a request by its path; the CLI's own are nobody's door.
func (d *doors) note(path string) {
	which := modDoor
	switch path {
	case api.PathHook:
		which = hookDoor
	case api.PathResult, api.PathEarly, api.PathSecond, api.PathOffer, api.PathHello:
	default:
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all[which].n++
	d.all[which].last = time.Now()
}

// list returns the ways that somebody came by, never nil.
func (d *doors) list() []api.Door {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := []api.Door{}
	for i, c := range d.all {
		if c.n > 0 {
			out = append(out, api.Door{Name: doorNames[i], Requests: c.n, LastMS: time.Since(c.last).Milliseconds()})
		}
	}
	return out
}
