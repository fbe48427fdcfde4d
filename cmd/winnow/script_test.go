package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"winnow/internal/client"
	"winnow/internal/state"
)

var update = flag.Bool("update", false, "rewrite the scripts' expected output")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"winnow": func() { os.Exit(run()) }})
}

// TestScript runs testdata/script. Each script has its own state folder, and a
// daemon that it leaves behind is stopped.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("WINNOW_DIR", filepath.Join(env.WorkDir, "state"))
			env.Setenv("WINNOW_PORT", "0")
			env.Setenv("WINNOW_JUDGE", "fake")
			dir := state.Dir(filepath.Join(env.WorkDir, "state"))
			env.Defer(func() { leave(t, dir) })
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
		},
	})
}

func leave(t *testing.T, dir state.Dir) {
	if c, err := client.Probe(t.Context(), dir); err == nil {
		c.Stop(t.Context())
		c.Close()
	}
	if _, err := os.Stat(string(dir)); err == nil {
		if err := client.Gone(t.Context(), dir, 1e10); err != nil {
			t.Error(err)
		}
	}
}
