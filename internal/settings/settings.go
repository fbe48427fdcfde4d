// Package settings edits a settings file of Claude Code in place. What it does
// not change stays byte for byte: comments, the order of keys, indentation,
// line ends, the end of the file. What it wrote it can take back.
//
// It knows nothing of what the settings mean, and it never writes a file that
// it could not read whole: a file with a mistake is refused, with the place.
package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// ErrChanged reports that somebody else wrote the file after it was opened.
var ErrChanged = errors.New("changed meanwhile")

// MaxSize is more than any settings file has; a larger one is refused.
const MaxSize = 4 << 20

// File is a settings file with the edits made so far; only [File.Save] writes.
type File struct {
	// Path is the file as the client names it.
	Path string
	// target is the file behind links.
	target string
	// before is the content as read, nil where there is no file.
	before []byte
	// absent says that there was no file when it was opened.
	absent bool
	mode   fs.FileMode
	doc    doc
	// undo takes the edits back, the last one first.
	undo []Splice
}

// ConfigDir is the folder of the client's configuration.
func ConfigDir(getenv func(string) string) (string, error) {
	if d := getenv("CLAUDE_CONFIG_DIR"); d != "" {
		return filepath.Abs(d)
	}
	if home := getenv("HOME"); home != "" {
		return filepath.Join(home, ".claude"), nil
	}
	return "", errors.New("neither CLAUDE_CONFIG_DIR nor HOME is set")
}

// Error says what is wrong with the file at Path; a person has to mend it.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Open reads a settings file. One that is not there is empty; one with a
// mistake is an error that names line and column.
func Open(path string) (*File, error) {
	f := &File{Path: path, mode: 0o600}
	var err error
	if f.target, err = follow(path); err != nil {
		return nil, &Error{path, fmt.Errorf("open settings %s: %w", path, err)}
	}
	if f.before, f.mode, err = read(f.target); err != nil {
		return nil, &Error{path, fmt.Errorf("open settings %s: %w", path, err)}
	}
	f.absent = f.before == nil
	if f.doc, err = parse(f.before); err != nil {
		return nil, &Error{path, fmt.Errorf("read settings %s: %w", path, err)}
	}
	return f, nil
}

// read returns a plain file's content and mode; nil when there is none.
func read(path string) ([]byte, fs.FileMode, error) {
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, 0o600, nil
	case err != nil:
		return nil, 0, err
	case fi.IsDir():
		return nil, 0, errors.New("a folder stands in its place")
	case !fi.Mode().IsRegular():
		return nil, 0, errors.New("not a plain file")
	case fi.Size() > MaxSize:
		return nil, 0, fmt.Errorf("%d MB, more than any settings file has", fi.Size()>>20)
	}
	b, err := os.ReadFile(path)
	if b == nil {
		b = []byte{}
	}
	return b, fi.Mode().Perm(), err
}

// Exists reports whether there was a file.
func (f *File) Exists() bool { return f.before != nil }

// Changed reports whether [File.Save] has anything to write.
func (f *File) Changed() bool { return !bytes.Equal(f.before, f.doc.text) }

// Diff is a unified diff of what Save would write, "" for nothing.
func (f *File) Diff() string {
	if !f.Changed() {
		return ""
	}
	_, d, _ := strings.Cut(string(diff.Diff(f.Path, f.before, f.Path+" (new)", f.doc.text)), "\n")
	return d // without its first line, a command that nobody ran
}

// Get decodes the value at a path of keys into v; false when there is none.
func (f *File) Get(v any, path ...string) (bool, error) {
	raw, err := f.doc.get(path)
	if err != nil || raw == nil {
		return false, f.wrap("read", path, err)
	}
	return true, f.wrap("read", path, json.Unmarshal(raw, v))
}

// Set puts a value at a path of keys, making the objects on the way. A value
// that is there already and means the same is left as it is written.
func (f *File) Set(value any, path ...string) error {
	return f.wrap("set", path, f.edit(func() ([]Splice, error) { return f.doc.set(value, path) }))
}

// Delete removes a key, and the objects on the way that become empty by it.
func (f *File) Delete(path ...string) error {
	return f.wrap("delete", path, f.edit(func() ([]Splice, error) { return f.doc.remove(path) }))
}

// Drop removes a key and leaves an object that becomes empty by it.
func (f *File) Drop(path ...string) error {
	return f.wrap("drop", path, f.edit(func() ([]Splice, error) { return f.doc.leaf(path) }))
}

// Append adds an element to the array at path, unless an equal one is there.
func (f *File) Append(value any, path ...string) error {
	return f.wrap("append to", path, f.edit(func() ([]Splice, error) { return f.doc.add(value, path) }))
}

// Remove removes the elements that match from the array at path, then the array
// and the objects on the way that become empty by it.
func (f *File) Remove(match func(json.RawMessage) bool, path ...string) error {
	return f.wrap("remove from", path, f.edit(func() ([]Splice, error) { return f.doc.drop(match, path) }))
}

// edit applies steps until there are none: each is made for the text as it is.
func (f *File) edit(step func() ([]Splice, error)) error {
	for range 10000 { // a settings file has no more
		ss, err := step()
		if err != nil || len(ss) == 0 {
			return err
		}
		next, undo := splice(f.doc.text, ss)
		d, err := parse(next)
		if err != nil {
			return fmt.Errorf("the edit would break the file: %w", err)
		}
		f.doc, f.undo = d, append(undo, f.undo...)
	}
	return errors.New("the edit does not come to an end")
}

func (f *File) wrap(what string, path []string, err error) error {
	if err == nil {
		return nil
	}
	return &Error{f.Path, fmt.Errorf("%s %s in %s: %w", what, dotted(path), f.Path, err)}
}
