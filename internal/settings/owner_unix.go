//go:build unix

package settings

import (
	"os"
	"syscall"
)

// keepOwner gives t the owner and group of the file that it replaces: root who
// installs for somebody must not take the file from them. Who may not do that
// keeps the file as theirs.
func keepOwner(t *os.File, old string) {
	fi, err := os.Stat(old)
	if err != nil {
		return
	}
	mine, err := t.Stat()
	if err != nil {
		return
	}
	was, ok := fi.Sys().(*syscall.Stat_t)
	is, ok2 := mine.Sys().(*syscall.Stat_t)
	if ok && ok2 && (was.Uid != is.Uid || was.Gid != is.Gid) {
		_ = t.Chown(int(was.Uid), int(was.Gid))
	}
}
