package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"winnow/internal/state"
)

// folder looks at the state folder itself: ours, closed to others, writable.
func (f *facts) folder(context.Context) Finding {
	dir := string(f.Dir)
	fi, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ok("%s is not there yet; the first start makes it", dir)
	case err != nil:
		return fail("ls -ld "+Quote(filepath.Dir(dir)), "%v", err)
	case !fi.IsDir():
		return fail("mv "+Quote(dir)+" "+Quote(dir+".old"), "%s is not a folder", dir)
	case fi.Mode().Perm()&0o700 != 0o700:
		return fail("chmod 700 "+Quote(dir), "%s has mode %#o: its owner may not use it", dir, fi.Mode().Perm())
	case fi.Mode().Perm()&0o077 != 0:
		return warn("chmod 700 "+Quote(dir), "%s has mode %#o: others may look into it until a daemon starts, which closes it", dir, fi.Mode().Perm())
	}
	if err := state.CheckFolder(dir); err != nil {
		return fail("sudo chown -R \"$(id -un)\" "+Quote(dir), "%s belongs to somebody else", dir)
	}
	if err := writable(dir); err != nil {
		return fail("df -h "+Quote(dir), "nothing can be written: %v", err)
	}
	return ok("%s, mode 0700, ours, writable", dir)
}

func writable(dir string) error {
	t, err := os.CreateTemp(dir, copyPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name())
	_, err = t.Write([]byte("x"))
	return errors.Join(err, t.Close())
}

// files looks for files in the folder that others may read. The settings are a
// person's own file and no secret.
func (f *facts) files(context.Context) Finding {
	entries, err := os.ReadDir(string(f.Dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail("ls -ld "+Quote(string(f.Dir)), "%v", err)
	}
	var open []string
	for _, e := range entries {
		fi, err := e.Info()
		if err != nil || e.Name() == filepath.Base(f.Dir.Env()) || !fi.Mode().IsRegular() {
			continue
		}
		if fi.Mode().Perm()&0o077 != 0 {
			open = append(open, f.in(e.Name()))
		}
	}
	if len(open) > 0 {
		return warn("chmod 600 "+quoteAll(open), "others may read %s", strings.Join(open, ", "))
	}
	return ok("%d, none that others may read", len(entries))
}

func (f *facts) in(name string) string { return filepath.Join(string(f.Dir), name) }

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = Quote(n)
	}
	return strings.Join(quoted, " ")
}

// The store may take 200 MB and compaction writes it anew.
const (
	littleSpace = 50 << 20
	lowSpace    = 500 << 20
)

func (f *facts) disk(context.Context) Finding {
	dir := existing(string(f.Dir))
	n, err := free(dir)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return ok("not looked at on this system")
	case err != nil:
		return warn("df -h "+Quote(dir), "free space of %s: %v", dir, err)
	case n < littleSpace:
		return fail("df -h "+Quote(dir), "%s free at %s: what cannot be stored is not hidden", amount(n), dir)
	case n < lowSpace:
		return warn("df -h "+Quote(dir), "%s free at %s", amount(n), dir)
	}
	return ok("%s free at %s", amount(n), dir)
}

// existing returns the nearest folder on the way up that is there.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// amount writes bytes as people do.
func amount(n uint64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%d GB", n>>30)
	case n >= 1<<20:
		return fmt.Sprintf("%d MB", n>>20)
	}
	return fmt.Sprintf("%d KB", (n+1023)>>10)
}
