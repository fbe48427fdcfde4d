//go:build !unix

package main

import "net"

const noFollow = 0

func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }
