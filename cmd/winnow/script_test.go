package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/install"
	"winnow/internal/ortlib"
	"winnow/internal/state"
)

var update = flag.Bool("update", false, "rewrite the scripts' expected output")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"winnow":       func() { os.Exit(run()) },
		"winnow-newer": as("9.9.9", ""), // as after an upgrade
		"winnow-1":     as("1.0.0", "first"),
		"winnow-1b":    as("1.0.0", "second"),
		"winnow-2rc":   as("2.0.0-rc.1", "first"),
		"winnow-2":     as("2.0.0", "first"),
		"winnow-brief": func() { idleUnit = 20 * time.Millisecond; os.Exit(run()) }, // its minutes are short
		"listen":       listenForScript,
		"hello":        helloForScript,
		"knock":        knockForScript,
		"post":         postForScript, "answer": answerForScript,
		"namespaces": namespacesForScript,
	})
}

// as is winnow as another build of it: what it starts is that build, too.
func as(v, b string) func() {
	return func() { version, buildID = v, b; os.Exit(run()) }
}

// listenForScript takes a free port of 127.0.0.1, writes its number to the file
// of its argument and keeps it until the script ends.
func listenForScript() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		_, port, _ := net.SplitHostPort(ln.Addr().String())
		err = state.WriteFile(os.Args[1], []byte(port))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	select {}
}

// helloForScript says hello to the daemon as the mod does, for the session of its
// argument.
func helloForScript() {
	dir, err := stateDir("")
	if err == nil {
		var c *client.Client
		if c, err = client.Probe(context.Background(), dir); err == nil {
			err = c.Call(context.Background(), api.PathHello, api.HelloRequest{Session: os.Args[1], Client: "2.1.400", Root: "/plugin"}, nil)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestScript runs testdata/script. Each script has its own state folder, and a
// daemon that it leaves behind is stopped.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "ort":
				return ortlib.Available(), nil
			case "namespaces":
				return inNamespaces("true") == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("WINNOW_DIR", filepath.Join(env.WorkDir, "state"))
			env.Setenv("WINNOW_PORT", "0")
			env.Setenv("WINNOW_JUDGE", "fake")
			launcher, err := filepath.Abs("../../bin/winnow")
			if err != nil {
				return err
			}
			env.Setenv("LAUNCHER", launcher)
			env.Setenv("BINARY", install.BinaryName())
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
