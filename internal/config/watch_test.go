package config

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// told is one call of Watch's callback.
type told struct {
	c   Config
	err error
}

// watching runs Watch for the test and returns its callback as a channel, the
// first call already taken.
func watching(t *testing.T, path string) <-chan told {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	calls, ended := make(chan told, 64), make(chan error, 1)
	go func() {
		ended <- Watch(ctx, path, env(nil), func(c Config, err error) { calls <- told{c, err} })
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("Watch = %v, want nil", err)
		}
	})
	next(t, calls)
	return calls
}

func next(t *testing.T, calls <-chan told) told {
	t.Helper()
	select {
	case c := <-calls:
		return c
	case <-time.After(20 * time.Second):
		t.Fatal("Watch did not call back")
		return told{}
	}
}

// wantPort takes calls until the port is in force: a save may be seen half done.
func wantPort(t *testing.T, calls <-chan told, how string, port int) {
	t.Helper()
	for range 10 {
		if c := next(t, calls); c.err == nil && c.c.Port == port {
			return
		}
	}
	t.Fatalf("%s: port %d never came", how, port)
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func port(s string) []byte { return []byte("WINNOW_PORT=" + s + "\n") }

func TestWatchSaves(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	calls := watching(t, path)

	do(t, os.WriteFile(path, port("1"), 0o600))
	wantPort(t, calls, "created", 1)
	for _, n := range []string{"2", "3"} {
		do(t, os.WriteFile(path+".tmp", port(n), 0o600))
		do(t, os.Rename(path+".tmp", path))
		wantPort(t, calls, "renamed over", int(n[0]-'0'))
	}
	do(t, os.Rename(path, path+"~"))
	do(t, os.WriteFile(path, port("4"), 0o600))
	wantPort(t, calls, "backup made", 4)
	do(t, os.WriteFile(path, port("5"), 0o600))
	wantPort(t, calls, "in place", 5)
	do(t, os.Remove(path))
	wantPort(t, calls, "deleted", Default().Port)
	do(t, os.WriteFile(path, port("6"), 0o600))
	wantPort(t, calls, "made again", 6)
}

func TestWatchLinks(t *testing.T) {
	dir, real := t.TempDir(), t.TempDir()
	path, a, b := filepath.Join(dir, FileName), filepath.Join(real, "a"), filepath.Join(real, "b")
	do(t, os.WriteFile(a, port("1"), 0o600))
	do(t, os.WriteFile(b, port("2"), 0o600))
	do(t, os.Symlink(a, path))
	calls := watching(t, path)

	do(t, os.Symlink(b, path+".new"))
	do(t, os.Rename(path+".new", path))
	wantPort(t, calls, "link swapped", 2)
	do(t, os.WriteFile(b, port("3"), 0o600))
	wantPort(t, calls, "target written", 3)
}

func TestWatchMistakes(t *testing.T) {
	path := write(t, "WINNOW_PORT=1\n")
	calls := watching(t, path)
	do(t, os.WriteFile(path+".tmp", []byte("WINNOW_PORT=x\n"), 0o600))
	do(t, os.Rename(path+".tmp", path))
	if c := next(t, calls); c.err == nil {
		t.Errorf("a bad file gave %+v and no error", c.c)
	}
	do(t, os.WriteFile(path+".tmp", port("2"), 0o600))
	do(t, os.Rename(path+".tmp", path))
	wantPort(t, calls, "mended", 2)
}

// The folder's other files are written all the time; only the settings count.
func TestWatchIgnoresTheRest(t *testing.T) {
	path := write(t, "WINNOW_PORT=1\n")
	calls := watching(t, path)
	for _, other := range []string{"recall.db", "daemon.log"} {
		do(t, os.WriteFile(filepath.Join(filepath.Dir(path), other), []byte("x"), 0o600))
	}
	do(t, os.WriteFile(path+".tmp", port("1"), 0o600)) // the same settings
	do(t, os.Rename(path+".tmp", path))
	do(t, os.WriteFile(path+".tmp", port("2"), 0o600))
	do(t, os.Rename(path+".tmp", path))
	if c := next(t, calls); c.err != nil || c.c.Port != 2 {
		t.Errorf("first call after unrelated writes = %+v, %v; want port 2", c.c, c.err)
	}
}

func TestWatchFolderComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	path := filepath.Join(dir, FileName)
	do(t, os.Mkdir(dir, 0o700))
	do(t, os.WriteFile(path, port("1"), 0o600))
	calls := watching(t, path)
	do(t, os.RemoveAll(dir))
	wantPort(t, calls, "folder gone", Default().Port)
	do(t, os.Mkdir(dir, 0o700))
	do(t, os.WriteFile(path, port("2"), 0o600))
	wantPort(t, calls, "folder back", 2)
}

func TestWatchCannotBegin(t *testing.T) {
	err := Watch(context.Background(), filepath.Join(t.TempDir(), "none", FileName), env(nil), func(Config, error) {
		t.Error("called although nothing is watched")
	})
	if err == nil {
		t.Error("Watch of a missing folder = nil, want an error")
	}
}
