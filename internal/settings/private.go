package settings

import "io/fs"

// Mode is what Save gives the file: its own, 0600 for a new one.
func (f *File) Mode() fs.FileMode { return f.mode }

// SetMode changes that.
func (f *File) SetMode(m fs.FileMode) { f.mode = m }
