package decisions

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func line(call string) string {
	return fmt.Sprintf(`{"t":"2026-11-30T08:00:00Z","call":%q,"in":1,"shown":1,"out":1}`+"\n", call)
}

// follow starts a follower and returns what hands on its next call's name.
func follow(t *testing.T, path string, n int) func() string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan string)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for r, err := range Follow(ctx, path, n, time.Millisecond) {
			name := r.Call
			if err != nil {
				name = err.Error()
			}
			select {
			case got <- name:
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return func() string {
		t.Helper()
		select {
		case s := <-got:
			return s
		case <-time.After(10 * time.Second):
			t.Fatal("nothing came")
			return ""
		}
	}
}

func appendTo(t *testing.T, path, s string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	do(t, err)
	_, err = f.WriteString(s)
	do(t, err)
	do(t, f.Close())
}

func want(t *testing.T, next func() string, calls ...string) {
	t.Helper()
	for _, c := range calls {
		if got := next(); got != c {
			t.Fatalf("next = %s, want %s", got, c)
		}
	}
}

func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	appendTo(t, path+".1", line("a")+line("b"))
	appendTo(t, path, line("c"))
	next := follow(t, path, 2)
	want(t, next, "b", "c")
	appendTo(t, path, line("d"))
	want(t, next, "d")
	// Half a line waits for its end.
	l := line("e")
	appendTo(t, path, l[:20])
	appendTo(t, path, l[20:])
	want(t, next, "e")
	// Set aside with a line that was not read yet.
	appendTo(t, path, line("f"))
	do(t, os.Rename(path, path+".1"))
	appendTo(t, path, line("g"))
	want(t, next, "f", "g")
	// Removed and made anew.
	do(t, os.Remove(path))
	appendTo(t, path, line("h"))
	want(t, next, "h")
}

func TestFollowBeforeThereIsALog(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	next := follow(t, path, 5)
	appendTo(t, path, line("a"))
	want(t, next, "a")
	appendTo(t, path, "no record\n"+line("b"))
	want(t, next, ErrLine.Error(), "b")
}

func TestLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if rs, err := Last(path, 5); len(rs) != 0 || err != nil {
		t.Errorf("without a log: %v, %v", rs, err)
	}
	appendTo(t, path+".2", line("a")+line("b"))
	appendTo(t, path+".1", line("c")+"torn\n"+line("d"))
	for _, present := range []bool{false, true} {
		want := []string{"a", "b", "c", "d"}
		if present {
			appendTo(t, path, line("e")+line("f"))
			want = append(want, "e", "f")
		}
		for n := range len(want) + 2 {
			rs, err := Last(path, n)
			do(t, err)
			var got []string
			for _, r := range rs {
				got = append(got, r.Call)
			}
			if want := want[max(0, len(want)-n):]; !slices.Equal(got, want) {
				t.Errorf("Last %d = %v, want %v", n, got, want)
			}
		}
	}
}

func TestLongLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	appendTo(t, path, line("a")+strings.Repeat("x", maxLine+100)+"\n"+line("b"))
	rs, bad := read(t, path)
	var calls []string
	for _, r := range rs {
		calls = append(calls, r.Call)
	}
	if !slices.Equal(calls, []string{"a", "b"}) || bad != 1 {
		t.Errorf("records %v, %d bad lines, want a, b and 1", calls, bad)
	}
}
