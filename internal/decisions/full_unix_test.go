//go:build linux || darwin

package decisions

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk lets writes past a size fail, and in part, as on a full disk: in a
// process of its own, as the limit is the process's.
func TestFullDisk(t *testing.T) {
	if os.Getenv("DECISIONS_TEST_FULL") == "" {
		exe, err := os.Executable()
		do(t, err)
		cmd := exec.Command(exe, "-test.run=^TestFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), "DECISIONS_TEST_FULL=1")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestFullDisk") {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	path := filepath.Join(t.TempDir(), FileName)
	o, counts := counted()
	l := Open(path, o)
	wait := func(name string, n int64) {
		for counts.Snapshot()[name] < n {
		}
	}
	l.Add(result("before"))
	wait("decisions.written", 1)
	fi, err := os.Stat(path)
	do(t, err)
	limit(t, uint64(fi.Size())+20) // the next line fits in part
	for i := range 3 {
		l.Add(result(fmt.Sprint("lost", i)))
	}
	wait("decisions.failed", 3)
	limit(t, 0xffffffff)
	l.Add(result("after"))
	l.Close()
	rs, bad := read(t, path)
	if len(rs) != 2 || rs[0].Call != "before" || rs[1].Call != "after" {
		t.Errorf("records = %v, want before and after", rs)
	}
	if bad != 1 {
		t.Errorf("%d bad lines, want the torn one", bad)
	}
}

func limit(t *testing.T, n uint64) {
	t.Helper()
	do(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: 0xffffffff}))
}
