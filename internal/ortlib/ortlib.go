// Package ortlib carries the onnxruntime shared library inside the binary and
// puts it on disk, once, where it can be loaded.
//
// It does not load the library and never fetches anything: a build without a
// library for its platform gets [ErrNone].
package ortlib

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrNone reports that this build carries no library for its platform.
var ErrNone = errors.New("no onnxruntime library in this build")

// EnvPath names the variable that holds the absolute path of a library to use
// instead of the one in the binary. Nothing about that file is checked.
const EnvPath = "WINNOW_ORT"

// lib holds one folder per fetched platform, or nothing but its README.
//
//go:embed lib
var lib embed.FS

// Platform returns the name of the folder that would hold this platform's library.
func Platform() string { return runtime.GOOS + "_" + runtime.GOARCH }

// Available reports whether [Path] has a library to offer.
func Available() bool {
	if os.Getenv(EnvPath) != "" {
		return true
	}
	_, err := load(lib, Platform())
	return err == nil
}

// Path returns the absolute path of a library that can be loaded. It unpacks
// the embedded one into CACHE/winnow/ort-XXXXXXXX (the head of its SHA-256)
// unless it is there already. An empty cacheDir is [os.UserCacheDir].
//
// It is safe to call from several processes at once.
func Path(cacheDir string) (string, error) {
	if p := os.Getenv(EnvPath); p != "" {
		if !filepath.IsAbs(p) {
			return "", fmt.Errorf("%s=%q: not an absolute path", EnvPath, p)
		}
		return p, nil
	}
	l, err := load(lib, Platform())
	if err != nil {
		return "", err
	}
	if cacheDir == "" {
		if cacheDir, err = os.UserCacheDir(); err != nil {
			return "", fmt.Errorf("find user cache: %w", err)
		}
	}
	if cacheDir, err = filepath.Abs(cacheDir); err != nil {
		return "", fmt.Errorf("cache folder: %w", err)
	}
	return l.unpack(filepath.Join(cacheDir, "winnow"))
}

// library is a packed library and what it must unpack to.
type library struct {
	fsys fs.FS
	name string
	sum  string // SHA-256 in hex
	size int64
}

// load looks at the head of the packed library only: reading an embedded file
// whole copies it, and a start with a warm cache has no use for that.
func load(fsys fs.FS, platform string) (*library, error) {
	l := &library{fsys: fsys, name: "lib/" + platform + "/onnxruntime.zst"}
	f, err := fsys.Open(l.name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", platform, ErrNone)
	}
	defer f.Close()
	head := make([]byte, zstd.HeaderMaxSize)
	n, _ := io.ReadFull(f, head)
	var h zstd.Header
	if err := h.Decode(head[:n]); err != nil || !h.HasFCS {
		return nil, fmt.Errorf("%s: packed library is damaged: %v", platform, err)
	}
	l.size = int64(h.FrameContentSize)
	sum, err := fs.ReadFile(fsys, "lib/"+platform+"/onnxruntime.sha256")
	if err != nil {
		return nil, fmt.Errorf("%s: hash of the library: %w", platform, err)
	}
	fields := strings.Fields(string(sum))
	if len(fields) == 0 || len(fields[0]) != 64 {
		return nil, fmt.Errorf("%s: hash of the library is damaged", platform)
	}
	l.sum = fields[0]
	return l, nil
}
