package install

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"winnow/internal/settings"
)

// Changes are what is going to be changed: files of the client, edited in place, and
// acts. Nothing happens before [Changes.Apply].
type Changes struct {
	Target
	files         []*settings.File
	before, after []act
	notes         []string
	record        record
	removing      bool
	uses          bool // the plugin's folder
}

type act struct {
	what string
	do   func() error
}

func newChanges(t Target) (*Changes, error) {
	r, err := readRecord(t)
	return &Changes{Target: t, record: r}, err
}

// File opens a file of the client, once for all doors, so that their edits are
// shown and saved together.
func (p *Changes) File(path string) (*settings.File, error) {
	for _, f := range p.files {
		if f.Path == path {
			return f, nil
		}
	}
	f, err := settings.Open(path)
	if err == nil {
		p.files = append(p.files, f)
	}
	return f, err
}

func (p *Changes) opened(path string) bool {
	return slices.ContainsFunc(p.files, func(f *settings.File) bool { return f.Path == path })
}

// Settings opens the user's settings file.
func (p *Changes) Settings() (*settings.File, error) { return p.File(p.SettingsFile()) }

// Before plans an act that must be done before any file is written, After one
// that must come last; what says it in a few words ("remove FOLDER").
func (p *Changes) Before(what string, do func() error) { p.before = append(p.before, act{what, do}) }

// After is described at [Changes.Before].
func (p *Changes) After(what string, do func() error) { p.after = append(p.after, act{what, do}) }

// Note adds a line to what is shown: something that the caller is going to do.
func (p *Changes) Note(format string, args ...any) {
	p.notes = append(p.notes, fmt.Sprintf(format, args...))
}

// Notes returns the lines of [Changes.Note].
func (p *Changes) Notes() []string { return p.notes }

// Empty reports whether there is nothing to do.
func (p *Changes) Empty() bool {
	for _, f := range p.files {
		if f.Changed() {
			return false
		}
	}
	return len(p.before)+len(p.after) == 0
}

// Show writes what Apply would do: each act and the diff of each file.
func (p *Changes) Show(w io.Writer) {
	for _, a := range p.before {
		fmt.Fprintln(w, a.what)
	}
	for _, f := range p.files {
		io.WriteString(w, withoutToken(f.Diff()))
	}
	for _, a := range p.after {
		fmt.Fprintln(w, a.what)
	}
	for _, n := range p.notes {
		fmt.Fprintln(w, n)
	}
}

// Apply does it. The way back is written down before anything is done, so that an
// installation that was cut off can be taken out, too.
func (p *Changes) Apply() error {
	if !p.removing {
		if err := p.remember(); err != nil {
			return err
		}
	}
	for _, a := range p.before {
		if err := a.do(); err != nil {
			return fmt.Errorf("%s: %w", a.what, err)
		}
	}
	for _, f := range p.files {
		if err := f.Save(); err != nil {
			return err
		}
	}
	var errs []error
	for _, a := range p.after {
		if err := a.do(); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", a.what, err))
		}
	}
	if p.removing && len(errs) == 0 {
		errs = append(errs, p.forget())
	}
	return errors.Join(errs...)
}
