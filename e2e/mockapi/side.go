//go:build e2e

package mockapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Side is the answer to a side question, one without tools.
type Side struct {
	Text string
	// Status, when set, is an error's.
	Status int
	// Wait is how long it takes.
	Wait time.Duration
}

// SideQuestions sets who answers requests without tools whose system prompt holds
// part. They are recorded under [SideScript].
func (s *Server) SideQuestions(part string, answer func(Request) Side) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sidePart, s.side = part, answer
}

// SideScript is the script that side questions are recorded under.
const SideScript = "(side)"

// System is a request's system prompt, block by block.
func (r Request) System() []SystemBlock {
	var body struct {
		System []SystemBlock `json:"system"`
	}
	_ = json.Unmarshal(r.Raw, &body)
	return body.System
}

// SystemBlock is one block of a system prompt.
type SystemBlock struct {
	Text         string          `json:"text"`
	CacheControl json.RawMessage `json:"cache_control"`
}

// sideQuestion reports whether req is one, and answers it.
func (s *Server) sideQuestion(w http.ResponseWriter, r *http.Request, req Request) bool {
	s.mu.Lock()
	part, who := s.sidePart, s.side
	s.mu.Unlock()
	if who == nil || len(req.Tools) > 0 || !strings.Contains(string(req.Raw), part) {
		return false
	}
	req.Script = SideScript
	s.mu.Lock()
	s.got = append(s.got, req)
	s.mu.Unlock()
	a := who(req)
	select {
	case <-time.After(a.Wait):
	case <-r.Context().Done(): // whoever asked has given up
		return true
	}
	switch {
	case a.Status != 0:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.Status)
		fmt.Fprintf(w, `{"type":"error","error":{"type":"rate_limit_error","message":"status %d"}}`, a.Status)
	default:
		answer(w, req, Reply{Text: a.Text}, ids(req, a.Text))
	}
	return true
}
