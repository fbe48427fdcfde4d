package main

import (
	"os"
	"strings"
	"time"
)

// aheadFile is the variable by which a test lets time pass in a daemon of its own:
// the file that it names holds how far ahead of the system's clock that is, as
// "61m". Nobody else sets it.
const aheadFile = "WINNOW_TEST_AHEAD"

// daemonClock is the clock that a daemon goes by; nil is the real one.
func daemonClock() func() time.Time {
	path := os.Getenv(aheadFile)
	if path == "" {
		return nil
	}
	return func() time.Time {
		raw, _ := os.ReadFile(path)
		ahead, _ := time.ParseDuration(strings.TrimSpace(string(raw)))
		return time.Now().Add(ahead)
	}
}
