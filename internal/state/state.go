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
func (d Dir) Log() string       { return filepath.Join(string(d), "daemon.log") }

// maxSocket keeps a socket path under the kernel's limit (108 bytes on Linux,
// 104 on macOS); the client's fetch failed at 125.
const maxSocket = 100

// Socket returns the socket's path: in the folder, or where that is too long in
// a short private folder named after it. Every caller computes the same one.
func (d Dir) Socket() string {
	p := filepath.Join(string(d), "winnow.sock")
	if len(p) <= maxSocket {
		return p
	}
	short := fmt.Sprintf("winnow-%d-%s", os.Getuid(), marker.KeyOf(string(d))[:12])
	return filepath.Join("/tmp", short, "winnow.sock")
}

// ErrNotPrivate reports a folder that somebody else could read or has made.
var ErrNotPrivate = errors.New("folder is not private")

// Make creates the folder (and the socket's, where it is another) with mode
// 0700, or tightens and checks the ones that exist.
func (d Dir) Make() error {
	if err := private(string(d)); err != nil {
		return err
	}
	return private(filepath.Dir(d.Socket()))
}

func private(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make state folder: %w", err)
	}
	fi, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("check state folder: %w", err)
	}
	if fi.Mode()&os.ModeSymlink != 0 {
		if fi, err = os.Stat(dir); err != nil {
			return fmt.Errorf("check state folder: %w", err)
		}
		if strings.HasPrefix(dir, "/tmp/") { // anybody may place a link there
			return fmt.Errorf("%s is a link: %w", dir, ErrNotPrivate)
		}
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

// ReadToken returns the token of the folder, making one (128 random bits, hex)
// if there is none. Only the daemon's side may make one.
func (d Dir) ReadToken(create bool) (string, error) {
	b, err := os.ReadFile(d.Token())
	if t := strings.TrimSpace(string(b)); err == nil && len(t) == 32 {
		return t, os.Chmod(d.Token(), 0o600)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) || !create {
		return "", fmt.Errorf("read token: %w", errors.Join(err, os.ErrNotExist))
	}
	raw := make([]byte, 16)
	rand.Read(raw)
	t := hex.EncodeToString(raw)
	return t, WriteFile(d.Token(), []byte(t+"\n"))
}

// ReadDaemon returns what the running (or last) daemon wrote of itself.
func (d Dir) ReadDaemon() (api.Daemon, error) {
	var a api.Daemon
	b, err := os.ReadFile(d.Daemon())
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
