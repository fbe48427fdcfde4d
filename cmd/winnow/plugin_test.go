package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// Claude Code reads only .claude-plugin/plugin.json; the one at the top, where
// people look, must say the same.
func TestPluginManifestsAreEqual(t *testing.T) {
	read := func(path string) string {
		t.Helper()
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	top, real := read("../../plugin.json"), read("../../.claude-plugin/plugin.json")
	if top != real {
		t.Errorf("plugin.json and .claude-plugin/plugin.json differ:\n%s\n%s", top, real)
	}
	var m struct{ Name, Version string }
	if err := json.Unmarshal([]byte(real), &m); err != nil {
		t.Fatal(err)
	}
	if m.Name != "winnow" || !strings.Contains(read("../../Makefile"), "VERSION ?= "+m.Version+"\n") {
		t.Errorf("plugin %s %s: want winnow, with the version that the Makefile builds", m.Name, m.Version)
	}
}
