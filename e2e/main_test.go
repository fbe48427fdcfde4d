//go:build e2e

// Package e2e runs the real client against a scripted API, with and without
// winnow, and looks at the next request that the client sent: what a model would
// have read. See run.sh for how it is started.
package e2e

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"

	"winnow/e2e/lab"
)

// repo is the plugin's folder: the tests run in e2e/.
var repo = func() string {
	wd, err := os.Getwd()
	if err != nil {
		panic(err)
	}
	return filepath.Dir(wd)
}()

func TestMain(m *testing.M) {
	if os.Getenv("E2E_MCP") != "" {
		os.Exit(serveMCP(os.Stdin, os.Stdout))
	}
	if err := onlyLoopback(); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// onlyLoopback makes sure that nothing the client does can leave the machine.
func onlyLoopback() error {
	ifs, err := net.Interfaces()
	if err != nil {
		return err
	}
	for _, i := range ifs {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			return fmt.Errorf("interface %s is up; start with run.sh, in a namespace that has only loopback", i.Name)
		}
	}
	return nil
}

// plain is a lab without winnow.
func plain(t *testing.T) *lab.Lab {
	t.Helper()
	return lab.New(t, repo)
}
