package peer

import "fmt"

// Process is a process as far as this user may look; zero fields are unknown.
type Process struct {
	Pid  int
	Name string
	// UID is the owner's, -1 where unknown.
	UID int
}

func (p Process) String() string {
	switch {
	case p.Pid > 0 && p.Name != "":
		return fmt.Sprintf("%s (pid %d)", p.Name, p.Pid)
	case p.Pid > 0:
		return fmt.Sprintf("pid %d", p.Pid)
	case p.UID >= 0:
		return fmt.Sprintf("a process of uid %d", p.UID)
	}
	return "a process unknown to us"
}

// Listener says who listens at a TCP port in a way that keeps 127.0.0.1:port
// from us. ok is false where nobody does or the system does not tell.
func Listener(port int) (p Process, ok bool) { return listener(port) }
