//go:build !linux

package settings

func (f *File) swap(path string) error { return f.rename(path) }
