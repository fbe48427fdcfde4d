//go:build unix

package state

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"winnow/internal/api"
)

func TestMakeIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Dir(dir).Make(); err != nil {
		t.Fatal(err)
	}
	if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("mode = %v, %v, want 0700", fi.Mode(), err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Dir(file).Make(); err == nil {
		t.Error("Make of a file = nil, want an error")
	}
}

func TestSocketOfALongPath(t *testing.T) {
	long := Dir("/" + strings.Repeat("x", 150))
	t.Setenv("HOME", "/home/somebody")
	sock, err := long.Socket()
	if err != nil || !strings.HasPrefix(sock, "/home/somebody/.winnow-") || len(sock) > maxSocket {
		t.Errorf("Socket = %q, %v, want a short one in the home directory", sock, err)
	}
	if other, _ := Dir(string(long) + "y").Socket(); other == sock {
		t.Error("two folders share a socket")
	}
	t.Setenv("HOME", "/"+strings.Repeat("h", 90))
	if _, err := long.Socket(); !errors.Is(err, ErrTooLong) {
		t.Errorf("Socket with a long home = %v, want ErrTooLong", err)
	}
}

// A folder that others may write to, or that is missing, is not spoken at.
func TestCheckSocket(t *testing.T) {
	base := t.TempDir()
	private, open := filepath.Join(base, "private"), filepath.Join(base, "open")
	for dir, mode := range map[string]os.FileMode{private: 0o700, open: 0o755} {
		if err := os.Mkdir(dir, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := CheckSocket(filepath.Join(private, "s")); err != nil {
		t.Errorf("private folder: %v", err)
	}
	if err := CheckSocket(filepath.Join(open, "s")); !errors.Is(err, ErrNotPrivate) {
		t.Errorf("open folder = %v, want ErrNotPrivate", err)
	}
	if err := CheckSocket(filepath.Join(base, "none", "s")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing folder = %v, want ErrNotExist", err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(private, 1, 1); err != nil {
			t.Fatal(err)
		}
		if err := CheckSocket(filepath.Join(private, "s")); !errors.Is(err, ErrNotPrivate) {
			t.Errorf("somebody else's folder = %v, want ErrNotPrivate", err)
		}
	}
}

func TestToken(t *testing.T) {
	dir := Dir(t.TempDir())
	if _, err := dir.ReadToken(false); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("ReadToken of none = %v, want ErrNotExist", err)
	}
	made, err := dir.ReadToken(true)
	if err != nil || len(made) != 32 {
		t.Fatalf("made token %q, %v", made, err)
	}
	if again, err := dir.ReadToken(false); again != made || err != nil {
		t.Errorf("read again = %q, %v, want the same", again, err)
	}
	if err := os.WriteFile(dir.Token(), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if fresh, err := dir.ReadToken(true); err != nil || fresh == made || len(fresh) != 32 {
		t.Errorf("in place of a broken one = %q, %v, want a new one", fresh, err)
	}
}

// Whatever stands in the place of a file, reading it does not hang.
func TestOddFilesDoNotHang(t *testing.T) {
	for name, odd := range map[string]func(path string) error{
		"pipe":      func(p string) error { return syscall.Mkfifo(p, 0o600) },
		"directory": func(p string) error { return os.Mkdir(p, 0o700) },
		"huge":      func(p string) error { return os.WriteFile(p, make([]byte, 1<<17), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := Dir(t.TempDir())
			if err := errors.Join(odd(dir.Token()), odd(dir.Daemon())); err != nil {
				t.Fatal(err)
			}
			if _, err := dir.ReadToken(false); err == nil {
				t.Error("ReadToken = nil, want an error")
			}
			if _, err := dir.ReadDaemon(); err == nil {
				t.Error("ReadDaemon = nil, want an error")
			}
		})
	}
}

func TestDaemonFile(t *testing.T) {
	dir := Dir(t.TempDir())
	want := api.Daemon{Pid: 7, Started: "8", Socket: "/s", Port: 9, Token: "t", Mode: "shadow"}
	if err := dir.WriteDaemon(want); err != nil {
		t.Fatal(err)
	}
	if got, err := dir.ReadDaemon(); got != want || err != nil {
		t.Errorf("ReadDaemon = %+v, %v, want %+v", got, err, want)
	}
	if fi, err := os.Stat(dir.Daemon()); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("mode = %v, %v, want 0600", fi.Mode(), err)
	}
}
