//go:build linux || darwin

package recall

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever a link points to is left alone.
func TestLinksAreNotFollowed(t *testing.T) {
	good, _ := sample(t)
	for name, content := range map[string][]byte{"to a store": good, "to another file": []byte("mine"), "to nothing": nil} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			to, path := filepath.Join(dir, "to"), filepath.Join(dir, FileName)
			if content != nil {
				do(t, os.WriteFile(to, content, 0o644))
			}
			do(t, os.Symlink(to, path))
			if s, err := Open(path, Options{NoSync: true}); err == nil {
				_ = s.Close()
				t.Error("Open followed a link")
			}
			got, err := os.ReadFile(to)
			if !bytes.Equal(got, content) || content == nil != os.IsNotExist(err) {
				t.Errorf("what the link points to was changed (%v)", err)
			}
			if list, err := os.ReadDir(dir); err != nil || len(list) > 2 {
				t.Errorf("files made on the way: %v, %v", list, err)
			}
		})
	}
}

// A link where the copy goes is removed, not written through.
func TestLinkInTheCopysPlace(t *testing.T) {
	s, items := fat(t, Options{NoSync: true})
	to := filepath.Join(filepath.Dir(s.path), "to")
	do(t, os.WriteFile(to, []byte("mine"), 0o600))
	do(t, os.Symlink(to, s.copyPath()))
	do(t, s.Compact(t.Context()))
	if got, err := os.ReadFile(to); err != nil || string(got) != "mine" {
		t.Errorf("the link was followed: %d bytes, %v", len(got), err)
	}
	if state(t, s, items[0]) != "kept" {
		t.Error("an original is lost")
	}
}

// Nobody else can read anything, at no moment: also with a careless umask.
func TestModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0))
	dir := filepath.Join(t.TempDir(), "a", "b")
	s, err := Open(filepath.Join(dir, FileName), Options{NoSync: true})
	do(t, err)
	defer s.Close()
	s.step = func(step string, _ *copying) {
		for path, want := range map[string]fs.FileMode{dir: fs.ModeDir | 0o700, filepath.Dir(dir): fs.ModeDir | 0o700, s.path: 0o600, s.copyPath(): 0o600} {
			if fi, err := os.Lstat(path); err == nil && fi.Mode() != want || err != nil && path != s.copyPath() {
				t.Errorf("%s: %s is %v (%v), want %v", step, filepath.Base(path), fi.Mode(), err, want)
			}
		}
	}
	put(t, s, item("x", Issue{}))
	do(t, s.Compact(t.Context()))
}
