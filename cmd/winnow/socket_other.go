//go:build !unix

package main

import "net"

func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }
