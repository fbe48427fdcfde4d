//go:build unix

package settings

import (
	"io/fs"
	"syscall"
)

func ids(fi fs.FileInfo) (uid, gid int) {
	st := fi.Sys().(*syscall.Stat_t)
	return int(st.Uid), int(st.Gid)
}
