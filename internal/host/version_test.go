package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOlder(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{{"2.1.328", "2.1.329", true}, {"2.1.329", "2.1.329", false}, {"2.1.1000", "2.1.329", false}, {"1.9.999", "2.1.329", true}, {"3.0.0", "2.1.329", false}} {
		if got := Older(tc.a, tc.b); got != tc.want {
			t.Errorf("older(%s, %s) = %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestVersion(t *testing.T) {
	dir := t.TempDir()
	exe := filepath.Join(dir, "claude")
	for _, tt := range []struct{ name, script, want, err string }{
		{"as the client says it", "echo '2.1.332 (Claude Code)'", "2.1.332", ""},
		{"another program", "echo hello", "", `says "hello"`},
		{"one that fails", "exit 3", "", "does not say its version"},
		{"its configuration is empty", `ls -A "$CLAUDE_CONFIG_DIR" | grep . && exit 1; echo 1.2.3`, "1.2.3", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(exe, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			got, err := Version(t.Context(), exe)
			if got != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Version = %q, %v, want %q, %q", got, err, tt.want, tt.err)
			}
		})
	}
	if got := Find(func(string) string { return "relative:" + t.TempDir() + ":" + dir }); got != exe {
		t.Errorf("Find = %q, want %q", got, exe)
	}
	if got := Find(func(string) string { return "" }); got != "" {
		t.Errorf("Find without PATH = %q", got)
	}
}
