package serve

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"winnow/internal/door"
	"winnow/internal/marker"
	"winnow/internal/recall"
)

// shelf is where the store stands once it is open. The daemon listens before
// that: until then, and while it cannot be written, nothing is hidden. Loops that
// say meanwhile that they can recall are remembered, as they say so only once.
type shelf struct {
	log *slog.Logger
	// now is closed when it is first known whether there is a store.
	now chan struct{}

	mu    sync.Mutex // guards the fields below; no call on the store under it
	known bool
	store *recall.Store
	// note is why there is none; trouble is why the last write failed.
	note, trouble string
	told          map[loop]struct{}
}

// loop is one conversation.
type loop struct{ session, name string }

// maxTold bounds the loops that are remembered.
const maxTold = 4096

var _ door.Store = (*shelf)(nil)

// SetStore gives the daemon its store, or with nil says why there is none. It may
// come again.
func (s *Server) SetStore(store *recall.Store, note string) { s.shelf.set(store, note) }

func (h *shelf) set(store *recall.Store, note string) {
	h.mu.Lock()
	h.store, h.note, h.trouble = store, note, ""
	first := !h.known
	h.known = true
	h.mu.Unlock()
	h.pass()
	if first {
		close(h.now)
	}
}

// pass hands the remembered loops to the store, which knows them from then on.
func (h *shelf) pass() {
	h.mu.Lock()
	store, told := h.store, h.told
	if store == nil {
		h.mu.Unlock()
		return
	}
	h.told = nil
	h.mu.Unlock()
	for l := range told {
		h.offer(store, l)
	}
}

// get returns the store, nil while there is none.
func (h *shelf) get() *recall.Store {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.store
}

// await returns the store when it is open, nil where there will be none or d is over.
func (h *shelf) await(ctx context.Context, d time.Duration) *recall.Store {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-h.now:
	case <-t.C:
	case <-ctx.Done():
	}
	return h.get()
}

// Settled waits until it is known whether there is a store.
func (s *Server) Settled(ctx context.Context) {
	select {
	case <-s.shelf.now:
	case <-ctx.Done():
	}
}

// state is what the status says of the store.
func (h *shelf) state() (opening bool, why string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.trouble != "":
		return false, h.trouble
	case h.store == nil:
		return !h.known, h.note
	}
	if at := h.store.Damaged(); at != "" {
		return false, "was damaged and set aside as " + at
	}
	return false, ""
}

// wrote notes how a write went.
func (h *shelf) wrote(err error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case errors.Is(err, recall.ErrTooLarge), errors.Is(err, recall.ErrKey): // the text's own fault
	case err != nil:
		h.trouble = "cannot be written: " + err.Error()
	case h.trouble != "":
		h.trouble = ""
		h.log.Info("the store can be written again")
	}
	return err
}

// Mend tries to write where that failed last, so that what was in the way is
// found gone without a result that has to pass for it.
func (s *Server) Mend() {
	h := &s.shelf
	h.mu.Lock()
	store, trouble := h.store, h.trouble
	h.mu.Unlock()
	if store == nil || trouble == "" {
		return
	}
	if h.wrote(store.Try()) == nil {
		h.pass()
	}
}

// Offer notes that a loop can recall.
func (h *shelf) Offer(session, name string) {
	l := loop{session, name}
	if store := h.get(); store != nil {
		h.offer(store, l)
	} else {
		h.remember(l)
	}
}

func (h *shelf) offer(store *recall.Store, l loop) {
	if err := h.wrote(store.Offer(l.session, l.name)); err != nil {
		h.log.Error("offer not stored", "err", err)
		h.remember(l)
	}
}

func (h *shelf) remember(l loop) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.told == nil {
		h.told = map[loop]struct{}{}
	}
	if len(h.told) < maxTold {
		h.told[l] = struct{}{}
	}
}

// Offered, Put and CutCalls are what the doors ask for. See [recall.Store].
func (h *shelf) Offered(session, name string) bool {
	h.mu.Lock()
	store := h.store
	_, told := h.told[loop{session, name}]
	h.mu.Unlock()
	return store != nil && (told || store.Offered(session, name))
}

func (h *shelf) Put(items []recall.Item) error {
	store := h.get()
	if store == nil {
		return recall.ErrClosed
	}
	return h.wrote(store.Put(items))
}

func (h *shelf) CutCalls(session, name string) map[string]bool {
	if store := h.get(); store != nil {
		return store.CutCalls(session, name)
	}
	return nil
}

// Live reports whether a key leads somewhere.
func (s *Server) Live(k marker.Key) bool {
	store := s.shelf.get()
	return store != nil && store.Live(k)
}
