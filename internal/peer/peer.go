// Package peer tells whose process is at the other end of a Unix socket.
package peer

import "net"

// Same reports whether the process at the other end of c runs as our user, or
// as root, who could read everything anyway. Where the system does not tell, the
// socket's folder and mode must do and the answer is yes.
func Same(c net.Conn) bool {
	u, ok := c.(*net.UnixConn)
	return ok && same(u)
}
