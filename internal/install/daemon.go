package install

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/internal/state"
)

// A daemon that ran from the plugin's folder would stand in the way of whoever
// writes there ("text file busy"). So it runs from a copy in the state folder,
// bin/winnow-VERSION-HASH/winnow.

// origin says of which file a copy was made, so that the next start need not
// read 60 MB to know.
type origin struct {
	Path  string `json:"path"`
	Size  int64  `json:"size"`
	MTime int64  `json:"mtime_ns"`
}

const originFile = "of.json"

func copies(dir state.Dir) string { return filepath.Join(string(dir), "bin") }

// DaemonBinary returns the binary from which a daemon shall run: a copy of exe
// when that lies in a plugin's folder, else exe itself. A caller that cannot run
// what it returns, or gets an error, runs exe.
func DaemonBinary(dir state.Dir, exe, version string) (string, error) {
	exe, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(exe), "..", ".claude-plugin", "plugin.json")); err != nil {
		return exe, nil
	}
	fi, err := os.Stat(exe)
	if err != nil {
		return "", fmt.Errorf("find own binary: %w", err)
	}
	of := origin{exe, fi.Size(), fi.ModTime().UnixNano()}
	if path, found := copyOf(dir, of); found {
		return path, nil
	}
	hash := hex.EncodeToString(fileSum(exe))
	if hash == "" {
		return "", fmt.Errorf("read own binary %s", exe)
	}
	path := filepath.Join(copies(dir), "winnow-"+clean(version)+"-"+hash[:12], "winnow")
	if err := makeCopy(dir, path, of); err != nil {
		return "", fmt.Errorf("copy own binary: %w", err)
	}
	return path, nil
}

// clean makes a version part of a file's name.
func clean(version string) string {
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || r == '+' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, version)
}

func copyOf(dir state.Dir, of origin) (string, bool) {
	for _, sub := range subs(dir) {
		b, err := os.ReadFile(filepath.Join(sub, originFile))
		var o origin
		if err != nil || json.Unmarshal(b, &o) != nil || o != of {
			continue
		}
		path := filepath.Join(sub, "winnow")
		if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && fi.Size() == of.Size && state.Own(path) {
			return path, true
		}
	}
	return "", false
}

// subs are the folders of the copies. Links, and what somebody else made while the
// state folder was open to them, are none of ours.
func subs(dir state.Dir) (out []string) {
	if !state.Own(copies(dir)) {
		return nil
	}
	entries, _ := os.ReadDir(copies(dir))
	for _, e := range entries {
		sub := filepath.Join(copies(dir), e.Name())
		if strings.HasPrefix(e.Name(), "winnow-") && e.IsDir() && state.Own(sub) {
			out = append(out, sub)
		}
	}
	return out
}

func makeCopy(dir state.Dir, path string, of origin) error {
	if err := dir.Make(); err != nil {
		return err
	}
	for _, d := range []string{copies(dir), filepath.Dir(path)} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if fi, err := os.Lstat(d); err != nil || !fi.IsDir() || !state.Own(d) {
			return fmt.Errorf("%s: %w", d, errors.Join(err, state.ErrNotPrivate))
		}
	}
	if fi, err := os.Lstat(path); err != nil || !fi.Mode().IsRegular() || fi.Size() != of.Size || !state.Own(path) {
		if err := putCopy(dir, path, of.Path); err != nil {
			return err
		}
	}
	b, err := json.Marshal(of)
	if err != nil {
		return err
	}
	return state.WriteFile(filepath.Join(filepath.Dir(path), originFile), b)
}

// putCopy links what lies in our own plugin folder, where files are replaced and
// never written in place; anything else is copied.
func putCopy(dir state.Dir, path, exe string) error {
	if own, err := filepath.EvalSymlinks(string(dir)); err == nil && strings.HasPrefix(exe, filepath.Join(own, "plugin")+string(filepath.Separator)) {
		os.Remove(path)
		if os.Link(exe, path) == nil {
			return nil
		}
	}
	return copyFile(exe, path, 0o700)
}

// young is how long a copy is kept in any case: somebody may be starting it.
const young = 10 * time.Minute

// CleanCopies removes the copies that no daemon needs any more: all but keep and
// the young ones. A running program does not need its file.
func CleanCopies(dir state.Dir, keep string, now time.Time) {
	for _, d := range subs(dir) {
		fi, err := os.Lstat(d)
		if err == nil && d != filepath.Dir(keep) && now.Sub(fi.ModTime()) > young {
			os.RemoveAll(d)
		}
	}
}
