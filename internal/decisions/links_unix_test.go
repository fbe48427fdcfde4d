//go:build unix

package decisions

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestNothingIsFollowed(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(path, other string) error
	}{
		{"symbolic link", func(path, other string) error { return os.Symlink(other, path) }},
		{"hard link", func(path, other string) error { return os.Link(other, path) }},
		{"folder", func(path, _ string) error { return os.Mkdir(path, 0o700) }},
		{"pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o600) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path, other := filepath.Join(dir, FileName), filepath.Join(dir, "other")
			do(t, os.WriteFile(other, []byte("theirs\n"), 0o600))
			do(t, c.make(path, other))
			o, counts := counted()
			l := Open(path, o)
			l.Add(result("c"))
			l.Close()
			if got := counts.Snapshot()["decisions.failed"]; got != 1 {
				t.Errorf("failed = %d, want 1", got)
			}
			if b, _ := os.ReadFile(other); string(b) != "theirs\n" {
				t.Errorf("other file = %q", b)
			}
			for _, err := range Follow(t.Context(), path, 1, time.Hour) { // ends, and says why
				if err == nil {
					t.Error("Follow read it")
				}
			}
			for _, err := range All(path) {
				if err == nil {
					t.Error("All read it")
				}
			}
		})
	}
}
