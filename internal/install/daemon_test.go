package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/state"
)

// put writes a file with its folders.
func put(t testing.TB, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDaemonBinary(t *testing.T) {
	root := t.TempDir()
	dir := state.Dir(filepath.Join(root, "state"))
	alone := put(t, filepath.Join(root, "usr", "bin", "winnow"), "alone")
	if got, err := DaemonBinary(dir, alone, "1.0.0"); err != nil || got != alone {
		t.Errorf("outside of a plugin = %q, %v, want %q", got, err, alone)
	}

	put(t, filepath.Join(root, "plugin", ".claude-plugin", "plugin.json"), "{}")
	exe := put(t, filepath.Join(root, "plugin", "bin", BinaryName()), "one")
	first, err := DaemonBinary(dir, exe, "1.0.0")
	if err != nil || filepath.Base(filepath.Dir(first))[:len("winnow-1.0.0-")] != "winnow-1.0.0-" || filepath.Base(first) != "winnow" {
		t.Fatalf("first = %q, %v", first, err)
	}
	if b, err := os.ReadFile(first); err != nil || string(b) != "one" {
		t.Errorf("copy holds %q, %v", b, err)
	}
	if again, err := DaemonBinary(dir, exe, "1.0.0"); err != nil || again != first {
		t.Errorf("again = %q, %v, want %q", again, err, first)
	}
	// The binary is written anew in its place: the copy is not touched.
	put(t, exe, "two!")
	second, err := DaemonBinary(dir, exe, "1.1.0/../x")
	if err != nil || second == first || filepath.Dir(filepath.Dir(second)) != filepath.Dir(filepath.Dir(first)) {
		t.Errorf("second = %q, %v", second, err)
	}
	if b, _ := os.ReadFile(first); string(b) != "one" {
		t.Errorf("the first copy became %q", b)
	}
	// One that was cut off is made again.
	put(t, second, "")
	if again, err := DaemonBinary(dir, exe, "1.1.0/../x"); err != nil || again != second {
		t.Errorf("after damage = %q, %v, want %q", again, err, second)
	}
	if b, _ := os.ReadFile(second); string(b) != "two!" {
		t.Errorf("the damaged copy holds %q", b)
	}

	CleanCopies(dir, second, time.Now())
	if _, err := os.Stat(first); err != nil {
		t.Errorf("a young copy was removed: %v", err)
	}
	CleanCopies(dir, second, time.Now().Add(2*young))
	if _, err := os.Stat(first); err == nil {
		t.Error("an old copy stays")
	}
	if _, err := os.Stat(second); err != nil {
		t.Errorf("the copy in use was removed: %v", err)
	}
}

// What lies in our own plugin folder is never written in place: no second 60 MB.
func TestDaemonBinaryOfTheInstalledPluginIsALink(t *testing.T) {
	dir := state.Dir(filepath.Join(t.TempDir(), "state"))
	put(t, filepath.Join(string(dir), "plugin", ".claude-plugin", "plugin.json"), "{}")
	exe := put(t, filepath.Join(string(dir), "plugin", "bin", BinaryName()), "one")
	got, err := DaemonBinary(dir, exe, "1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	a, _ := os.Stat(exe)
	b, err := os.Stat(got)
	if err != nil || !os.SameFile(a, b) {
		t.Errorf("%s is a file of its own, %v", got, err)
	}
	if err := copyFile(put(t, filepath.Join(t.TempDir(), "new"), "two"), exe, 0o755); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(got); string(b) != "one" {
		t.Errorf("an update changed the copy to %q", b)
	}
}

func TestDaemonBinarySaysWhatStandsInTheWay(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "plugin", ".claude-plugin", "plugin.json"), "{}")
	exe := put(t, filepath.Join(root, "plugin", "bin", BinaryName()), "one")
	inTheWay := put(t, filepath.Join(root, "state"), "a file")
	if got, err := DaemonBinary(state.Dir(inTheWay), exe, "1.0.0"); err == nil || !strings.Contains(err.Error(), "copy own binary") {
		t.Errorf("DaemonBinary = %q, %v", got, err)
	}
}
