//go:build cgo

package model

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"winnow/internal/ortlib"
)

// The official library's telemetry client must not start: it shows by what it
// writes at once, a device id under the user's cache folder and a log in /tmp
// named after the process. Where these are not made it asks no server either.
func TestNoTelemetry(t *testing.T) {
	if !ortlib.Available() {
		t.Skip("onnxruntime has not been fetched: run make build")
	}
	home := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "WINNOW_TEST_QUIET=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("child: %v, %s", err, out)
	}
	err = filepath.WalkDir(home, func(path string, _ os.DirEntry, err error) error {
		if path != home {
			t.Errorf("the library made %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	log := fmt.Sprintf("/tmp/mat-debug-%d.log", cmd.Process.Pid)
	if _, err := os.Stat(log); err == nil {
		t.Errorf("the library made %s", log)
	}
}
