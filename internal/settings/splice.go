package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Splice puts New in place of Len bytes at At.
type Splice struct {
	At  int    `json:"at"`
	Len int    `json:"len"`
	New string `json:"new,omitempty"`
}

// splice applies ss, which do not overlap and whose places are those in text,
// and returns the splices that take them back, to be applied one by one.
func splice(text []byte, ss []Splice) (next []byte, undo []Splice) {
	ss = slices.SortedFunc(slices.Values(ss), func(a, b Splice) int { return b.At - a.At })
	for _, s := range ss { // from the end, so that places stay true
		undo = append([]Splice{{At: s.At, Len: len(s.New), New: string(text[s.At : s.At+s.Len])}}, undo...)
		text = slices.Concat(text[:s.At], []byte(s.New), text[s.At+s.Len:])
	}
	if text == nil {
		text = []byte{} // nil is no file at all
	}
	return text, undo
}

// Undo takes an installation's edits of one file back, exactly, as long as
// nobody wrote the file since. It holds nothing of the file but what it replaced.
type Undo struct {
	Path string `json:"path"`
	// After is the SHA-256 of the content that the edits left.
	After string `json:"after"`
	// Created says that there was no file before.
	Created bool     `json:"created,omitempty"`
	Splices []Splice `json:"splices"`
}

// Undo returns how to take the edits back once they are saved.
func (f *File) Undo() Undo {
	return Undo{Path: f.Path, After: sum(f.doc.text), Created: f.absent, Splices: f.undo}
}

// Join returns the undo of both edits when next was made right upon u, else next.
func (u Undo) Join(next Undo, before []byte) Undo {
	if u.Path != next.Path || u.After != sum(before) {
		return next
	}
	next.Created = u.Created
	next.Splices = slices.Concat(next.Splices, u.Splices)
	return next
}

// Before is the content as it was read, nil where there was no file.
func (f *File) Before() []byte { return f.before }

// Revert takes u back; false, and nothing done, when the file is not the one
// that u's edits left. Save then removes a file that was not there before.
func (f *File) Revert(u Undo) bool {
	if f.before == nil || u.After != sum(f.doc.text) {
		return false
	}
	text := f.doc.text
	var redo []Splice
	for _, s := range u.Splices {
		if s.At < 0 || s.Len < 0 || s.At+s.Len > len(text) {
			return false
		}
		var back []Splice
		text, back = splice(text, []Splice{s})
		redo = append(back, redo...)
	}
	d, err := parse(text)
	if err != nil {
		return false
	}
	if u.Created && len(text) == 0 {
		d.text = nil
	}
	f.doc, f.undo = d, append(redo, f.undo...)
	return true
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// DropEmpty makes Save remove a file that holds nothing any more.
func (f *File) DropEmpty() {
	if held := bytes.Join(bytes.Fields(bytes.TrimPrefix(f.doc.text, mark)), nil); len(held) == 0 || string(held) == "{}" {
		f.doc.text = nil
	}
}

// DropIf makes Save remove a file that means no more than empty.
func (f *File) DropIf(empty json.RawMessage) {
	if raw, err := f.doc.get(nil); err == nil && raw != nil && same(raw, empty) {
		f.doc.text = nil
	}
}
