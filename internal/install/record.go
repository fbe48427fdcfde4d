package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"winnow/internal/settings"
	"winnow/internal/state"
)

// record is install.json in the state folder: what an installation did, and how
// to take its edits back. It holds nothing of the client's files but what an edit
// replaced.
type record struct {
	Door string          `json:"door"`
	Undo []settings.Undo `json:"undo"`
	// Absent are files and folders of the client that did not exist before the
	// installation; they go again if nothing else came into them.
	Absent []string `json:"absent,omitempty"`
	// Mode is what the settings file had before it came to hold the token.
	Mode fs.FileMode `json:"mode,omitempty"`
}

func recordPath(t Target) string { return filepath.Join(string(t.State), "install.json") }

// readRecord returns the record of the installation; one that is missing or
// cannot be read only makes the way back less exact.
func readRecord(t Target) (r record, err error) {
	fi, err := os.Lstat(recordPath(t))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !fi.Mode().IsRegular() { // a pipe would be waited for
		return r, nil
	}
	b, err := os.ReadFile(recordPath(t))
	if err != nil {
		return r, fmt.Errorf("read the record of the installation: %w", err)
	}
	if json.Unmarshal(b, &r) != nil {
		return record{}, nil
	}
	return r, nil
}

// Installed names the door by which winnow was installed last, "" for none.
func Installed(t Target) string {
	r, _ := readRecord(t)
	return r.Door
}

// remember writes the record with the edits that are about to be saved. The
// edits of an installation upon an installation come on top of the old ones.
func (p *Changes) remember() error {
	for _, f := range p.files {
		// What the client wrote by itself is struck out, never put back.
		if !f.Changed() || f.Path == p.marketplaces() || f.Path == p.plugins() {
			continue
		}
		i := slices.IndexFunc(p.record.Undo, func(u settings.Undo) bool { return u.Path == f.Path })
		if i < 0 {
			p.record.Undo = append(p.record.Undo, f.Undo())
		} else {
			p.record.Undo[i] = p.record.Undo[i].Join(f.Undo(), f.Before())
		}
	}
	b, err := json.MarshalIndent(p.record, "", "  ")
	if err != nil {
		return err
	}
	if err := p.State.Make(); err != nil {
		return err
	}
	return state.WriteFile(recordPath(p.Target), append(b, '\n'))
}

// noteAbsent remembers which of paths the installation, or the client because of
// it, is going to make.
func (p *Changes) noteAbsent(paths ...string) {
	for _, path := range paths {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && !slices.Contains(p.record.Absent, path) {
			p.record.Absent = append(p.record.Absent, path)
		}
	}
}

func (p *Changes) forget() error {
	deepest := func(a, b string) int { return len(b) - len(a) }
	for _, path := range slices.SortedFunc(slices.Values(p.record.Absent), deepest) {
		if fi, err := os.Lstat(path); err == nil && fi.IsDir() {
			_ = os.Remove(path) // if it is empty
		}
	}
	err := os.Remove(recordPath(p.Target))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
