//go:build e2e

package lab

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// TTY is the interactive client on a terminal of its own.
type TTY struct {
	l   *Lab
	cmd *exec.Cmd
	pty *os.File
	end chan struct{} // closed when the reader has seen the end

	mu sync.Mutex // guards the fields below
	// raw is what was printed and not yet made readable, screen what was.
	raw    []byte
	screen strings.Builder
	blank  bool // screen ends in a blank
}

// Terminal starts the interactive client. Its first-run questions are answered
// beforehand. It is ended with the test.
func (l *Lab) Terminal(allow []string, args ...string) *TTY {
	l.Helper()
	if l.Plugin != "" {
		l.Plugin = l.copyPlugin()
	}
	l.writeSettings()
	l.writeJSON(".claude.json", map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "numStartups": 5,
		"customApiKeyResponses": map[string]any{"approved": []string{"sk-ant-dummy"}, "rejected": []string{}},
		"projects":              map[string]any{l.Project: map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
	})
	pty, tty, err := openPTY(45, 150)
	if err != nil {
		l.Fatal(err)
	}
	defer tty.Close()
	t := &TTY{l: l, pty: pty, end: make(chan struct{})}
	t.cmd = exec.Command(l.client, append(l.args(allow), args...)...)
	t.cmd.Dir, t.cmd.Env = l.Project, l.environ()
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = tty, tty, tty
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := t.cmd.Start(); err != nil {
		l.Fatal(err)
	}
	go t.read()
	l.Cleanup(t.close)
	return t
}

// openPTY opens a pseudo-terminal of the given size.
func openPTY(rows, cols uint16) (pty, tty *os.File, err error) {
	pty, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(pty.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: cols})
	}
	if err == nil {
		tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		pty.Close()
		return nil, nil, err
	}
	return pty, tty, nil
}

// read keeps the screen's bytes and answers the client's questions about the
// terminal, without which it waits.
func (t *TTY) read() {
	defer close(t.end)
	b := make([]byte, 64<<10)
	for {
		n, err := t.pty.Read(b)
		if err != nil {
			return
		}
		t.mu.Lock()
		t.raw = append(t.raw, b[:n]...)
		t.mu.Unlock()
		if bytes.Contains(b[:n], []byte("\x1b[c")) || bytes.Contains(b[:n], []byte("\x1b[>0q")) {
			t.pty.WriteString("\x1b[?62c")
		}
	}
}

var ansiRE = regexp.MustCompile(`\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]|\x1bP[^\x1b]*\x1b\\`)

// Screen is everything shown so far, without colours and cursor moves. A run of
// blanks is one blank: the client moves the cursor where it could write one.
func (t *TTY) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	ready := t.raw
	// An escape sequence that has only begun waits for its rest.
	if esc := bytes.LastIndexByte(ready, 0x1b); esc >= 0 && len(ready)-esc < 256 && ansiRE.FindIndex(ready[esc:]) == nil {
		ready = ready[:esc]
	}
	for _, c := range ansiRE.ReplaceAll(ready, []byte(" ")) {
		if blank := c <= ' '; !blank {
			t.screen.WriteByte(c)
		} else if !t.blank {
			t.screen.WriteByte(' ')
		}
		t.blank = c <= ' '
	}
	t.raw = append([]byte(nil), t.raw[len(ready):]...)
	return t.screen.String()
}

// Await waits until the screen has shown s, not counting what was there before
// the n-th byte of [TTY.Screen].
func (t *TTY) Await(s string, from int) {
	t.l.Helper()
	t.Until("the screen shows "+strconv.Quote(s), func() bool { sc := t.Screen(); return strings.Contains(sc[min(from, len(sc)):], s) })
}

// Until waits for a condition, half a minute at most.
func (t *TTY) Until(what string, ok func() bool) {
	t.l.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.l.Fatalf("waited in vain until %s; screen ends\n%s", what, tail(t.Screen(), 1500))
		}
	}
}

// Type writes text as a person would; Enter is a key of its own, or the client
// takes the line break for part of a paste.
func (t *TTY) Type(text string) {
	t.l.Helper()
	from := len(t.Screen())
	if _, err := t.pty.WriteString(text); err != nil {
		t.l.Fatal(err)
	}
	t.Await(text[:min(len(text), 40)], from)
	if _, err := t.pty.WriteString("\r"); err != nil {
		t.l.Fatal(err)
	}
}

// Key presses keys, one after another.
func (t *TTY) Key(keys ...string) {
	t.l.Helper()
	for _, k := range keys {
		time.Sleep(300 * time.Millisecond) // the client takes what comes at once for a paste
		if _, err := t.pty.WriteString(k); err != nil {
			t.l.Fatal(err)
		}
	}
}

func (t *TTY) close() {
	t.cmd.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(3*time.Second, func() { t.cmd.Process.Kill() })
	t.cmd.Wait()
	kill.Stop()
	t.pty.Close()
	<-t.end
}

// copyPlugin copies the plugin: an interactive session writes type declarations
// into the folder that it loads.
func (l *Lab) copyPlugin() string {
	l.Helper()
	dir := filepath.Join(l.Root, "plugin")
	for _, d := range []string{".claude-plugin", "hooks"} {
		if err := os.CopyFS(filepath.Join(dir, d), os.DirFS(filepath.Join(l.Repo, d))); err != nil {
			l.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(l.Repo, "bin"), filepath.Join(dir, "bin")); err != nil {
		l.Fatal(err)
	}
	return dir
}
