package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// env is an environment made of a map.
func env(m map[string]string) func(string) string {
	return func(name string) string { return m[name] }
}

// with is Default changed by f.
func with(f func(*Config)) Config {
	c := Default()
	f(&c)
	return c
}

func TestLoad(t *testing.T) {
	for name, tc := range map[string]struct {
		file string
		env  map[string]string
		want Config
	}{
		"empty file": {want: Default()},
		"everything": {
			file: "WINNOW_MODE=active\nWINNOW_KEEP=0.6\nWINNOW_DROP=0.05\nWINNOW_REPEATS=1\nWINNOW_JUDGE=lexical\nWINNOW_MIN_CHARS=99\n" +
				"WINNOW_TOOLS=Bash, Read,,\nWINNOW_EXCLUDE_PATHS=*.env,/secret/**\nWINNOW_EXCLUDE_COMMANDS=make release\nWINNOW_PORT=0\nWINNOW_IDLE_MINUTES=5\nWINNOW_LOG_TASKS=1\nWINNOW_SEEN=active\nWINNOW_SEEN_SHARE=0.25\n" +
				"WINNOW_SECOND=Cascade\nWINNOW_CLIENT_MODEL=claude-haiku-4-5\nWINNOW_CLIENT_BUDGET=$1.25\n",
			want: Config{Mode: Active, Keep: 0.6, Drop: 0.05, Repeats: true, Judge: "lexical", MinChars: 99, Tools: []string{"Bash", "Read"},
				ExcludePaths: []string{"*.env", "/secret/**"}, ExcludeCommands: []string{"make release"}, Port: 0, IdleMinutes: 5, Seen: Active, SeenShare: 0.25, LogTasks: true,
				Second: SecondCascade, ClientModel: "claude-haiku-4-5", ClientBudget: 1.25},
		},
		"as a shell writes it": {
			file: "\ufeff# my settings\r\n\r\n  export WINNOW_MODE = \"active\"  # on\r\nWINNOW_JUDGE='fake'\r\nWINNOW_PORT=5 # five\r\nWINNOW_TOOLS=#none\r\n",
			want: with(func(c *Config) { c.Mode, c.Judge, c.Port = Active, "fake", 5 }),
		},
		"environment over file": {
			file: "WINNOW_MODE=active\nWINNOW_PORT=1\n",
			env:  map[string]string{"WINNOW_MODE": "OFF", "WINNOW_PORT": ""},
			want: with(func(c *Config) { c.Mode, c.Port = Off, 1 }),
		},
		"environment mends the file": {
			file: "WINNOW_MODE=nonsense\n", env: map[string]string{"WINNOW_MODE": "active"},
			want: with(func(c *Config) { c.Mode = Active }),
		},
		"shadow means all of it":               {file: "WINNOW_MODE=shadow", want: with(func(c *Config) { c.Mode, c.Seen = Shadow, Shadow })},
		"shadow, but for what was shown":       {file: "WINNOW_MODE=shadow\nWINNOW_SEEN=active", want: with(func(c *Config) { c.Mode, c.Seen = Shadow, Active })},
		"active without what was shown":        {file: "WINNOW_MODE=active\nWINNOW_SEEN=shadow", want: with(func(c *Config) { c.Mode, c.Seen = Active, Shadow })},
		"shadow in the environment is no less": {env: map[string]string{"WINNOW_MODE": "shadow"}, want: with(func(c *Config) { c.Mode, c.Seen = Shadow, Shadow })},
		"the last one counts":                  {file: "WINNOW_PORT=1\nWINNOW_PORT=2", want: with(func(c *Config) { c.Port = 2 })},
		"unknown names": {
			file: "WINNOW_MODE=active\nWINNOW_LATER=x\nWINNOW_DIR=/x\nPATH=/bin\n",
			want: with(func(c *Config) {
				c.Mode = Active
				c.Warnings = []string{
					"line 2: WINNOW_LATER is not a setting of this release",
					"line 3: WINNOW_DIR says where this file is and counts in the environment only",
					"line 4: PATH is not a setting of this release",
				}
			}),
		},
	} {
		path := write(t, tc.file)
		got, err := Load(path, env(tc.env))
		got.From = nil // TestOrigins
		if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
			t.Errorf("%s: Load: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func write(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadMistakes(t *testing.T) {
	for name, tc := range map[string]struct {
		file string
		env  map[string]string
		want []string
	}{
		"all at once":     {"WINNOW_MODE=on\nno line\nWINNOW_PORT=70000\n", map[string]string{"WINNOW_KEEP": "2"}, []string{"env line 1: WINNOW_MODE=on", "line 2: want NAME=value", "env line 3: WINNOW_PORT", "environment: WINNOW_KEEP=2: want a number from 0 to 1"}},
		"not a number":    {"WINNOW_KEEP=NaN\nWINNOW_DROP=x\nWINNOW_MIN_CHARS=-1\nWINNOW_IDLE_MINUTES=1.5\n", nil, []string{"WINNOW_KEEP", "WINNOW_DROP", "WINNOW_MIN_CHARS", "WINNOW_IDLE_MINUTES"}},
		"second judge":    {"WINNOW_SECOND=on\nWINNOW_CLIENT_MODEL=a b\nWINNOW_CLIENT_BUDGET=50000\n", nil, []string{"WINNOW_SECOND", "WINNOW_CLIENT_MODEL", "WINNOW_CLIENT_BUDGET"}},
		"no budget":       {"WINNOW_CLIENT_BUDGET=NaN\n", nil, []string{"WINNOW_CLIENT_BUDGET"}},
		"not 0 or 1":      {"WINNOW_LOG_TASKS=yes\n", nil, []string{"WINNOW_LOG_TASKS"}},
		"bands crossed":   {"WINNOW_KEEP=0.1\nWINNOW_DROP=0.2\n", nil, []string{"WINNOW_DROP=0.2 is above WINNOW_KEEP=0.1"}},
		"quotes":          {"WINNOW_MODE=\"active\nWINNOW_JUDGE='onnx' x\n", nil, []string{"line 1: WINNOW_MODE: unbalanced", "line 2: WINNOW_JUDGE"}},
		"bad pattern":     {"WINNOW_EXCLUDE_PATHS=a,[\n", nil, []string{`bad pattern "["`}},
		"bytes":           {"\x00\x01\xff\n", nil, []string{"line 1"}},
		"judge unknown":   {"", map[string]string{"WINNOW_JUDGE": "gpt"}, []string{"onnx, lexical, fake, off"}},
		"too large":       {strings.Repeat("#\n", maxFile), nil, []string{"larger than"}},
		"name with space": {"WINNOW MODE=active\n", nil, []string{"line 1"}},
	} {
		got, err := Load(write(t, tc.file), env(tc.env))
		if err == nil {
			t.Errorf("%s: Load gave no error", name)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q does not say %q", name, err, want)
			}
		}
		got.Warnings = nil
		if diff := cmp.Diff(Default(), got); diff != "" {
			t.Errorf("%s: settings beside an error (-want +got):\n%s", name, diff)
		}
	}
}

func TestLoadNoFile(t *testing.T) {
	dir := t.TempDir()
	got, err := Load(filepath.Join(dir, "none", FileName), env(nil))
	if diff := cmp.Diff(Default(), got); err != nil || diff != "" {
		t.Errorf("missing file: %v\n%s", err, diff)
	}
	if _, err := Load(dir, env(nil)); err == nil {
		t.Errorf("a folder as settings file gave no error")
	}
}

func TestDir(t *testing.T) {
	for name, tc := range map[string]struct {
		env  map[string]string
		want string // "" means an error
	}{
		"home":             {map[string]string{"HOME": "/home/dev"}, "/home/dev/.winnow"},
		"set":              {map[string]string{"HOME": "/home/dev", "WINNOW_DIR": "/var/w//x/"}, "/var/w/x"},
		"set without home": {map[string]string{"WINNOW_DIR": "/w"}, "/w"},
		"tilde":            {map[string]string{"HOME": "/home/dev", "WINNOW_DIR": "~/w"}, "/home/dev/w"},
		"tilde, no home":   {map[string]string{"WINNOW_DIR": "~/w"}, ""},
		"relative":         {map[string]string{"HOME": "/home/dev", "WINNOW_DIR": "w"}, ""},
		"relative home":    {map[string]string{"HOME": "dev"}, ""},
		"nothing":          {nil, ""},
	} {
		got, err := Dir(env(tc.env))
		if got != filepath.FromSlash(tc.want) || (err == nil) != (tc.want != "") {
			t.Errorf("%s: Dir = %q, %v; want %q", name, got, err, tc.want)
		}
	}
}
