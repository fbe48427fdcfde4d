package config

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrigins(t *testing.T) {
	path := write(t, "# mine\nWINNOW_MODE=active\nWINNOW_PORT=1\nWINNOW_TOOLS=Bash, Read\nWINNOW_JUDGE=\nWINNOW_PORT=2\n")
	c, err := Load(path, env(map[string]string{"WINNOW_MODE": "off", "WINNOW_DROP": "0.010"}))
	if err != nil {
		t.Fatal(err)
	}
	want := []Value{
		{"WINNOW_MODE", "off", Origin{Environment: true}},
		{"WINNOW_KEEP", "0.5", Origin{}},
		{"WINNOW_DROP", "0.01", Origin{Environment: true}},
		{"WINNOW_REPEATS", "1", Origin{}},
		{"WINNOW_JUDGE", "onnx", Origin{}},
		{"WINNOW_MIN_CHARS", "1500", Origin{}},
		{"WINNOW_TOOLS", "Bash,Read", Origin{Path: path, Line: 4}},
		{"WINNOW_EXCLUDE_PATHS", "", Origin{}},
		{"WINNOW_EXCLUDE_COMMANDS", "", Origin{}},
		{"WINNOW_PORT", "2", Origin{Path: path, Line: 6}},
		{"WINNOW_IDLE_MINUTES", "45", Origin{}},
	}
	for i, v := range c.Values() {
		if i >= len(want) {
			break // a later setting; TestValuesReadBack holds it
		}
		if diff := cmp.Diff(want[i], v); diff != "" {
			t.Errorf("value (-want +got):\n%s", diff)
		}
	}
	if got := c.Values()[6].From.String(); got != path+" line 4" {
		t.Errorf("origin = %q, want the file's line", got)
	}
}

// Nothing of a bad file counts, so nothing comes from it.
func TestOriginsOfMistakes(t *testing.T) {
	c, err := Load(write(t, "WINNOW_MODE=active\nWINNOW_PORT=x\n"), env(nil))
	if err == nil || len(c.From) != 0 {
		t.Errorf("Load = origins %v, %v, want an error and none", c.From, err)
	}
}

// What Values writes, the file's parser reads: no setting is missing from either.
func TestValuesReadBack(t *testing.T) {
	want := Config{Mode: Active, Keep: 0.6, Drop: 0.05, Judge: "lexical", MinChars: 99, Tools: []string{"Bash", "Read"},
		ExcludePaths: []string{"*.env"}, ExcludeCommands: []string{"make release"}, Port: 7, IdleMinutes: 5, Seen: Off, SeenShare: 0.25,
		Second: SecondClient, ClientModel: "sonnet", ClientBudget: 0.25}
	m := map[string]string{}
	for _, v := range want.Values() {
		m[v.Name] = v.Value
	}
	got, err := Load(write(t, ""), env(m))
	got.From = nil
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("read back: %v (-want +got):\n%s", err, diff)
	}
}

func TestSince(t *testing.T) {
	start := with(func(c *Config) { c.Port = 1; c.cameFrom("WINNOW_PORT", Origin{Environment: true}) })
	now := with(func(c *Config) {
		c.Mode, c.IdleMinutes = Off, 9
		c.cameFrom("WINNOW_MODE", Origin{Path: "f", Line: 1})
		c.cameFrom("WINNOW_IDLE_MINUTES", Origin{Path: "f", Line: 2})
	})
	want := with(func(c *Config) {
		c.Mode, c.Port = Off, 1
		c.cameFrom("WINNOW_MODE", Origin{Path: "f", Line: 1})
		c.cameFrom("WINNOW_PORT", Origin{Environment: true})
	})
	if diff := cmp.Diff(want, now.Since(start)); diff != "" {
		t.Errorf("Since (-want +got):\n%s", diff)
	}
	if now.From["WINNOW_IDLE_MINUTES"].Line != 2 {
		t.Error("Since changed its receiver's map")
	}
}

func TestStrays(t *testing.T) {
	got := Strays([]string{"WINNOW_MODES=off", "WINNOW_MODE=off", "WINNOW_DIR=/x", "WINNOW_ORT=/x", "WINNOW_TEST_QUIET=1", "HOME=/", "WINNOW_DROPS=1", "WINNOW_KEEPS="})
	if diff := cmp.Diff([]string{"WINNOW_DROPS", "WINNOW_MODES"}, got); diff != "" {
		t.Errorf("Strays (-want +got):\n%s", diff)
	}
}
