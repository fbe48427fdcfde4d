package lock

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestAcquireExcludes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	if _, ok := Holder(path); ok {
		t.Errorf("Holder of a missing file = held")
	}
	l, err := Acquire(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(path, 0); !errors.Is(err, ErrHeld) {
		t.Errorf("second Acquire = %v, want ErrHeld", err)
	}
	o, ok := Holder(path)
	if !ok || o.Pid != os.Getpid() || o.Started == "" {
		t.Errorf("Holder = %+v, %v, want this process", o, ok)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if _, ok := Holder(path); ok {
		t.Errorf("Holder after Release = held")
	}
	l, err = Acquire(path, 0)
	if err != nil {
		t.Fatalf("Acquire after Release: %v", err)
	}
	l.Release()
}

func TestHolderOfBrokenFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	l, err := Acquire(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	for _, content := range []string{"", "{", `{"pid":-1}`, `[]`} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if o, ok := Holder(path); ok {
			t.Errorf("Holder with %q = %+v, want unknown", content, o)
		}
	}
}

func TestEndComparesStartTime(t *testing.T) {
	cmd := exec.Command("cat")
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	in.Write([]byte("x\n"))
	bufio.NewReader(out).ReadString('\n') // it runs
	pid := cmd.Process.Pid
	for _, o := range []Owner{{pid, "1"}, {pid, ""}} {
		if ended, err := o.End(); ended || err != nil {
			t.Errorf("%+v.End() = %v, %v, want untouched", o, ended, err)
		}
	}
	if ended, err := (Owner{pid, StartTime(pid)}).End(); !ended || err != nil {
		t.Errorf("End of the right process = %v, %v", ended, err)
	}
	if err := cmd.Wait(); err == nil {
		t.Errorf("process ended by itself, want killed")
	}
}

// The lock says whose it is, also after somebody emptied the file, and notices
// when another file stands in its place.
func TestSignAndStands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	if err := os.WriteFile(path, []byte(`{"pid":123456789,"started":"from an earlier and longer life"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Acquire(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if o, ok := Holder(path); !ok || o.Pid != os.Getpid() || !l.Signed() || !l.Stands(path) {
		t.Errorf("Holder = %+v, %v; signed %v, stands %v", o, ok, l.Signed(), l.Stands(path))
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if l.Signed() {
		t.Error("signed although the file is empty")
	}
	if err := l.Sign(); err != nil || !l.Signed() {
		t.Errorf("Sign = %v", err)
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if l.Stands(path) {
		t.Error("stands although the file is gone")
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if l.Stands(path) {
		t.Error("stands although another file is in its place")
	}
}
