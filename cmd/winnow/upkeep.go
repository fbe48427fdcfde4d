package main

import (
	"context"
	"time"

	"winnow/internal/prune"
	"winnow/internal/recall"
)

// upkeepEvery is how often the daemon looks after its store, upkeepTime how long
// it may take for it: what is left then is left to the next time.
const (
	upkeepEvery = 6 * time.Hour
	upkeepTime  = 5 * time.Minute
)

// upkeep keeps the store small, at the start and every few hours. It works in
// pieces beside everything else; no answer waits for it.
func (d *daemon) upkeep(ctx context.Context) {
	s := d.store.Load()
	if s == nil {
		return
	}
	rounds := d.rounds
	if rounds == nil {
		tick := time.NewTicker(upkeepEvery)
		defer tick.Stop()
		rounds = tick.C
	}
	for {
		d.keepStore(ctx, s)
		select {
		case <-ctx.Done():
			return
		case <-rounds:
		}
	}
}

func (d *daemon) keepStore(ctx context.Context, s *recall.Store) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("panic in upkeep", "err", prune.Panicked(p))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, upkeepTime)
	defer cancel()
	r, err := s.Upkeep(ctx, recall.Limits{Patient: true})
	if err != nil && ctx.Err() == nil {
		d.log.Warn("store upkeep", "err", err)
	}
	if r.Removed+r.Damaged > 0 || r.Compacted {
		d.log.Info("store upkeep", "removed", r.Removed, "removed_bytes", r.RemovedBytes, "kept", r.Kept, "kept_bytes", r.KeptBytes,
			"held", r.Held, "damaged", r.Damaged, "before", r.Before, "after", r.After)
	}
}
