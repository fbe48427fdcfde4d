package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rewrite writes the client's files anew, as it does by itself: in its own order
// and with something more in them.
func rewrite(t *testing.T, tg Target, round int) {
	t.Helper()
	for _, path := range []string{tg.SettingsFile(), tg.registry()} {
		all := map[string]any{}
		if b := read(t, path); b != "" {
			if err := json.Unmarshal([]byte(b), &all); err != nil {
				t.Fatal(err)
			}
		}
		all["startups"] = round
		b, err := json.MarshalIndent(all, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		put(t, path, string(b))
	}
}

// From door to door, with the client at work between or not: uninstall leaves
// nothing of ours, and without the client every byte as it was.
func TestDoorAfterDoor(t *testing.T) {
	all := []Door{Marketplace{}, Folder{}, HTTP{Port: 47311, Token: "t"}}
	const settings, registry = "{\n  \"theme\": \"dark\"\n}\n", `{"mcpServers": {"files": {"command": "files"}}, "n": 1}`
	var tries [][]Door
	for _, a := range all {
		tries = append(tries, []Door{a})
		for _, b := range all {
			tries = append(tries, []Door{a, b})
			for _, c := range all {
				if a.Name() != b.Name() && b.Name() != c.Name() {
					tries = append(tries, []Door{a, b, c})
				}
			}
		}
	}
	for _, doors := range tries {
		for written := range 1 << len(doors) { // a bit for each time that the client writes
			name := strconv.Itoa(written)
			for _, d := range doors {
				name += " " + d.Name()
			}
			t.Run(name, func(t *testing.T) {
				root := t.TempDir()
				tg := pluginTarget(t, root, settings, "1.0.0")
				tg.Registry = filepath.Join(tg.Config, ".claude.json")
				put(t, tg.Registry, registry)
				for i, d := range doors {
					p, err := Install(tg, d, all)
					apply(t, p, err)
					if written>>i&1 == 1 {
						rewrite(t, tg, i)
					}
				}
				p, err := Uninstall(tg, all)
				apply(t, p, err)
				for path, before := range map[string]string{tg.SettingsFile(): settings, tg.Registry: registry} {
					got := read(t, path)
					if strings.Contains(got, "winnow") || !json.Valid([]byte(got)) {
						t.Errorf("%s speaks of winnow, or is broken:\n%s", filepath.Base(path), got)
					}
					if written == 0 && got != before {
						t.Errorf("%s = %q, want %q", filepath.Base(path), got, before)
					}
				}
				if _, err := os.Lstat(tg.link()); err == nil {
					t.Error("the link is left")
				}
			})
		}
	}
}
