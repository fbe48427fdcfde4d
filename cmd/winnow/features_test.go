package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Names in docs/features.md.
var (
	tickRE   = regexp.MustCompile("`([^`]+)`")
	goTestRE = regexp.MustCompile(`^([a-z0-9/]+)\.((?:Test|Fuzz)\w+)$`)
)

// TestFeatures: whatever docs/features.md names as showing a feature is there.
func TestFeatures(t *testing.T) {
	top := filepath.Join("..", "..")
	read := func(parts ...string) string {
		b, err := os.ReadFile(filepath.Join(append([]string{top}, parts...)...))
		if err != nil {
			t.Errorf("%v", err)
		}
		return string(b)
	}
	mod := read("tests", "winnow.test.ts")
	rows := 0
	for line := range strings.Lines(read("docs", "features.md")) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.TrimSpace(cells[1]) == "feature" || strings.HasPrefix(cells[1], "---") {
			continue
		}
		rows++
		how, by := strings.TrimSpace(cells[2]), cells[3]
		names := tickRE.FindAllStringSubmatch(by, -1)
		if how != "yes" && how != "partly" && how != "no" || how == "yes" && len(names) == 0 {
			t.Errorf("%q: %q, shown by %q", cells[1], how, by)
		}
		for _, m := range names {
			if why := shows(top, mod, m[1]); why != "" {
				t.Errorf("%s: `%s` %s", strings.TrimSpace(cells[1]), m[1], why)
			}
		}
	}
	if rows < 60 {
		t.Errorf("%d rows read", rows)
	}
}

// shows says what is wrong with a name, "" if it is there.
func shows(top, mod, name string) string {
	switch m := goTestRE.FindStringSubmatch(name); {
	case m != nil:
		dir := filepath.Join(top, "internal", m[1])
		if m[1] == "e2e" {
			dir = filepath.Join(top, "e2e")
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
		for _, f := range files {
			if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), "func "+m[2]+"(") {
				return ""
			}
		}
		return "is no test of " + dir
	case strings.HasPrefix(name, "mod: "):
		if !strings.Contains(mod, "test('"+strings.TrimPrefix(name, "mod: ")+"'") {
			return "is no test of the mod"
		}
	case strings.HasSuffix(name, ".txtar"):
		if _, err := os.Stat(filepath.Join("testdata", "script", name)); err != nil {
			return "is no script"
		}
	case strings.HasPrefix(name, "winnow "):
		if c, flags, err := root().Find(strings.Fields(name)[1:]); err != nil || !c.HasParent() || c.ParseFlags(flags) != nil {
			return "is no command"
		}
	default:
		if _, err := os.Stat(filepath.Join(top, name)); err != nil {
			return "is nothing that is known"
		}
	}
	return ""
}
