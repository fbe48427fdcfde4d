package serve

import (
	"net/http"
	"sync"

	"winnow/internal/api"
	"winnow/internal/compress/router"
	"winnow/internal/door"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/reduce"
)

// reducer is the router behind /v1/compress, with the judge of the moment.
type reducer struct {
	mu     sync.Mutex // guards the fields below
	judge  *prune.Pruner
	router *router.Router
}

// with returns the router for a judge; sums go on when the judge changes.
func (x *reducer) with(p *prune.Pruner) *router.Router {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.router == nil {
		x.router = router.New(router.Options{})
	}
	if x.judge != p {
		x.judge, x.router = p, x.router.WithJudge(p)
	}
	return x.router
}

// compress answers for whoever wants a shorter text. A request that cannot be
// understood gets an error, not an empty answer: nobody's result waits for it.
func (s *Server) compress(w http.ResponseWriter, r *http.Request) {
	var req api.CompressRequest
	if !s.decode(r, &req) {
		http.Error(w, "the body is no request for "+api.PathCompress+": see docs/compressors.md", http.StatusBadRequest)
		return
	}
	if err := reduce.Check(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var store reduce.Store
	if st := s.shelf.await(r.Context(), recallWait); st != nil {
		store = st
	}
	out, err := reduce.Do(r.Context(), s.reducer.with(s.cur.Load().pruner), store, &req)
	if err != nil {
		s.o.Log.Error("compressed text not stored", "err", err)
	}
	s.o.Counters.Add("compress.blocks", 1)
	s.o.Counters.Add("compress.tokens_saved", int64(out.Before-out.After))
	reply(w, out)
}

// retrieve gives a whole original.
func (s *Server) retrieve(w http.ResponseWriter, r *http.Request) {
	var req api.RetrieveRequest
	if !s.decode(r, &req) {
		http.Error(w, "the body is no request for "+api.PathRetrieve, http.StatusBadRequest)
		return
	}
	store := s.shelf.await(r.Context(), recallWait)
	if store == nil {
		reply(w, api.RetrieveReply{Note: door.NoStoreNote})
		return
	}
	reply(w, Retrieve(store, req))
}

// Retrieve answers one request from a store.
func Retrieve(s *recall.Store, req api.RetrieveRequest) api.RetrieveReply {
	out := door.Recall(s, api.RecallRequest{Key: req.Key, Session: reduce.Session})
	key, _ := marker.Parse(req.Key)
	if text, err := s.Get(key); err == nil {
		return api.RetrieveReply{Text: text, Found: true}
	}
	return api.RetrieveReply{Note: out.Note}
}

// stats sums up what the reducer did.
func (s *Server) stats(w http.ResponseWriter, _ *http.Request) {
	sums, err := marshal(s.reducer.with(s.cur.Load().pruner).Stats())
	if err != nil {
		return
	}
	reply(w, api.CompressStats{Reducer: sums, Counts: s.status().Counts})
}
