package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"winnow/internal/doctor"
	"winnow/internal/install"
	"winnow/internal/lock"
	"winnow/internal/state"
)

// installWait is how long one installation waits for another.
const installWait = 10 * time.Second

var errNotAsShown = errors.New("something else changed these files meanwhile, and what was shown is not what would be done any more; nothing was changed")

// alone does a plan while no other installation is at work. The plan is made anew
// under the lock; a person who was asked agreed to what was shown, and to no more.
func alone(dir state.Dir, shown []byte, asked bool, plan func() (*install.Changes, error)) error {
	l, err := lock.Acquire(dir.InstallLock(), installWait)
	switch {
	case errors.Is(err, lock.ErrHeld):
		return errors.New("another installation is under way; nothing was changed")
	case err == nil:
		defer l.Release()
	} // where nothing can be written, the plan will say so, or needs nothing there
	p, err := plan()
	if err != nil {
		return err
	}
	if asked && !bytes.Equal(planText(p), shown) {
		return errNotAsShown
	}
	return p.Apply()
}

func planText(p *install.Changes) []byte {
	var b bytes.Buffer
	p.Show(&b)
	return b.Bytes()
}

// wayOut names the next command after an installation, or its opposite, failed.
func wayOut(err error, again string) error {
	dir := "." // of an error that names none
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		dir = filepath.Dir(at.Path)
	case errors.As(err, &link):
		dir = filepath.Dir(link.New)
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		again = fmt.Sprintf("ls -ld %s  # it must be yours to write; then: %s", doctor.Quote(dir), again)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		again = fmt.Sprintf("df %s  # make room, then: %s", doctor.Quote(dir), again)
	}
	return withHint(err, again)
}
