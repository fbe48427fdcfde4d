package lock

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// StartTime returns the start time from the kernel's process table, or "" when
// there is no such process.
func StartTime(pid int) string {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || k == nil {
		return ""
	}
	t := k.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", t.Sec, t.Usec)
}
