//go:build cgo

package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"winnow/internal/text"
)

// mostResident is what one judgement may take, in kB, the model and all of this
// test's own included.
const mostResident = 400 << 10

// The largest text that prune has judged stays within bounds. Memory is a
// process's own, so another one tells.
func TestMemory(t *testing.T) {
	if runtime.GOOS != "linux" || raced() {
		t.Skip("needs Linux and a build without the race detector")
	}
	open(t, Options{})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WINNOW_TEST_MEMORY="+cacheDir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("child: %v, %s", err, out)
	}
	peak, err := strconv.Atoi(string(out))
	if err != nil || peak > mostResident {
		t.Errorf("judging 2 MB took %s kB, want at most %d", out, mostResident)
	}
}

func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// memoryChild judges 2 MB and prints the most memory that it ever had, in kB.
func memoryChild() {
	m, err := Open(context.Background(), Options{CacheDir: os.Getenv("WINNOW_TEST_MEMORY")})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	defer m.Close()
	d := text.Split(strings.Repeat(strings.Repeat("some words of a line ", 8)+"\n", 2<<20/169))
	if _, err := m.Score(context.Background(), query, d); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Printf("%s", regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status)[1])
}

// A text of more lines than that is refused before anything is made of it.
func TestTooManyLines(t *testing.T) {
	m := open(t, Options{})
	for _, src := range []string{strings.Repeat("\n", maxLines), strings.Repeat("a\n", 1<<20)} {
		got, err := m.Score(t.Context(), query, text.Split(src))
		if !errors.Is(err, ErrLong) || got.Line != nil {
			t.Errorf("Score of %d bytes = %d scores, %v, want ErrLong", len(src), len(got.Line), err)
		}
	}
}
