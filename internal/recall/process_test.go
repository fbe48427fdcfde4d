package recall

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	bolt "go.etcd.io/bbolt"

	"winnow/internal/marker"
)

// TestMain is also the second process of the tests below.
func TestMain(m *testing.M) {
	if path := os.Getenv("RECALL_TEST_WRITER"); path != "" {
		writer(path)
		return
	}
	os.Exit(m.Run())
}

// writer puts originals into the store for ever and says each key once its Put
// has returned.
func writer(path string) {
	s, err := Open(path, Options{})
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	if step := os.Getenv("RECALL_TEST_STEP"); step != "" {
		go compactor(s, step)
	}
	for i := 0; ; i++ {
		it := item(fmt.Sprintf("original %d of %d\n", i, os.Getpid())+noise(i%5000), Issue{Session: "s", Loop: "main", ToolUseID: fmt.Sprint("t", i)})
		if err := s.Put([]Item{it}); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		fmt.Println(it.Issue.Key)
	}
}

// compactor compacts over and over once there is something to copy; at the step
// that is named it ends the process at once.
func compactor(s *Store, step string) {
	s.step = func(at string, _ *copying) {
		if at == step {
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		}
	}
	for {
		if s.view(func(tx *bolt.Tx) error {
			if tx.Bucket(bIssues).Sequence() < 50 {
				return errors.New("not yet")
			}
			return nil
		}) != nil {
			continue
		}
		if err := s.Compact(context.Background()); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}
}

// key reads one line of a writer.
func key(t *testing.T, line string) marker.Key {
	t.Helper()
	if strings.HasPrefix(line, "error") {
		t.Fatalf("writer said %q", line)
	}
	return marker.Key(line)
}

// read reads all that a writer says until it ends.
func read(t *testing.T, lines *bufio.Scanner) (keys []marker.Key) {
	t.Helper()
	for lines.Scan() {
		if line := lines.Text(); len(line) == marker.KeyLen { // the last may be cut off
			keys = append(keys, key(t, line))
		} else {
			key(t, line)
		}
	}
	return keys
}

// startWriter starts the second process and returns its words. The test ends
// it, at the latest.
func startWriter(t *testing.T, path string, env ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe, err := os.Executable()
	do(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(append(os.Environ(), "RECALL_TEST_WRITER="+path), env...)
	out, err := cmd.StdoutPipe()
	do(t, err)
	do(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return cmd, bufio.NewScanner(out)
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	cmd, keys := startWriter(t, path)
	if !keys.Scan() {
		t.Fatalf("writer said nothing: %v", keys.Err())
	}
	began := time.Now()
	s, err := Open(path, Options{Timeout: 100 * time.Millisecond})
	if !errors.Is(err, ErrLocked) {
		t.Fatalf("Open beside another process = %v, %v; want %v", s, err, ErrLocked)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("Open took %v", d)
	}
	if _, err := os.Stat(path + ".damaged-1"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a locked file was set aside: %v", err)
	}
	do(t, cmd.Process.Kill())
	if s, err = Open(path, Options{Timeout: 10 * time.Second}); err != nil {
		t.Fatalf("Open after the other's end: %v", err)
	}
	do(t, s.Close())
}

// B160: what was acknowledged before a kill -9 is there after it.
func TestKilledWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	var acked []marker.Key
	for round := range 8 {
		cmd, keys := startWriter(t, path)
		for range 5 + round*3 {
			if !keys.Scan() || strings.HasPrefix(keys.Text(), "error") {
				t.Fatalf("round %d: writer said %q, %v", round, keys.Text(), keys.Err())
			}
			acked = append(acked, marker.Key(keys.Text()))
		}
		do(t, cmd.Process.Kill())
		_ = cmd.Wait()
		s, err := Open(path, Options{Timeout: 10 * time.Second})
		do(t, err)
		if s.Damaged() != "" {
			t.Errorf("round %d: file was damaged", round)
		}
		for _, k := range acked {
			if _, err := s.Get(k); err != nil {
				t.Errorf("round %d: Get(%s) = %v", round, k, err)
			}
		}
		do(t, s.Close())
	}
}

// B158: on some network file systems the lock call never returns.
func TestHangingLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	let, closed := make(chan struct{}), make(chan struct{})
	f, err := openWithin(time.Millisecond, func() (*file, error) {
		defer close(closed)
		<-let
		return openFile(path, Options{Timeout: time.Second})
	})
	if f != nil || !errors.Is(err, ErrLocked) {
		t.Fatalf("openWithin = %v, %v; want %v", f, err, ErrLocked)
	}
	// When the call does return, the late file is given back.
	close(let)
	<-closed
	s, err := Open(path, Options{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatalf("Open after the late opening: %v", err)
	}
	do(t, s.Close())
}

func TestUseAfterClose(t *testing.T) {
	s, err := Open(filepath.Join(t.TempDir(), FileName), Options{NoSync: true})
	do(t, err)
	it := item("x", Issue{Session: "s", Loop: "main", ToolUseID: "t"})
	do(t, s.Close())
	do(t, s.Close())
	if _, err := s.Get(it.Issue.Key); !errors.Is(err, ErrClosed) {
		t.Errorf("Get = %v, want %v", err, ErrClosed)
	}
	if err := s.Put([]Item{it}); !errors.Is(err, ErrClosed) {
		t.Errorf("Put = %v, want %v", err, ErrClosed)
	}
	if s.Live(it.Issue.Key) || s.Offered("s", "main") || len(s.CutCalls("s", "main")) > 0 {
		t.Error("a closed store knows things")
	}
}

func TestManyAtOnce(t *testing.T) {
	s := openTest(t, filepath.Join(t.TempDir(), FileName))
	s.o.Now = time.Now // the ticking clock is for one reader
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			loop := fmt.Sprint("loop", g%2)
			for i := range 25 {
				id := fmt.Sprintf("t%d.%d", g, i)
				it := item(fmt.Sprint("shared ", i), Issue{First: 1, Session: "s", Loop: loop, ToolUseID: id})
				put(t, s, it, item(id, Issue{Session: "s", Loop: loop, ToolUseID: id}))
				if got, err := s.Get(it.Issue.Key); err != nil || got != it.Text {
					t.Errorf("Get = %q, %v", got, err)
				}
				if !s.CutCalls("s", loop)[id] || !s.Live(it.Issue.Key) {
					t.Errorf("%s: cut or live not seen after Put", id)
				}
				if err := errors.Join(s.Offer("s", id), s.Recalled(RecallEvent{Key: it.Issue.Key})); err != nil || !s.Offered("s", id) {
					t.Errorf("%s: %v", id, err)
				}
			}
		})
	}
	wg.Wait()
	if pruned, recalled, err := s.Counts(); pruned != 225 || recalled != 25 || err != nil {
		t.Errorf("Counts = %d, %d, %v; want 225, 25", pruned, recalled, err)
	}
	for _, loop := range []string{"loop0", "loop1"} {
		if n := len(s.CutCalls("s", loop)); n != 100 {
			t.Errorf("%d cut calls in %s, want 100", n, loop)
		}
	}
}
