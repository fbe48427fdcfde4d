package serve

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"winnow/internal/api"
	"winnow/internal/door"
	"winnow/internal/hook"
	"winnow/internal/marker"
)

// decode reads the body as JSON into v; an unusable one is counted and answered
// by an empty 200.
func (s *Server) decode(r *http.Request, v any) bool {
	body, ok := s.read(r)
	if !ok {
		return false
	}
	if !hook.Clean(body) || json.Unmarshal(body, v) != nil {
		s.o.Counters.Add("refused.body", 1)
		return false
	}
	return true
}

func reply(w http.ResponseWriter, v any) {
	b, err := marshal(v)
	if err != nil {
		return // an empty 200 leaves everything as it was
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(b)
}

// marshal is JSON without the escaping meant for web pages.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// hook is Claude Code's own door (settings hooks): hook JSON in, hook output out.
func (s *Server) hook(w http.ResponseWriter, r *http.Request) {
	body, ok := s.read(r)
	if !ok {
		return
	}
	e, err := hook.Decode(bytes.NewReader(body))
	if err != nil {
		s.o.Counters.Add("reason.body", 1)
		return
	}
	if !s.room(r, savedOf(e)) {
		return
	}
	if out := s.door.Hook(r.Context(), e, nil); out != nil {
		w.Header().Set("Content-Type", "application/json")
		w.Write(out)
	}
}

// result is the mod's door.
func (s *Server) result(w http.ResponseWriter, r *http.Request) {
	var req api.ResultRequest
	if !s.decode(r, &req) {
		return
	}
	if !s.room(r, savedIn(&req)) {
		reply(w, api.ResultReply{Mode: s.now().Told()})
		return
	}
	out := s.door.Result(r.Context(), &req)
	out.Notice = s.anyNotice()
	reply(w, out)
}

// hello hears that a session loaded the mod, and says the mode.
func (s *Server) hello(w http.ResponseWriter, r *http.Request) {
	var req api.HelloRequest
	if !s.decode(r, &req) {
		return
	}
	s.door.Greet(req.Session, time.Now())
	if s.o.Greeted != nil && req.Session != "" {
		s.o.Greeted(req)
	}
	reply(w, api.ModeReply{Mode: s.now().Told(), Second: s.door.Asks()})
}

// early starts judging before the row's turn has come.
func (s *Server) early(w http.ResponseWriter, r *http.Request) {
	var req api.ResultRequest
	if !s.decode(r, &req) || !s.room(r, savedIn(&req)) {
		return
	}
	if out := s.door.Early(r.Context(), &req); len(out.Questions) > 0 {
		reply(w, out)
	}
}

// offer remembers that a loop can recall.
func (s *Server) offer(w http.ResponseWriter, r *http.Request) {
	var req api.OfferRequest
	if !s.decode(r, &req) {
		return
	}
	s.door.Greet(req.Session, time.Now())
	if req.Session != "" && req.Loop != "" {
		s.shelf.Offer(req.Session, req.Loop)
	}
	reply(w, api.ModeReply{Mode: s.now().Told(), Second: s.door.Asks()})
}

// How long a question waits for a store that is not open yet: less than the mod
// waits for the answer.
const (
	liveWait   = 500 * time.Millisecond
	recallWait = 3 * time.Second
)

// live says which keys winnow has issued and still holds. Without a store it is
// not known, and the list is null.
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	var req api.LiveRequest
	if !s.decode(r, &req) {
		return
	}
	store := s.shelf.await(r.Context(), liveWait)
	if store == nil {
		reply(w, api.LiveReply{})
		return
	}
	out := api.LiveReply{Live: []string{}}
	for _, k := range req.Keys {
		if key, ok := marker.Parse(k); ok && store.Live(key) {
			out.Live = append(out.Live, k)
		}
	}
	reply(w, out)
}

func (s *Server) recall(w http.ResponseWriter, r *http.Request) {
	var req api.RecallRequest
	if !s.decode(r, &req) {
		return
	}
	store := s.shelf.await(r.Context(), recallWait)
	if store == nil {
		reply(w, api.RecallReply{Note: door.NoStoreNote})
		return
	}
	s.o.Counters.Add("recalls", 1)
	began := time.Now()
	out := door.Recall(store, req)
	s.o.Desk.Recalled(req, out)
	if s.o.Decided != nil {
		s.o.Decided(door.Recalled(req, out, time.Since(began)))
	}
	reply(w, out)
}

func (s *Server) statusPage(w http.ResponseWriter, _ *http.Request) {
	if s.o.Asked != nil {
		s.o.Asked()
	}
	reply(w, s.status())
}

func (s *Server) stopPage(w http.ResponseWriter, _ *http.Request) {
	reply(w, struct{}{})
	s.Stop()
}
