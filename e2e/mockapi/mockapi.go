//go:build e2e

// Package mockapi is a scripted Messages API on loopback, enough of one for the
// real client to work against. What it answers depends on the request alone, so
// it keeps no conversation: the newest "[[script:NAME]]" in a user's text picks
// the script, the number of assistant messages after it picks the step.
//
// It judges nothing: it records what was sent, for the tests to look at.
package mockapi

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Call is one tool_use block.
type Call struct {
	Name  string
	Input any
}

// Reply is one assistant message.
type Reply struct {
	Text  string
	Calls []Call
}

// Step makes the reply to one request of a script. It may wait.
type Step func(Request) Reply

// Say replies with text and ends the turn.
func Say(text string) Step { return func(Request) Reply { return Reply{Text: text} } }

// Use replies with tool calls after a sentence.
func Use(text string, calls ...Call) Step {
	return func(Request) Reply { return Reply{Text: text, Calls: calls} }
}

// Request is a request as received.
type Request struct {
	// Script and Step are what was picked; Script is "" for the client's side
	// questions, which carry no tools or no marker.
	Script string
	Step   int
	At     time.Time
	Body
	// Raw is the body's bytes.
	Raw json.RawMessage
}

// Server answers the client. Create it with [New].
type Server struct {
	URL string

	srv *http.Server
	mu  sync.Mutex // guards the fields below
	scr map[string][]Step
	got []Request
	// side answers side questions that hold sidePart.
	side     func(Request) Side
	sidePart string
}

// New starts a server on a free loopback port.
func New() (*Server, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the client: %w", err)
	}
	s := &Server{URL: "http://" + ln.Addr().String(), scr: map[string][]Step{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.messages)
	mux.HandleFunc("POST /v1/messages/count_tokens", func(w http.ResponseWriter, _ *http.Request) { send(w, `{"input_tokens":1000}`) })
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { send(w, `{}`) })
	s.srv = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go s.srv.Serve(ln)
	return s, nil
}

// Close ends all connections.
func (s *Server) Close() error { return s.srv.Close() }

// Script sets the steps of a script; after the last one the turn ends.
func (s *Server) Script(name string, steps ...Step) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scr[name] = steps
}

// Requests returns the requests that reached a step of script, in order.
func (s *Server) Requests(script string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Request
	for _, r := range s.got {
		if r.Script == script {
			out = append(out, r)
		}
	}
	return out
}

var markRE = regexp.MustCompile(`\[\[script:([A-Za-z0-9_.-]+)\]\]`)

// pick returns the script that the conversation asks for, the step it is at and
// the text that asked.
func pick(messages []Message) (name string, step int, by string) {
	for _, m := range messages {
		if m.Role == "assistant" {
			step++
			continue
		}
		for _, b := range m.Content {
			if b.Type != "text" {
				continue
			}
			for _, hit := range markRE.FindAllStringSubmatch(b.Text, -1) {
				name, step, by = hit[1], 0, b.Text
			}
		}
	}
	return name, step, by
}

func (s *Server) messages(w http.ResponseWriter, r *http.Request) {
	var req Request
	req.At = time.Now()
	if err := json.NewDecoder(r.Body).Decode(&req.Raw); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := json.Unmarshal(req.Raw, &req.Body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if s.sideQuestion(w, r, req) {
		return
	}
	by := ""
	if len(req.Tools) > 0 {
		req.Script, req.Step, by = pick(req.Messages)
	}
	s.mu.Lock()
	s.got = append(s.got, req)
	steps := s.scr[req.Script]
	s.mu.Unlock()

	reply := Reply{Text: "Done."}
	if req.Step < len(steps) {
		reply = steps[req.Step](req)
	}
	answer(w, req, reply, ids(req, by))
}

// ids names a reply's calls: the same in every run of the same script, and
// different for two agents that were given different words.
func ids(req Request, by string) func(int) string {
	return func(i int) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %s", req.Script, req.Step, i, strings.TrimSpace(by)))
		return "toolu_" + hex.EncodeToString(sum[:12])
	}
}

func send(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, body)
}
