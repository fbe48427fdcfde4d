//go:build unix

package lock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A link in the file's place is not written through, and a pipe holds nobody.
func TestLinksAndPipes(t *testing.T) {
	dir := t.TempDir()
	precious, link, pipe := filepath.Join(dir, "precious"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.WriteFile(precious, []byte("precious"), 0o644), os.Symlink(precious, link), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	if l, err := Acquire(link, 0); err == nil {
		l.Release()
		t.Error("Acquire of a link = nil, want an error")
	}
	if b, err := os.ReadFile(precious); err != nil || string(b) != "precious" {
		t.Errorf("what the link leads to is %q, %v", b, err)
	}
	for _, path := range []string{link, pipe} {
		if o, held := Holder(path); held {
			t.Errorf("Holder(%s) = %v, want none", path, o)
		}
	}
}
