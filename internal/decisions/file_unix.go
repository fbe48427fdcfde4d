//go:build unix

package decisions

import (
	"io/fs"
	"syscall"
)

// A pipe must not hold its opener: hence O_NONBLOCK.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC

func links(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}
