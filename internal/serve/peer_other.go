//go:build !linux

package serve

import "net"

// samePeer relies on the socket's mode and the token where the system does not
// tell who is at the other end.
func samePeer(net.Conn) bool { return true }
