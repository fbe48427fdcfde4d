package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"winnow/internal/api"
	"winnow/internal/lock"
	"winnow/internal/state"
)

// Spawn says how to start a daemon, and which.
type Spawn struct {
	Dir state.Dir
	// Start launches a detached daemon and returns at once; the channel gets why
	// it ended should it end while somebody waits for it.
	Start func() (<-chan error, error)
	// Version is that of what Start starts: a daemon of an older one is asked to
	// make room. "" leaves whatever answers.
	Version string
	// Build tells apart what has the same version; with Replace a daemon of another
	// build of the same version is asked to make room, too.
	Build   string
	Replace bool
	// Wait bounds how long the new daemon may take to answer (0: 5 s).
	Wait time.Duration
}

// ping bounds one status question: longer than any healthy daemon needs.
const ping = 500 * time.Millisecond

// Probe returns a client if the folder's daemon answers a status question.
func Probe(ctx context.Context, dir state.Dir) (*Client, error) {
	c, _, err := probe(ctx, dir)
	return c, err
}

func probe(ctx context.Context, dir state.Dir) (*Client, api.Status, error) {
	c, err := New(dir)
	if err != nil {
		return nil, api.Status{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, ping)
	defer cancel()
	st, err := c.Status(ctx)
	if err != nil {
		c.Close()
		return nil, st, err
	}
	return c, st, nil
}

// Ensure returns a client to the running daemon, starting one if none answers:
// probe, take the start lock, probe again, start, wait for the first answer.
// Of several callers at once one starts a daemon and the others use it. An older
// daemon is asked to leave first and finishes what it answers.
func Ensure(ctx context.Context, s Spawn) (*Client, error) {
	if c, st, err := probe(ctx, s.Dir); err == nil {
		do, err := s.judge(st)
		if err == nil && do == keep {
			return c, nil
		}
		c.Close()
		if err != nil {
			return nil, err
		}
	}
	if s.Wait == 0 {
		s.Wait = 5 * time.Second
	}
	if err := s.Dir.Make(); err != nil {
		return nil, err
	}
	l, err := lock.Acquire(s.Dir.StartLock(), patience)
	switch {
	case errors.Is(err, lock.ErrHeld):
		return meanwhile(ctx, s, err)
	case err != nil:
		return nil, fmt.Errorf("start daemon: %w", err)
	}
	defer l.Release()
	if c, err := settle(ctx, s); c != nil || err != nil {
		return c, err
	}
	ended, err := s.Start()
	if err != nil {
		return nil, fmt.Errorf("start daemon: %w", err)
	}
	return await(ctx, s, ended)
}

// patience is how long a caller waits for another one's start: a prompt waits for
// whoever calls. An older daemon may take longer to leave.
const patience = 2500 * time.Millisecond

// meanwhile returns a client to whatever answers while another start goes on.
func meanwhile(ctx context.Context, s Spawn, held error) (*Client, error) {
	c, st, err := probe(ctx, s.Dir)
	if err != nil {
		return nil, fmt.Errorf("another start is under way: %w", held)
	}
	if max(st.Wire, 1) != api.Wire || s.Replace {
		c.Close()
		return nil, fmt.Errorf("another start is under way, and the old daemon is still there: %w", held)
	}
	return c, nil
}

// settle looks again under the start lock: a client to a daemon that may stay, or
// nil when the place is free. A daemon that holds its own lock but does not answer
// may be starting: it gets half the wait, or less where it has listened before; then
// it counts as hung (or its socket is gone) and is ended, or no new one could ever
// take its place.
func settle(ctx context.Context, s Spawn) (*Client, error) {
	c, st, err := probe(ctx, s.Dir)
	if err != nil {
		if _, held := lock.Holder(s.Dir.Lock()); !held {
			return nil, nil
		}
		less := s
		if less.Wait /= 2; listened(s.Dir) {
			less.Wait = min(less.Wait, hung)
		}
		if c, err = await(ctx, less, nil); err != nil {
			return nil, end(ctx, s.Dir)
		}
		if st, err = c.Status(ctx); err != nil {
			c.Close()
			return nil, end(ctx, s.Dir)
		}
	}
	do, err := s.judge(st)
	if err == nil && do == keep {
		return c, nil
	}
	defer c.Close()
	if err != nil {
		return nil, err
	}
	return nil, relieve(ctx, s.Dir, c, do)
}

// hung is how long a daemon that has listened may say nothing, beside the pings
// before and after: with these a hook waits less than three seconds.
const hung = 800 * time.Millisecond

// listened reports whether the holder of the daemon's lock wrote down where it
// listens: it is not starting any more.
func listened(dir state.Dir) bool {
	o, held := lock.Holder(dir.Lock())
	d, err := dir.ReadDaemon()
	return held && err == nil && d.Pid == o.Pid && d.Started == o.Started
}

// end ends the daemon that does not answer and waits until its lock is free. What
// stands in the way then will be the new daemon's to say.
func end(ctx context.Context, dir state.Dir) error {
	if ended, err := Unstick(ctx, dir); err != nil || !ended {
		return err
	}
	return Gone(ctx, dir, time.Second)
}

// await asks until the daemon answers, has ended, or the wait is over.
func await(ctx context.Context, s Spawn, ended <-chan error) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, s.Wait)
	defer cancel()
	for {
		c, err := Probe(ctx, s.Dir)
		if err == nil {
			return c, nil
		}
		select {
		case why := <-ended:
			return nil, fmt.Errorf("the new daemon ended at once: %w", why)
		case <-ctx.Done():
			return nil, fmt.Errorf("the new daemon does not answer: %w", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Unstick ends the folder's daemon if it holds its lock but does not answer a
// ping, and reports whether it did. It is the only place where winnow kills.
func Unstick(ctx context.Context, dir state.Dir) (bool, error) {
	c, err := Probe(ctx, dir)
	if err == nil {
		c.Close()
		return false, nil
	}
	if errors.Is(err, ErrForeign) {
		return false, err
	}
	if errors.Is(err, ErrNoToken) && answers(ctx, dir) {
		return false, err // it lives; it will write its token again
	}
	o, held := lock.Holder(dir.Lock())
	if !held {
		return false, nil
	}
	return o.End()
}

// answers reports whether the daemon says anything at all: without the token it
// refuses, and that is an answer.
func answers(ctx context.Context, dir state.Dir) bool {
	sock, err := socketOf(dir)
	if err != nil {
		return false
	}
	c := &Client{Transport: transport(sock)}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, ping)
	defer cancel()
	_, err = c.Status(ctx)
	return err == nil || errors.Is(err, ErrForeign)
}

// Gone waits until no process holds the folder's daemon lock.
func Gone(ctx context.Context, dir state.Dir, wait time.Duration) error {
	l, err := lock.Acquire(dir.Lock(), wait)
	if err != nil {
		return fmt.Errorf("the daemon has not left: %w", err)
	}
	return l.Release()
}
