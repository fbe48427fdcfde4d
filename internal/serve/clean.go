package serve

import (
	"context"
	"net/http"
	"time"

	"winnow/internal/api"
	"winnow/internal/recall"
)

// Clean cleans a store as it is asked to. It never fails: what went wrong is in
// the reply.
func Clean(ctx context.Context, s *recall.Store, req api.CleanRequest) api.CleanReply {
	r, err := s.Upkeep(ctx, recall.Limits{
		Older:    time.Duration(req.OlderMS) * time.Millisecond,
		MaxBytes: req.MaxBytes, All: req.All, DryRun: req.DryRun,
	})
	out := api.CleanReply{
		Removed: r.Removed, RemovedBytes: r.RemovedBytes, Kept: r.Kept, KeptBytes: r.KeptBytes,
		Held: r.Held, Sessions: r.Sessions, Lost: r.Lost,
		Damaged: r.Damaged, DamagedBytes: r.DamagedBytes, Before: r.Before, After: r.After,
	}
	if err != nil {
		out.Error = err.Error()
	}
	return out
}

// noStore answers for a daemon that could not open its store.
const noStore = "the store could not be opened"

// clean works for as long as whoever asked waits for it.
func (s *Server) clean(w http.ResponseWriter, r *http.Request) {
	var req api.CleanRequest
	if !s.decode(r, &req) {
		return
	}
	store := s.shelf.await(r.Context(), recallWait)
	if store == nil {
		reply(w, api.CleanReply{Error: noStore})
		return
	}
	reply(w, Clean(r.Context(), store, req))
}

func (s *Server) check(w http.ResponseWriter, r *http.Request) {
	if !s.decode(r, &struct{}{}) {
		return
	}
	store := s.shelf.await(r.Context(), recallWait)
	if store == nil {
		reply(w, api.CheckReply{Error: noStore})
		return
	}
	h, err := store.Check(r.Context())
	out := api.CheckReply{Originals: h.Originals, Bytes: h.Bytes, File: h.File, Free: h.Free}
	for _, k := range h.Bad {
		out.Bad = append(out.Bad, string(k))
	}
	if err != nil {
		out.Error = err.Error()
	}
	reply(w, out)
}
