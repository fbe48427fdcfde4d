package config

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// An editor's save is several events; quiet is how long none must come before
// the file is read, and patience bounds the wait when they do not end.
const (
	quiet    = 50 * time.Millisecond
	patience = 500 * time.Millisecond
	// rewatch is how often a removed folder is looked for.
	rewatch = time.Second
)

// Watch calls changed with the settings once it is watching, and again after
// each change of the file's content, until ctx is done. It returns nil then,
// and an error only when it could not begin. It watches the folder, because
// saving often replaces the file. changed runs on Watch's own goroutine.
func Watch(ctx context.Context, path string, getenv func(string) string, changed func(Config, error)) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch settings: %w", err)
	}
	defer w.Close()
	s := &watch{Watcher: w, path: path, dir: filepath.Dir(path), getenv: getenv, changed: changed}
	if err := w.Add(s.dir); err != nil {
		return fmt.Errorf("watch settings: %w", err)
	}
	s.reload()
	return s.run(ctx)
}

// watch is one running [Watch]; only its goroutine touches it.
type watch struct {
	*fsnotify.Watcher
	path, dir string
	// target is the folder of the file that path links to, when it is another.
	target  string
	getenv  func(string) string
	changed func(Config, error)

	seen    bool
	last    []byte
	lastErr string
}

func (w *watch) run(ctx context.Context) error {
	due := time.NewTimer(0)
	due.Stop()
	defer due.Stop()
	var first time.Time // of the events not yet acted upon
	lost := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-w.Events:
			lost = lost || w.isLoss(e)
			if !w.concerns(e) {
				continue
			}
		case <-w.Errors: // an overflow: anything may have happened
		case <-due.C:
			first = time.Time{}
			if lost {
				if lost = w.Add(w.dir) != nil; lost {
					due.Reset(rewatch)
				}
			}
			w.reload()
			continue
		}
		if first.IsZero() {
			first = time.Now()
		}
		due.Reset(max(0, min(quiet, patience-time.Since(first))))
	}
}

// isLoss reports whether the watch on the folder has ended.
func (w *watch) isLoss(e fsnotify.Event) bool {
	return filepath.Clean(e.Name) == filepath.Clean(w.dir) && e.Has(fsnotify.Remove|fsnotify.Rename)
}

// concerns reports whether the file may have changed. Writes to the folder's
// other files (the store's, the log's) come all the time; but whatever appears
// or goes may be a link on the way to the file.
func (w *watch) concerns(e fsnotify.Event) bool {
	if e.Has(fsnotify.Create | fsnotify.Remove | fsnotify.Rename) {
		return true
	}
	return e.Has(fsnotify.Write) && (filepath.Base(e.Name) == filepath.Base(w.path) || filepath.Dir(e.Name) == w.target)
}

// reload reads the file and tells of it when it differs from the last reading.
func (w *watch) reload() {
	w.follow()
	b, err := read(w.path)
	if err != nil {
		if w.seen && w.lastErr == err.Error() {
			return
		}
		w.seen, w.last, w.lastErr = true, nil, err.Error()
		w.changed(Default(), fmt.Errorf("read settings: %w", err))
		return
	}
	// A missing file and an empty one are the same settings.
	if w.seen && w.lastErr == "" && bytes.Equal(w.last, b) {
		return
	}
	w.seen, w.last, w.lastErr = true, b, ""
	c, err := parse(w.path, b, w.getenv)
	w.changed(c, err)
}

// follow watches the folder of the file that a link leads to.
func (w *watch) follow() {
	real, err := filepath.EvalSymlinks(w.path)
	if err != nil {
		return
	}
	dir, err := filepath.EvalSymlinks(w.dir)
	if err != nil {
		return
	}
	target := filepath.Dir(real)
	if target == dir {
		target = ""
	}
	if target == w.target {
		return
	}
	if w.target != "" {
		_ = w.Remove(w.target)
	}
	w.target = target
	if target != "" {
		_ = w.Add(target) // without it only changes of the link are seen
	}
}
