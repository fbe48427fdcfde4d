package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"winnow/internal/lock"
	"winnow/internal/state"
)

// Spawn says how to start a daemon.
type Spawn struct {
	Dir state.Dir
	// Start launches a detached daemon and returns at once; the channel gets why
	// it ended should it end while somebody waits for it.
	Start func() (<-chan error, error)
	// Wait bounds how long the new daemon may take to answer (0: 5 s).
	Wait time.Duration
}

// ping bounds one status question: longer than any healthy daemon needs.
const ping = 500 * time.Millisecond

// Probe returns a client if the folder's daemon answers a status question.
func Probe(ctx context.Context, dir state.Dir) (*Client, error) {
	c, err := New(dir)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, ping)
	defer cancel()
	if _, err := c.Status(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Ensure returns a client to the running daemon, starting one if none answers:
// probe, take the start lock, probe again, start, wait for the first answer.
// Of several callers at once one starts a daemon and the others use it.
func Ensure(ctx context.Context, s Spawn) (*Client, error) {
	if c, err := Probe(ctx, s.Dir); err == nil {
		return c, nil
	}
	if s.Wait == 0 {
		s.Wait = 5 * time.Second
	}
	if err := s.Dir.Make(); err != nil {
		return nil, err
	}
	l, err := lock.Acquire(s.Dir.StartLock(), s.Wait)
	if err != nil {
		return nil, fmt.Errorf("another start is under way: %w", err)
	}
	defer l.Release()
	if c, err := settle(ctx, s); err == nil {
		return c, nil
	}
	ended, err := s.Start()
	if err != nil {
		return nil, fmt.Errorf("start daemon: %w", err)
	}
	return await(ctx, s, ended)
}

// settle probes again under the start lock. A daemon that holds its own lock but
// does not answer may be starting: it gets half the wait, then it counts as hung
// (or its socket is gone) and is ended, or no new one could ever take its place.
func settle(ctx context.Context, s Spawn) (*Client, error) {
	c, err := Probe(ctx, s.Dir)
	if err == nil {
		return c, nil
	}
	if _, held := lock.Holder(s.Dir.Lock()); !held {
		return nil, err
	}
	half := s
	half.Wait /= 2
	if c, err = await(ctx, half, nil); err == nil {
		return c, nil
	}
	if ended, uerr := Unstick(ctx, s.Dir); uerr != nil || !ended {
		return nil, errors.Join(err, uerr)
	}
	return nil, errors.Join(err, Gone(ctx, s.Dir, time.Second))
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
		case <-time.After(10 * time.Millisecond):
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
