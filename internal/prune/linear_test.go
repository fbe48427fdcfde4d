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
func TestLinear(t *testing.T) {
	const size = 300 << 10
	for _, unit := range []string{
		"x", "x\n", "\n", "\x1b", "\x1b[31mx\x1b[0m\n", "abc\r", `{"id":0,"v":"xxxx"},`, "1:1:", "<<ccr:",
		"error: x\n", "  1) error\n     deep\n", "Traceback (most recent call last):\n", "  File x\n",
		"+ Exception Group Traceback (most recent call last):\n", "goroutine 1 [running]:\n", "   at a.b(c:1)\n",
		"  at a.b(c:1)\nCaused by: x\n", "--- FAIL: TestX\n    a\n", "____ a ____\n", "____ a ____\n----- Captured x -----\n",
		"<persisted-output>\n", "<system-reminder>\n", "x </system-reminder>\n", "@@ -1,9999 +1,9999 @@\n",
		"@@ -1,9999 +1,9999 @@\n+a\n b\n", "--- a\n+++ b\n@@ -1 +1 @@\n", "index a\n", "⎯⎯⎯ error\n", "a:1:2-3-4:5:6\n",
		"commit " + strings.Repeat("a", 40) + "\n", "thread 'a' panicked at x\n", "WARNING: DATA RACE\n", "## a\nb\n",
		"stack backtrace:\n", "---- a ----\n", "a.rb:1:in `b'\n", "panic: x\n", "  ● a\n    b\n", "src/a/b.go\n", "=== RUN x\n",
	} {
		src := strings.Repeat(unit, size/len(unit)) + "\nend\n"
		start := time.Now()
		for _, tool := range fuzzTools[:4] {
			in := plain()
			in.Tool, in.Text = tool, src
			res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
		}
		New(Fake{}, Options{}).Prune(context.Background(), savedInput(src))
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%d KB of %.40q took %v", size>>10, unit, d)
		}
	}
}
