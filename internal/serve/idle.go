package serve

import (
	"context"
	"time"
)

// idleTicks is how many ticks without a request make the period of idleness.
const idleTicks = 20

// watchIdle returns a channel that is closed when the daemon has been idle for
// the period, or when ctx is done. It counts ticks and looks at no clock: one that
// jumps ends nobody and keeps nobody, and a machine that slept for a night has
// ticked once when it wakes.
func (s *Server) watchIdle(ctx context.Context) <-chan struct{} {
	out := make(chan struct{})
	go func() {
		defer close(out)
		if s.o.Idle <= 0 {
			<-ctx.Done()
			return
		}
		ticks := s.o.Ticks
		if ticks == nil {
			t := time.NewTicker(max(s.o.Idle/idleTicks, time.Millisecond))
			defer t.Stop()
			ticks = t.C
		}
		quiet, seen := 0, s.asked.Load()
		for quiet < idleTicks {
			select {
			case <-ctx.Done():
				return
			case <-ticks:
			}
			quiet++
			if now := s.asked.Load(); now != seen || s.active.Load() > 0 {
				quiet, seen = 0, now
			}
		}
	}()
	return out
}
