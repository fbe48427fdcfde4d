//go:build linux || darwin

package recall

import "syscall"

// noFollow refuses a link in the store's place: what it points to is not ours
// to write.
const noFollow = syscall.O_NOFOLLOW

// room returns the free bytes of the file system that holds dir.
func room(dir string) (int64, bool) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
