// Package lock holds an advisory lock on a file for as long as the process
// lives: the kernel drops it, so a stale file blocks nobody. The file also says
// who holds it (pid and start time), written after the lock is taken; an empty
// or broken one counts as unknown.
package lock

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// ErrHeld reports that another process holds the lock.
var ErrHeld = errors.New("lock is held")

// Owner is who holds a lock.
type Owner struct {
	Pid int `json:"pid"`
	// Started tells a process from a later one of the same pid; "" where the
	// platform does not say.
	Started string `json:"started"`
}

// Lock is a lock that is held.
type Lock struct{ f *os.File }

// poll is how often a waiting Acquire looks again.
const poll = 20 * time.Millisecond

// Acquire takes the lock, waiting at most wait; then the error is [ErrHeld]. A link
// in the file's place is refused: what is written would go elsewhere.
func Acquire(path string, wait time.Duration) (*Lock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	deadline := time.Now().Add(wait)
	for {
		err := tryLock(f)
		if err == nil {
			l := &Lock{f}
			_ = l.Sign() // on a full disk: held all the same
			return l, nil
		}
		if !errors.Is(err, ErrHeld) || !time.Now().Before(deadline) {
			f.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		time.Sleep(poll)
	}
}

// Release gives the lock up. The file stays: removing it would race.
func (l *Lock) Release() error { return l.f.Close() }

// Sign writes who holds the lock. Without it nobody knows whom to end should the
// holder hang, no more: a full disk is no reason not to hold it. What is there is
// written over before the rest is cut off, so that it needs no new room.
func (l *Lock) Sign() error {
	b, err := json.Marshal(Owner{os.Getpid(), StartTime(os.Getpid())})
	if err != nil {
		return err
	}
	if _, err := l.f.WriteAt(b, 0); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	if err := l.f.Truncate(int64(len(b))); err != nil {
		return fmt.Errorf("write lock: %w", err)
	}
	return nil
}

// Signed reports whether the file says that this process holds the lock.
func (l *Lock) Signed() bool {
	b := make([]byte, 256)
	n, _ := l.f.ReadAt(b, 0)
	var o Owner
	return json.Unmarshal(b[:n], &o) == nil && o.Pid == os.Getpid()
}

// Stands reports whether the file at path is still the one that is locked. Only
// a look that shows another file, or none, says no: a disk may have its moods.
func (l *Lock) Stands(path string) bool {
	at, err := os.Stat(path)
	if err != nil {
		return !errors.Is(err, os.ErrNotExist)
	}
	mine, err := l.f.Stat()
	return err != nil || os.SameFile(at, mine)
}

// Holder returns who holds the lock at path; ok is false when nobody does or
// the file does not say.
func Holder(path string) (o Owner, ok bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0) // to lock it needs no right to write
	if err != nil {
		return o, false
	}
	defer f.Close()
	if !errors.Is(tryLock(f), ErrHeld) {
		return o, false
	}
	b, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil || json.Unmarshal(b, &o) != nil || o.Pid <= 0 {
		return Owner{}, false
	}
	return o, true
}

// End kills the owner if its start time shows that it is still the same
// process, and reports whether it did. The process is held (by pidfd where the
// system has one) before the times are compared, so a reused pid is not hit.
func (o Owner) End() (bool, error) {
	p, err := os.FindProcess(o.Pid)
	if err != nil || o.Started == "" || StartTime(o.Pid) != o.Started {
		return false, nil
	}
	if err := p.Kill(); err != nil {
		return false, fmt.Errorf("end daemon: %w", err)
	}
	return true, nil
}
