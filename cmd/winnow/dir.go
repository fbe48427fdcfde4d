package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"winnow/internal/config"
	"winnow/internal/recall"
	"winnow/internal/state"
)

// stateDir returns the state folder: --state, else WINNOW_DIR, else ~/.winnow.
func stateDir(flag string) (state.Dir, error) {
	if flag != "" {
		d, err := filepath.Abs(flag)
		return state.Dir(d), err
	}
	d, err := config.Dir(os.Getenv)
	return state.Dir(d), withHint(err, "export HOME=/home/you  # or WINNOW_DIR with an absolute path")
}

// openStore opens the store for a command that works without a daemon.
func openStore(dir state.Dir) (*recall.Store, error) {
	if err := dir.Make(); err != nil {
		return nil, err
	}
	s, err := recall.Open(dir.Store(), recall.Options{})
	if errors.Is(err, recall.ErrLocked) {
		return nil, withHint(fmt.Errorf("the daemon holds the store of %s: %w", dir, err), "winnow serve --stop  # or another folder, by --state")
	}
	return s, withHint(err, "winnow doctor")
}
