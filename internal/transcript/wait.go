package transcript

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// waitTail is how much of the file's end is searched for the present call.
	waitTail = 4 << 20
	// waitPoll is how often the file is looked at where no event comes: its
	// folder does not exist yet, or the system gives no more watches.
	waitPoll = 20 * time.Millisecond
)

// Wait waits, at most max, until the file holds the assistant's entry of the
// call o.ToolUseID, and reports whether it does. A transcript is written behind
// its hooks, by up to 75 ms where it was measured.
func Wait(ctx context.Context, path string, o Options, max time.Duration) bool {
	file, err := fileOf(path, o)
	if err != nil || o.ToolUseID == "" {
		return false
	}
	if holds(path, o) {
		return true
	}
	ctx, cancel := context.WithTimeout(ctx, max)
	defer cancel()
	var events <-chan fsnotify.Event
	if w, err := fsnotify.NewWatcher(); err == nil {
		defer w.Close()
		if w.Add(filepath.Dir(file)) == nil {
			events = w.Events
		}
	}
	poll := time.NewTicker(waitPoll)
	defer poll.Stop()
	for {
		// Before waiting: what was written between the first look and the watch
		// raises no event.
		if holds(path, o) {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-events:
		case <-poll.C:
		}
	}
}

// holds reports whether the end of the file has the call's tool_use block.
func holds(path string, o Options) bool {
	f, size, err := open(path, o)
	if err != nil {
		return false
	}
	defer f.Close()
	b := backwards{r: f, pos: size, left: waitTail}
	for {
		line, err := b.next()
		if err != nil {
			return false
		}
		if calls(line, o.ToolUseID) {
			return true
		}
	}
}
