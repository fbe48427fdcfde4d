//go:build unix

package hook

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// openPlain opens folder/sub/name for reading. Each step is taken from the one
// before it and follows no link, so nothing can be swapped in between. A named
// pipe must not hold the daemon: hence O_NONBLOCK.
func openPlain(folder, sub, name string) (*os.File, error) {
	const dir = unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_RDONLY
	at, err := unix.Open(folder, dir, 0)
	if err != nil {
		return nil, linkError(err)
	}
	defer unix.Close(at)
	in, err := unix.Openat(at, sub, dir, 0)
	if err != nil {
		return nil, linkError(err)
	}
	defer unix.Close(in)
	fd, err := unix.Openat(in, name, unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|unix.O_RDONLY, 0)
	if err != nil {
		return nil, linkError(err)
	}
	return os.NewFile(uintptr(fd), filepath.Join(folder, sub, name)), nil
}

// linkError tells a link or a wrong kind of file from trouble with the disk.
func linkError(err error) error {
	switch {
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENXIO),
		errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		return ErrNotOurs
	}
	return err
}

func ownerOf(fi fs.FileInfo) (int, bool) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}
