//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/state"
)

// A state folder that was open to others may hold what they put there: no daemon
// starts from it, and nothing is written through a link.
func TestDaemonBinaryTrustsNothingPlanted(t *testing.T) {
	for name, plant := range map[string]func(t *testing.T, copy, outside string){
		"the folder of copies is a link": func(t *testing.T, copy, outside string) {
			bin := filepath.Dir(filepath.Dir(copy))
			do(t, os.Rename(bin, outside))
			do(t, os.Symlink(outside, bin))
		},
		"the copy's folder is a link": func(t *testing.T, copy, outside string) {
			do(t, os.Rename(filepath.Dir(copy), outside))
			do(t, os.Symlink(outside, filepath.Dir(copy)))
		},
		"the copy is a link": func(t *testing.T, copy, outside string) {
			do(t, os.Rename(copy, outside))
			do(t, os.Symlink(outside, copy))
		},
		"others may write it": func(t *testing.T, copy, _ string) {
			put(t, copy, "evil")
			do(t, os.Chmod(copy, 0o777))
		},
		"another's": func(t *testing.T, copy, _ string) {
			if os.Getuid() != 0 {
				t.Skip("only root may give files away")
			}
			put(t, copy, "evil")
			do(t, os.Chown(copy, 12345, 12345))
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "with [brackets]")
			dir := state.Dir(filepath.Join(root, "state"))
			put(t, filepath.Join(root, "plugin", ".claude-plugin", "plugin.json"), "{}")
			exe := put(t, filepath.Join(root, "plugin", "bin", BinaryName()), "good")
			copy, err := DaemonBinary(dir, exe, "1.0.0")
			do(t, err)
			outside := filepath.Join(root, "outside")
			plant(t, copy, outside)
			got, err := DaemonBinary(dir, exe, "1.0.0")
			if err != nil { // the caller then runs exe
				if !strings.Contains(err.Error(), "not private") {
					t.Errorf("DaemonBinary = %v", err)
				}
				return
			}
			if b, err := os.ReadFile(got); err != nil || string(b) != "good" || !state.Own(got) {
				t.Errorf("%s holds %q, %v", got, b, err)
			}
			if b, err := os.ReadFile(outside); err == nil && string(b) != "good" {
				t.Errorf("outside became %q", b)
			}
		})
	}
}

// A folder whose name holds what a pattern would is cleaned as any other.
func TestCleanCopiesOfAnOddFolder(t *testing.T) {
	dir := state.Dir(filepath.Join(t.TempDir(), "a[b]*"))
	old := put(t, filepath.Join(copies(dir), "winnow-1-abc", "winnow"), "old")
	CleanCopies(dir, "", time.Now().Add(2*young))
	if _, err := os.Stat(old); err == nil {
		t.Error("an old copy stays")
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
