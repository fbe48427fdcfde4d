package peer

import (
	"net"
	"os"
	"runtime"
	"testing"
)

func TestListener(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system does not tell")
	}
	for _, addr := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
		ln, err := net.Listen("tcp4", addr)
		if err != nil {
			t.Fatal(err)
		}
		port := ln.Addr().(*net.TCPAddr).Port
		p, ok := Listener(port)
		if !ok || p.Pid != os.Getpid() || p.Name == "" || p.UID != os.Getuid() {
			t.Errorf("Listener of %s = %+v, %v, want this process", ln.Addr(), p, ok)
		}
		ln.Close()
		if p, ok := Listener(port); ok {
			t.Errorf("Listener after Close = %+v, want nobody", p)
		}
	}
}

func TestProcessString(t *testing.T) {
	for want, p := range map[string]Process{
		"nc (pid 7)":              {Pid: 7, Name: "nc", UID: 0},
		"pid 7":                   {Pid: 7, UID: -1},
		"a process of uid 0":      {},
		"a process unknown to us": {UID: -1},
	} {
		if got := p.String(); got != want {
			t.Errorf("%+v = %q, want %q", p, got, want)
		}
	}
}
