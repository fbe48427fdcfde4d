package peer

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

func same(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
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
