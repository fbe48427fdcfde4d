package install

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// BinaryName is the binary's name beside the launcher bin/winnow, which looks for it.
func BinaryName() string { return "winnow-" + runtime.GOOS + "-" + runtime.GOARCH }

// content is a file of the plugin's folder as it must be.
type content struct {
	path string // relative, with slashes
	data []byte // nil: the binary
	mode fs.FileMode
}

// contents lists the plugin's folder, the manifest last: with it the new plugin
// is there.
func (t Target) contents() ([]content, error) {
	out := []content{{path: "bin/" + BinaryName(), mode: 0o755}}
	err := fs.WalkDir(t.Files, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := fs.ReadFile(t.Files, path)
		if strings.HasPrefix(path, ".claude-plugin/") && isVersion.MatchString(t.Version) {
			b = saidVersion.ReplaceAll(b, []byte(`"version": "`+t.Version+`"`))
		}
		mode := fs.FileMode(0o644)
		if path == "bin/winnow" {
			mode = 0o755
		}
		out = append(out, content{path, b, mode})
		return err
	})
	slices.SortStableFunc(out, func(a, b content) int { return rank(a.path) - rank(b.path) })
	return out, err
}

// The manifests say the binary's version, whatever it was built as.
var (
	isVersion   = regexp.MustCompile(`^\d+\.\d+\.\d+[-+.0-9A-Za-z]*$`)
	saidVersion = regexp.MustCompile(`"version": "[^"]*"`)
)

func rank(path string) int {
	switch {
	case strings.HasPrefix(path, ".claude-plugin/"):
		return 2
	case strings.HasPrefix(path, "hooks/"):
		return 1
	}
	return 0
}

// putFolder plans to bring the plugin's folder up to date, file by file: each is
// replaced whole, so that a session that reads meanwhile or runs the old binary
// never sees half of one.
func (p *Changes) putFolder() error {
	dir := p.PluginDir()
	p.uses = true
	want, err := p.contents()
	if err != nil {
		return fmt.Errorf("read own plugin files: %w", err)
	}
	var todo []content
	for _, c := range want {
		if !p.there(dir, c) {
			todo = append(todo, c)
		}
	}
	extra := strays(dir, want)
	if len(todo)+len(extra) == 0 {
		return nil
	}
	p.Before(fmt.Sprintf("put the plugin, version %s, into %s (%d of %d files)", p.Version, dir, len(todo), len(want)), func() error {
		if err := p.State.Make(); err != nil {
			return err
		}
		for _, c := range todo {
			if err := p.write(dir, c); err != nil {
				return err
			}
		}
		for _, path := range extra {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		return nil
	})
	return nil
}

// there reports whether a file is as it must be.
func (p *Changes) there(dir string, c content) bool {
	path := filepath.Join(dir, filepath.FromSlash(c.path))
	fi, err := os.Lstat(path)
	if err != nil || !fi.Mode().IsRegular() || fi.Mode().Perm() != c.mode {
		return false
	}
	if c.data == nil {
		own, err := os.Stat(p.Exe)
		return err == nil && (os.SameFile(own, fi) || own.Size() == fi.Size() && bytes.Equal(fileSum(path), fileSum(p.Exe)))
	}
	b, err := os.ReadFile(path)
	return err == nil && bytes.Equal(b, c.data)
}

// strays are the files of an older version that this one does not have.
func strays(dir string, want []content) (out []string) {
	filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		rel, _ := filepath.Rel(dir, path)
		if !slices.ContainsFunc(want, func(c content) bool { return c.path == filepath.ToSlash(rel) }) {
			out = append(out, path)
		}
		return nil
	})
	return out
}

func (p *Changes) write(dir string, c content) error {
	path := filepath.Join(dir, filepath.FromSlash(c.path))
	if c.data == nil {
		return copyFile(p.Exe, path, c.mode)
	}
	return writeFile(path, bytes.NewReader(c.data), c.mode)
}

func copyFile(from, to string, mode fs.FileMode) error {
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	return writeFile(to, f, mode)
}

// writeFile writes a file whole or not at all, with its folders.
func writeFile(path string, r io.Reader, mode fs.FileMode) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	t, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(t.Name())
		}
	}()
	_, err = io.Copy(t, r)
	if err = errors.Join(err, t.Chmod(mode), t.Close()); err != nil {
		return err
	}
	return os.Rename(t.Name(), path)
}

// fileSum is nil for what cannot be read.
func fileSum(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return nil
	}
	return h.Sum(nil)
}
