package serve

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// samePeer reports whether the process at the other end runs as our user
// (or as root, who can read the token anyway).
func samePeer(c net.Conn) bool {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return false
	}
	uid := -1
	err = raw.Control(func(fd uintptr) {
		if cred, cerr := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED); cerr == nil {
			uid = int(cred.Uid)
		}
	})
	return err == nil && (uid == os.Getuid() || uid == 0)
}
