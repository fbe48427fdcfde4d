package main

import (
	"encoding/json"
	"os"
	"testing"
)

// Claude Code reads only .claude-plugin/plugin.json; the one at the top, where
// people look, must say the same, and so must the marketplace that offers it. The
// binary has its version from there, too (see the Makefile).
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
	var m struct{ Name, Version, Description string }
	if err := json.Unmarshal([]byte(real), &m); err != nil {
		t.Fatal(err)
	}
	var market struct {
		Name    string
		Plugins []struct{ Name, Version, Description, Source string }
	}
	if err := json.Unmarshal([]byte(read("../../.claude-plugin/marketplace.json")), &market); err != nil {
		t.Fatal(err)
	}
	if m.Name != "winnow" || market.Name != "winnow" || len(market.Plugins) != 1 {
		t.Fatalf("plugin %s, marketplace %+v: want one plugin, all named winnow", m.Name, market)
	}
	if p := market.Plugins[0]; p.Name != m.Name || p.Version != m.Version || p.Description != m.Description || p.Source != "./" {
		t.Errorf("marketplace.json has %+v, plugin.json %+v", p, m)
	}
}
