package settings

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSaveKeepsModeAndLinks(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "dotfiles", "claude.json"), filepath.Join(dir, "settings.json")
	must(t, os.Mkdir(filepath.Dir(real), 0o700))
	must(t, os.WriteFile(real, []byte("{}\n"), 0o640))
	must(t, os.Symlink(filepath.Join("dotfiles", "claude.json"), link))
	f, err := Open(link)
	must(t, err)
	must(t, f.Set(true, "a"))
	must(t, f.Save())
	if to, err := os.Readlink(link); err != nil || to != filepath.Join("dotfiles", "claude.json") {
		t.Errorf("link is %q, %v", to, err)
	}
	fi, err := os.Stat(real)
	must(t, err)
	if b, _ := os.ReadFile(real); string(b) != "{\n  \"a\": true\n}\n" || fi.Mode().Perm() != 0o640 {
		t.Errorf("%s holds %q with mode %v", real, b, fi.Mode())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".*winnow-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSaveToALinkWithoutTarget(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "settings.json")
	must(t, os.Symlink("later.json", link))
	f, err := Open(link)
	must(t, err)
	must(t, f.Set(1, "a"))
	must(t, f.Save())
	if _, err := os.Stat(filepath.Join(dir, "later.json")); err != nil {
		t.Error(err)
	}
}

func TestSaveRefusesAFileThatSomebodyElseWrote(t *testing.T) {
	f := open(t, "{}")
	must(t, f.Set(1, "a"))
	must(t, os.WriteFile(f.Path, []byte(`{"theirs": 1}`), 0o600))
	if err := f.Save(); !errors.Is(err, ErrChanged) {
		t.Errorf("Save = %v, want %v", err, ErrChanged)
	}
	none := open(t, "")
	must(t, none.Set(1, "a"))
	must(t, os.WriteFile(none.Path, nil, 0o600))
	if err := none.Save(); !errors.Is(err, ErrChanged) {
		t.Errorf("Save over a new file = %v, want %v", err, ErrChanged)
	}
}

func TestAFileThatWasNotThere(t *testing.T) {
	f := open(t, "")
	must(t, f.Set(1, "a", "b"))
	must(t, f.Save())
	u := f.Undo()
	fi, err := os.Stat(f.Path)
	must(t, err)
	if fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", fi.Mode())
	}
	f, err = Open(f.Path)
	must(t, err)
	if !f.Revert(u) {
		t.Fatal("Revert = false")
	}
	must(t, f.Save())
	if _, err := os.Lstat(f.Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("file is still there: %v", err)
	}
	must(t, f.Save()) // again: nothing to do
}

func TestRevertLeavesAnotherFileAlone(t *testing.T) {
	f := open(t, "{\n  \"on\": {}\n}\n")
	must(t, f.Set(true, "on", "w"))
	must(t, f.Save())
	u := f.Undo()
	must(t, f.Set("light", "theme"))
	must(t, f.Save())
	f, err := Open(f.Path)
	must(t, err)
	if f.Revert(u) || f.Changed() {
		t.Error("Revert took back what it does not know")
	}
}

func TestUndoOfTwoSavesInARow(t *testing.T) {
	text := "{\n  \"on\": {}\n}\n"
	f := open(t, text)
	must(t, f.Set(true, "on", "w"))
	must(t, f.Save())
	first := f.Undo()
	f, err := Open(f.Path)
	must(t, err)
	must(t, f.Set(true, "more"))
	before := f.Before()
	must(t, f.Save())
	f2, err := Open(f.Path)
	must(t, err)
	if !f2.Revert(first.Join(f.Undo(), before)) || string(f2.doc.text) != text {
		t.Errorf("got %q, want %q", f2.doc.text, text)
	}
}

func TestDropEmpty(t *testing.T) {
	for text, gone := range map[string]bool{"{}\n": true, "{ // mine\n}\n": false, "{\"a\": 1}": false} {
		f := open(t, text)
		f.DropEmpty()
		must(t, f.Save())
		if _, err := os.Stat(f.Path); (err != nil) != gone {
			t.Errorf("%q: gone %v, want %v", text, err != nil, gone)
		}
	}
}

func TestDiff(t *testing.T) {
	f := open(t, "{\n  \"a\": 1\n}\n")
	if d := f.Diff(); d != "" {
		t.Errorf("diff of nothing: %q", d)
	}
	must(t, f.Set(2, "b"))
	for _, want := range []string{"--- " + f.Path + "\n", "-  \"a\": 1\n+  \"a\": 1,\n+  \"b\": 2\n"} {
		if !strings.Contains(f.Diff(), want) {
			t.Errorf("diff lacks %q:\n%s", want, f.Diff())
		}
	}
}

func TestConfigDir(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"HOME": "/h"}, "/h/.claude"},
		{map[string]string{"HOME": "/h", "CLAUDE_CONFIG_DIR": "/c"}, "/c"},
	} {
		got, err := ConfigDir(func(k string) string { return tt.env[k] })
		if err != nil || got != tt.want {
			t.Errorf("ConfigDir(%v) = %q, %v, want %q", tt.env, got, err, tt.want)
		}
	}
	if _, err := ConfigDir(func(string) string { return "" }); err == nil {
		t.Error("no error without HOME")
	}
}
