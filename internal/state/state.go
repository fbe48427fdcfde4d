// Package state knows the layout of winnow's private folder: which file is
// where, how it is created, and who may read it. Folders are 0700 and files
// 0600 from the moment they exist; nothing is ever written outside of it but a
// socket whose path would be too long.
package state

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/api"
	"winnow/internal/marker"
)

// Dir is the state folder.
type Dir string

// Files of the state folder.
func (d Dir) Token() string     { return filepath.Join(string(d), "token") }
func (d Dir) Daemon() string    { return filepath.Join(string(d), "daemon.json") }
func (d Dir) Lock() string      { return filepath.Join(string(d), "daemon.lock") }
func (d Dir) StartLock() string { return filepath.Join(string(d), "start.lock") }
func (d Dir) Store() string     { return filepath.Join(string(d), "recall.db") }
func (d Dir) Env() string       { return filepath.Join(string(d), "env") }
func (d Dir) Hello() string     { return filepath.Join(string(d), "hello.json") }
func (d Dir) Log() string       { return filepath.Join(string(d), "daemon.log") }

// InstallLock is held while an installation changes files.
func (d Dir) InstallLock() string { return filepath.Join(string(d), "install.lock") }

// maxSocket keeps a socket path under the kernel's limit (108 bytes on Linux,
// 104 on macOS); the client's fetch failed at 125.
const maxSocket = 100

// Socket returns the path at which a daemon of this folder listens: in the
// folder, or where that is too long for a socket in a short private folder of
// the home directory that is named after it. Never in /tmp: after a restart of
// the machine anybody could be the first to make the folder there. Clients take
// the path from the daemon's own file, since HOME may differ between callers.
func (d Dir) Socket() (string, error) {
	p := filepath.Join(string(d), "winnow.sock")
	if len(p) <= maxSocket {
		return p, nil
	}
	home, err := os.UserHomeDir()
	if err == nil {
		p = filepath.Join(home, ".winnow-"+string(marker.KeyOf(string(d))[:12]), "s")
		if len(p) <= maxSocket {
			return p, nil
		}
	}
	return "", fmt.Errorf("socket for %s: %w", d, ErrTooLong)
}

// ErrTooLong reports that no socket path of at most 100 bytes can be made.
var ErrTooLong = errors.New("the state folder's path and the home directory's are too long for a socket")

// ErrNotPrivate reports a folder that somebody else could read or has made.
var ErrNotPrivate = errors.New("folder is not private")

// Make creates the folder (and the socket's, where it is another) with mode
// 0700, or tightens and checks the ones that exist.
func (d Dir) Make() error {
	if err := private(string(d)); err != nil {
		return err
	}
	sock, err := d.Socket()
	if err != nil {
		return err
	}
	return private(filepath.Dir(sock))
}

func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make state folder: %w", err)
	}
	fi, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("check state folder: %w", err)
	}
	if !fi.IsDir() || !ownedByUs(fi) {
		return fmt.Errorf("%s: %w", dir, ErrNotPrivate)
	}
	if fi.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return fmt.Errorf("tighten state folder: %w", err)
		}
	}
	return nil
}

// CheckSocket makes sure, before anything is said at the socket, that it lies
// in a folder that is ours and closed to others.
func CheckSocket(path string) error {
	if err := CheckFolder(filepath.Dir(path)); err != nil {
		return fmt.Errorf("check socket's folder: %w", err)
	}
	return nil
}

// CheckFolder fails with [ErrNotPrivate] unless dir, or what it links to, is a
// folder that is ours and closed to others.
func CheckFolder(dir string) error {
	fi, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !fi.IsDir() || !ownedByUs(fi) || fi.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s: %w", dir, ErrNotPrivate)
	}
	return nil
}

// Own reports whether path itself, which is no link, is ours and nobody else may
// write it.
func Own(path string) bool {
	fi, err := os.Lstat(path)
	return err == nil && fi.Mode()&os.ModeSymlink == 0 && ownedByUs(fi) && fi.Mode().Perm()&0o022 == 0
}

// read returns a small plain file's bytes. Anything else in its place is an
// error: opening a pipe would wait for ever.
func read(path string) ([]byte, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() || fi.Size() > 1<<16 {
		return nil, fmt.Errorf("%s is not a small plain file", path)
	}
	return os.ReadFile(path)
}

// ReadToken returns the token of the folder, making one (128 random bits, hex)
// if there is none. Only the daemon's side may make one.
func (d Dir) ReadToken(create bool) (string, error) {
	b, err := read(d.Token())
	if t := strings.TrimSpace(string(b)); err == nil && len(t) == 32 {
		return t, tighten(d.Token())
	}
	if !create {
		return "", fmt.Errorf("read token: %w", errors.Join(err, os.ErrNotExist))
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read token: %w", err)
	}
	raw := make([]byte, 16)
	rand.Read(raw)
	t := hex.EncodeToString(raw)
	return t, WriteFile(d.Token(), []byte(t+"\n"))
}

// tighten closes a file to others. One that is closed is left alone, also on a disk
// that is read-only.
func tighten(path string) error {
	fi, err := os.Stat(path)
	if err != nil || fi.Mode().Perm()&0o077 == 0 {
		return err
	}
	return os.Chmod(path, 0o600)
}

// ReadDaemon returns what the running (or last) daemon wrote of itself.
func (d Dir) ReadDaemon() (api.Daemon, error) {
	var a api.Daemon
	b, err := read(d.Daemon())
	if err != nil {
		return a, fmt.Errorf("read daemon.json: %w", err)
	}
	if err := json.Unmarshal(b, &a); err != nil {
		return a, fmt.Errorf("read daemon.json: %w", err)
	}
	return a, nil
}

// WriteDaemon publishes where the daemon listens.
func (d Dir) WriteDaemon(a api.Daemon) error {
	b, err := json.Marshal(a)
	if err != nil {
		return err
	}
	return WriteFile(d.Daemon(), append(b, '\n'))
}

// WriteFile writes a private file whole or not at all.
func WriteFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
