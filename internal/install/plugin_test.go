package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"winnow/internal/state"
)

// pluginTarget is a user with a settings file of his own, "" for none, and a
// plugin of one version.
func pluginTarget(t *testing.T, root, settings, version string) Target {
	t.Helper()
	tg := Target{
		Config: filepath.Join(root, "client"), Home: filepath.Join(root, "home"), State: state.Dir(filepath.Join(root, "state")),
		Exe: put(t, filepath.Join(root, "dist-"+version, "winnow"), "binary "+version), Version: version,
		Files: fstest.MapFS{
			".claude-plugin/plugin.json": {Data: []byte(`{"version": "0.0.0"}`)},
			"hooks/winnow.ts":            {Data: []byte("mod " + version)},
			"bin/winnow":                 {Data: []byte("#!/bin/sh\n")},
		},
	}
	if settings != "" {
		put(t, tg.SettingsFile(), settings)
	}
	return tg
}

var bothDoors = []Door{Marketplace{}, Folder{}}

func apply(t *testing.T, p *Changes, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	p.Show(&b)
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func installed(t *testing.T, tg Target, d Door) string {
	t.Helper()
	p, err := Install(tg, d, bothDoors)
	return apply(t, p, err)
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(b)
}

// Whatever order of doors and versions: what was there before is back at the end.
func TestUninstallGivesBackWhatWasThere(t *testing.T) {
	for _, before := range []string{"", "{}", "{\r\n\t\"a\": 1\r\n}", "{\n  \"enabledPlugins\": {}, // none\n}\n", `{"enabledPlugins":{"winnow@winnow":false}}`} {
		for name, doors := range map[string][]Door{
			"once": {Marketplace{}}, "twice": {Marketplace{}, Marketplace{}}, "to a folder": {Marketplace{}, Folder{}},
			"from a folder": {Folder{}, Marketplace{}}, "there and back": {Marketplace{}, Folder{}, Marketplace{}},
		} {
			t.Run(name+" "+before, func(t *testing.T) {
				root := t.TempDir()
				tg := pluginTarget(t, root, before, "1.0.0")
				for i, d := range doors {
					installed(t, pluginTarget(t, root, "", []string{"1.0.0", "1.1.0", "1.2.0"}[i]), d)
				}
				p, err := Uninstall(tg, bothDoors)
				apply(t, p, err)
				want := before
				if strings.Contains(before, "false") { // a word about winnow, whoever wrote it
					want = "{}"
				}
				if got := read(t, tg.SettingsFile()); got != want {
					t.Errorf("settings = %q, want %q", got, want)
				}
				if _, err := os.Lstat(tg.Config); before == "" && err == nil {
					t.Errorf("the client's folder, which was not there, is left")
				}
				for _, path := range []string{tg.PluginDir(), tg.link(), recordPath(tg)} {
					if _, err := os.Lstat(path); err == nil {
						t.Errorf("%s is still there", path)
					}
				}
				if p, err := Uninstall(tg, bothDoors); err != nil || !p.Empty() {
					t.Errorf("a second time there is something to do: %v", err)
				}
			})
		}
	}
}

func TestInstallTwiceFindsNothingToDo(t *testing.T) {
	for _, d := range bothDoors {
		tg := pluginTarget(t, t.TempDir(), "{}", "1.0.0")
		if said := installed(t, tg, d); !strings.Contains(said, "put the plugin, version 1.0.0") {
			t.Errorf("%s: shown was %q", d.Name(), said)
		}
		p, err := Install(tg, d, bothDoors)
		if err != nil || !p.Empty() {
			t.Errorf("%s: something to do: %v", d.Name(), err)
		}
		if Installed(tg) != d.Name() {
			t.Errorf("Installed = %q, want %q", Installed(tg), d.Name())
		}
	}
}

func TestUpgradeReplacesFiles(t *testing.T) {
	root := t.TempDir()
	tg := pluginTarget(t, root, "{}", "1.0.0")
	installed(t, tg, Marketplace{})
	binary := filepath.Join(tg.PluginDir(), "bin", BinaryName())
	running, err := os.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer running.Close()
	settings := read(t, tg.SettingsFile())
	installed(t, pluginTarget(t, root, "", "1.1.0"), Marketplace{})
	if got := read(t, binary); got != "binary 1.1.0" {
		t.Errorf("binary = %q", got)
	}
	if got := read(t, filepath.Join(tg.PluginDir(), "hooks", "winnow.ts")); got != "mod 1.1.0" {
		t.Errorf("mod = %q", got)
	}
	if got := read(t, filepath.Join(tg.PluginDir(), ".claude-plugin", "plugin.json")); got != `{"version": "1.1.0"}` {
		t.Errorf("manifest = %q", got)
	}
	old := make([]byte, 64)
	if n, _ := running.Read(old); string(old[:n]) != "binary 1.0.0" {
		t.Errorf("who had the old file open reads %q", old[:n])
	}
	if got := read(t, tg.SettingsFile()); got != settings {
		t.Errorf("settings changed to %q", got)
	}
}

// The way back is written before the files are.
func TestAnInstallationThatWasCutOff(t *testing.T) {
	tg := pluginTarget(t, t.TempDir(), "{\"a\":1}", "1.0.0")
	p, err := Install(tg, Marketplace{}, bothDoors)
	if err != nil {
		t.Fatal(err)
	}
	put(t, tg.SettingsFile(), "{\"a\":2}") // somebody else writes first
	if err := p.Apply(); err == nil {
		t.Fatal("Apply wrote over a file that changed meanwhile")
	}
	if got := read(t, tg.SettingsFile()); got != "{\"a\":2}" {
		t.Errorf("settings = %q", got)
	}
	un, err := Uninstall(tg, bothDoors)
	apply(t, un, err)
	if got := read(t, tg.SettingsFile()); got != "{\"a\":2}" {
		t.Errorf("settings = %q after uninstall", got)
	}
}

// A settings file with a comment is ignored by the client, the plugin with it: said
// before anything is put there.
func TestInstallSaysThatTheClientReadsNothing(t *testing.T) {
	for before, want := range map[string]bool{"{\n  // mine\n  \"a\": 1\n}": true, `{"a": 1}`: false} {
		p, err := Install(pluginTarget(t, t.TempDir(), before, "1.0.0"), Marketplace{}, bothDoors)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(p.Notes(), "\n"), "ignores all of"); got != want {
			t.Errorf("%q: notes %q, want a word about it: %v", before, p.Notes(), want)
		}
	}
}
