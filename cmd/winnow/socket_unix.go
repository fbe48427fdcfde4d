//go:build unix

package main

import (
	"net"
	"syscall"
)

// listenPrivate makes the socket 0600 from the moment it exists.
func listenPrivate(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}
