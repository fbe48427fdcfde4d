package prune

import (
	"context"
	"strings"
	"testing"
	"time"
)

// No text may make a rule look at the same lines again and again: B064 froze a
// client with one long line, and a rule that scans to the end for each of its
// openings does the same with many.
// Eight times the text may take three times eight times as long, measured
// again before it counts: the machine may be busy.
func TestLinear(t *testing.T) {
	const size = 40 << 10
	for _, unit := range []string{
		"x", "x\n", "\n", "\x1b", "\x1b[31mx\x1b[0m\n", "abc\r", `{"id":0,"v":"xxxx"},`, "1:1:", "<<ccr:",
		"error: x\n", "  1) error\n     deep\n", "Traceback (most recent call last):\n", "  File x\n",
		"+ Exception Group Traceback (most recent call last):\n", "goroutine 1 [running]:\n", "   at a.b(c:1)\n",
		"  at a.b(c:1)\nCaused by: x\n", "--- FAIL: TestX\n    a\n", "____ a ____\n", "____ a ____\n----- Captured x -----\n",
		"<persisted-output>\n", "<system-reminder>\n", "x </system-reminder>\n", "@@ -1,9999 +1,9999 @@\n",
		"@@ -1,9999 +1,9999 @@\n+a\n b\n", "--- a\n+++ b\n@@ -1 +1 @@\n", "index a\n", "⎯⎯⎯ error\n", "a:1:2-3-4:5:6\n",
		"commit " + strings.Repeat("a", 40) + "\n", "thread 'a' panicked at x\n", "WARNING: DATA RACE\n", "## a\nb\n",
		"stack backtrace:\n", "---- a ----\n", "a.rb:1:in `b'\n", "panic: x\n", " > [2/3] RUN x:\n", "  ● a\n    b\n", "src/a/b.go\n", "=== RUN x\n",
		"a.go:1:2: x\n", "a.go:1: x\n  y\n", " --> a:1\n |\n", "a:1\nb\n ^\n", "> > >   at a.b(c:1)\n", "+panic: x\n",
		"a: Traceback (most recent call last):\nb\n", "a:   at b.c(d:1)\nb:   at b.c(d:1)\n", "  File \"a\", line 1\n", "f()\n\t/a.go:1\n",
		"--- FAIL: TestX (0.00s)\n=== CONT  TestX\nx\n", "    --- FAIL: TestX\n        a\n", "not ok 1\n  a\n", "⎯⎯⎯\nFAIL\n",
		"x truncated [", "... 3 lines\n", "3 passed, 1 failed\n", "<<<<<<< a\n", "<<<<<<< a\n=======\n", "<system-reminder a=\"b\">\n",
		"HTTP/1.1 503 ", "E/Tag: x\n", "....F\n",
	} {
		for _, tool := range []Tool{fuzzTools[0], fuzzTools[3]} {
			var small, big time.Duration
			for range 5 {
				small, big = timeUnits(t, tool, unit, size), timeUnits(t, tool, unit, 8*size)
				if big < 100*time.Millisecond || big < 24*small {
					break
				}
			}
			if big >= 100*time.Millisecond && big >= 24*small {
				t.Errorf("%s: %.40q took %v, and eight times of it %v", tool.Name, unit, small, big)
			}
		}
	}
}

func timeUnits(t *testing.T, tool Tool, unit string, size int) time.Duration {
	in := plain()
	in.Tool, in.Text = tool, strings.Repeat(unit, size/len(unit))+"\nend\n"
	start := time.Now()
	res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
	d := time.Since(start)
	checkResult(t, in, res)
	start = time.Now()
	in.Saved = &Saved{Path: "/p", Size: int64(len(in.Text))}
	New(Fake{}, Options{}).Prune(context.Background(), in)
	return d + time.Since(start)
}
