package lock

import (
	"fmt"
	"os"
	"strings"
)

// StartTime returns field 22 of /proc/PID/stat (clock ticks since boot), or ""
// when there is no such process. See proc_pid_stat(5).
func StartTime(pid int) string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	s := string(b)
	i := strings.LastIndexByte(s, ')') // the command name may hold blanks and brackets
	f := strings.Fields(s[i+1:])
	if i < 0 || len(f) < 20 || f[0] == "Z" { // a zombie runs no more
		return ""
	}
	return f[19]
}
