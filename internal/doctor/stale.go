package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// stale looks for what a daemon that was killed has left behind. None of it is
// in the way: the next start takes its place.
func (f *facts) stale(context.Context) Finding {
	if old := f.halfWritten(); len(old) > 0 {
		return warn("rm "+quoteAll(old), "half-written files of an interrupted start: %s", strings.Join(old, ", "))
	}
	if f.status != nil || f.held {
		return f.otherSocket()
	}
	var left []string
	sock, _ := f.Dir.Socket()
	for _, p := range []string{f.Dir.Daemon(), sock} {
		if _, err := os.Lstat(p); p != "" && err == nil {
			left = append(left, p)
		}
	}
	if len(left) == 0 {
		return ok("nothing is left of an earlier daemon")
	}
	return warn(f.winnow("serve --ensure"), "left by a daemon that is gone: %s; the next one replaces it", strings.Join(left, ", "))
}

// otherSocket finds a socket in the folder at which the running daemon does not listen.
func (f *facts) otherSocket() Finding {
	sock := f.in("winnow.sock")
	if _, err := os.Lstat(sock); err == nil && f.status != nil && f.status.Socket != "" && f.status.Socket != sock {
		return warn("rm "+Quote(sock), "%s is an earlier daemon's; the one that runs listens at %s", sock, f.status.Socket)
	}
	return ok("nothing is left of an earlier daemon")
}

// halfWritten lists temporary files that are too old to be at work.
func (f *facts) halfWritten() (old []string) {
	entries, _ := os.ReadDir(string(f.Dir)) // folder says what is wrong with it
	for _, e := range entries {
		name := e.Name()
		temp := name == filepath.Base(f.Dir.Store())+".compact"
		for _, p := range []string{f.Dir.Daemon(), f.Dir.Token(), f.Dir.Hello()} { // as state.WriteFile names them
			temp = temp || strings.HasPrefix(name, "."+filepath.Base(p)+"-")
		}
		if fi, err := e.Info(); temp && err == nil && time.Since(fi.ModTime()) > time.Hour {
			old = append(old, f.in(name))
		}
	}
	return old
}
