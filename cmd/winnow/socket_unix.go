//go:build unix

package main

import (
	"net"
	"syscall"
)

// noFollow opens no link, and waits for nobody at a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// listenPrivate makes the socket 0600 from the moment it exists. Closing it
// removes nothing: by then another daemon's socket may stand at the path.
func listenPrivate(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	ln, err := net.Listen("unix", path)
	if u, ok := ln.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false)
	}
	return ln, err
}
