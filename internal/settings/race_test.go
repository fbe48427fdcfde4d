//go:build unix

package settings

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// Somebody else edits the file all the while: none of their edits may be lost.
func TestSaveLosesNoEditOfAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	must(t, os.WriteFile(path, []byte(`{"n": 0}`), 0o600))
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if f, err := Open(path); err == nil && f.Set(1, "ours") == nil {
				_ = f.Save()
			}
			if f, err := Open(path); err == nil && f.Delete("ours") == nil {
				_ = f.Save()
			}
		}
	}()
	for n := 1; n <= 300; n++ {
		if !holds(t, path, n-1) {
			t.Fatalf("the edit that made n %d is lost", n-1)
		}
		must(t, os.WriteFile(path+".new", []byte(`{"n": `+strconv.Itoa(n)+`}`), 0o600))
		must(t, os.Rename(path+".new", path))
	}
	close(stop)
	<-ended
}

// holds looks some times: for a moment a file stands there that goes again.
func holds(t *testing.T, path string, n int) bool {
	t.Helper()
	for range 10000 {
		b, err := os.ReadFile(path)
		must(t, err)
		var all map[string]int
		must(t, json.Unmarshal(b, &all))
		if all["n"] == n {
			return true
		}
	}
	return false
}

func TestSavePutsBackWhatSomebodyWroteLast(t *testing.T) {
	for name, prepare := range map[string]func(f *File) error{
		"an edit":    func(f *File) error { return f.Set(1, "a") },
		"a removal":  func(f *File) error { f.DropEmpty(); return nil },
		"a new file": func(f *File) error { return f.Set(1, "a") },
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, map[string]string{"an edit": "{}", "a removal": "{}", "a new file": ""}[name])
			must(t, prepare(f))
			must(t, os.WriteFile(f.Path, []byte(`{"theirs": 1}`), 0o600))
			// As if it came after the look.
			var err error
			switch name {
			case "a removal":
				err = f.remove()
			default:
				err = f.replace()
			}
			if b, _ := os.ReadFile(f.Path); !errors.Is(err, ErrChanged) || string(b) != `{"theirs": 1}` {
				t.Errorf("%v, and the file is %q", err, b)
			}
			left, err := os.ReadDir(filepath.Dir(f.Path))
			must(t, err)
			if len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// What a writer that was killed left beside the file goes with the next save.
func TestSaveSweeps(t *testing.T) {
	f := open(t, "{}")
	dir := filepath.Dir(f.Path)
	for _, name := range []string{".settings.json.winnow-1", ".winnow-0123456789ab"} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	must(t, f.Set(1, "a"))
	must(t, f.Save())
	if _, err := os.Stat(filepath.Join(dir, ".settings.json.winnow-1")); err == nil {
		t.Error("the copy of a killed writer stays")
	}
	if _, err := os.Stat(filepath.Join(dir, ".winnow-0123456789ab")); err != nil {
		t.Error("a file that is not its own was taken")
	}
}

func TestAnEmptyFileStays(t *testing.T) {
	f := open(t, "")
	must(t, os.WriteFile(f.Path, nil, 0o600))
	f, err := Open(f.Path)
	must(t, err)
	must(t, f.Set(1, "a"))
	u := f.Undo()
	must(t, f.Save())
	f, err = Open(f.Path)
	must(t, err)
	if !f.Revert(u) {
		t.Fatal("Revert = false")
	}
	must(t, f.Save())
	if b, err := os.ReadFile(f.Path); err != nil || len(b) != 0 {
		t.Errorf("an empty file came back as %q, %v", b, err)
	}
}

func TestSaveKeepsTheOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may give files away")
	}
	f := open(t, "{}")
	must(t, os.Chown(f.Path, 1234, 2345))
	must(t, f.Set(1, "a"))
	must(t, f.Save())
	fi, err := os.Stat(f.Path)
	must(t, err)
	if uid, gid := ids(fi); uid != 1234 || gid != 2345 {
		t.Errorf("owner is %d:%d, want 1234:2345", uid, gid)
	}
}

// An index leads into an array, so that one element changes and no other byte.
func TestRemoveInsideAnArray(t *testing.T) {
	f := open(t, `{"l": [ {"h": [1, 2 /* two */, 3]}, {"h": [9]} ], "a": 1e2}`)
	must(t, f.Remove(func(raw json.RawMessage) bool { return string(raw) == "1" }, "l", "0", "h"))
	if got, want := string(f.doc.text), `{"l": [ {"h": [ 2 /* two */, 3]}, {"h": [9]} ], "a": 1e2}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if err := f.Set(1, "l", "x"); err == nil {
		t.Error("a key that is no index led into an array")
	}
}
