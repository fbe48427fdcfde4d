package peer

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// inTheWay are the local addresses, as /proc/net/tcp and tcp6 write them, at
// which a listener keeps 127.0.0.1 from others. See proc_pid_net(5): 32-bit
// words in the machine's byte order, so those of a little-endian one.
var inTheWay = map[string]bool{
	"0100007F":                         true, // 127.0.0.1
	"00000000":                         true, // 0.0.0.0
	"00000000000000000000000000000000": true, // ::
	"0000000000000000FFFF00000100007F": true, // ::ffff:127.0.0.1
}

func listener(port int) (Process, bool) {
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		b, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		if uid, inode, ok := listening(string(b), port); ok {
			p := Process{UID: uid}
			p.Pid, p.Name = holder(inode)
			return p, true
		}
	}
	return Process{UID: -1}, false
}

// listening finds the socket that listens at the port.
func listening(table string, port int) (uid int, inode string, ok bool) {
	const local, status, user, node = 1, 3, 7, 9
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) <= node || f[status] != "0A" { // TCP_LISTEN
			continue
		}
		addr, hex, _ := strings.Cut(f[local], ":")
		if n, err := strconv.ParseUint(hex, 16, 16); err != nil || int(n) != port || !inTheWay[addr] {
			continue
		}
		uid, err := strconv.Atoi(f[user])
		return uid, f[node], err == nil
	}
	return 0, "", false
}

// holder looks for the process that holds a socket; other users' processes
// cannot be looked into.
func holder(inode string) (int, string) {
	fds, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err != nil || to != "socket:["+inode+"]" {
			continue
		}
		pid, err := strconv.Atoi(strings.Split(fd, "/")[2])
		if err != nil {
			continue
		}
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
		return pid, strings.TrimSpace(string(name))
	}
	return 0, ""
}
