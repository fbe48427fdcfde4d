package doctor

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/recall"
)

// store asks the daemon, which holds it; without one it opens a copy: opening
// sets a damaged file aside, and a check must not.
func (f *facts) store(ctx context.Context) Finding {
	if f.status != nil {
		return f.storeOfDaemon(ctx, f.status.StoreError)
	}
	fi, err := os.Stat(f.Dir.Store())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.leftovers(ok("nothing was hidden yet"))
	case err != nil:
		return fail("ls -ld "+Quote(string(f.Dir)), "%v", err)
	case f.held:
		return warn(f.winnow("serve --unstick"), "not looked at: pid %d holds it and does not answer", f.owner.Pid)
	}
	if n, err := free(string(f.Dir)); err == nil && n < uint64(fi.Size())+littleSpace {
		return warn("df -h "+Quote(string(f.Dir)), "not looked at: the disk is too full for a copy")
	}
	h, damaged, err := openCopy(ctx, f.Dir.Store())
	switch {
	case damaged:
		return fail(f.winnow("serve --ensure")+", which sets it aside and makes a new one", "%s is damaged: what it held cannot be recalled", f.Dir.Store())
	case errors.Is(err, context.DeadlineExceeded):
		return f.leftovers(ok("opens, %s; %d originals are whole, the rest was not read in time", amount(uint64(fi.Size())), h.Originals))
	case err != nil:
		return fail("ls -l "+Quote(f.Dir.Store()), "does not open: %v", err)
	case len(h.Bad) > 0:
		return damagedOriginals(len(h.Bad), h.Originals)
	}
	return f.leftovers(ok("opens and is whole: %s, %s", count(h.Originals, "original"), amount(uint64(fi.Size()))))
}

func (f *facts) storeOfDaemon(ctx context.Context, msg string) Finding {
	switch {
	case msg == "":
		return f.readByDaemon(ctx)
	case strings.Contains(msg, "set aside"):
		return warn(f.restart(), "%s; a new one is in use", msg)
	}
	return fail(f.restart(), "%s; nothing is hidden without it", msg)
}

// readByDaemon has the daemon read all of its store.
func (f *facts) readByDaemon(ctx context.Context) Finding {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	var h api.CheckReply
	c, err := client.Probe(ctx, f.Dir)
	if err == nil {
		defer c.Close()
		h, err = c.Check(ctx)
	}
	switch {
	case err != nil: // it has left since, or there is much to read
		return f.leftovers(ok("open in the daemon, and not read through in time"))
	case len(h.Bad) > 0:
		return damagedOriginals(len(h.Bad), h.Originals)
	case h.Error != "":
		return fail(f.restart(), "%s", h.Error)
	}
	return f.leftovers(ok("open in the daemon and whole: %s, %s", count(h.Originals, "original"), amount(uint64(max(h.File, 0)))))
}

func damagedOriginals(n, of int) Finding {
	return warn("sudo dmesg | tail  # is the disk failing?", "%d of %d originals are damaged: a recall says that they are not there", n, of)
}

// leftovers names damaged stores of earlier days beside a good finding.
func (f *facts) leftovers(good Finding) Finding {
	old, _ := filepath.Glob(f.Dir.Store() + ".damaged-*") // a folder with [ in its name hides them: no harm
	if len(old) == 0 {
		return good
	}
	return warn("rm "+quoteAll(old), "%s; damaged ones of earlier lie beside it", good.Found)
}

// readTime bounds how long originals are read; somebody waits for the answer.
const readTime = 5 * time.Second

// openCopy opens a copy of the store in its own folder, where it is as private,
// and reads it through; damaged reports that it would have been set aside.
func openCopy(ctx context.Context, path string) (h recall.Health, damaged bool, err error) {
	removeStale(filepath.Dir(path))
	dir, err := os.MkdirTemp(filepath.Dir(path), copyPrefix+"*")
	if err != nil {
		return h, false, err
	}
	defer os.RemoveAll(dir)
	to := filepath.Join(dir, filepath.Base(path))
	if err := copyFile(path, to); err != nil {
		return h, false, err
	}
	s, err := recall.Open(to, recall.Options{})
	if err != nil {
		return h, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	if s.Damaged() == "" {
		h, err = s.Check(ctx)
	}
	damaged = s.Damaged() != "" // by now, reading may have shown it
	return h, damaged, errors.Join(err, s.Close())
}

const copyPrefix = ".doctor-"

// removeStale removes copies of checks that somebody interrupted; none takes as
// long as an hour.
func removeStale(dir string) {
	old, _ := filepath.Glob(filepath.Join(dir, copyPrefix+"*"))
	for _, p := range old {
		if fi, err := os.Lstat(p); err == nil && time.Since(fi.ModTime()) > time.Hour {
			os.RemoveAll(p)
		}
	}
}

func copyFile(from, to string) error {
	fi, err := os.Stat(from)
	if err == nil && !fi.Mode().IsRegular() {
		err = errors.New("not a plain file")
	}
	if err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
