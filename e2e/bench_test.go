//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// benchRows is how many tool calls, one after another, a measured session makes.
const benchRows = 30

// TestBenchRow measures what the mod adds to a row: the time from one request
// to the next of a session that runs the same command again and again, with the
// client alone and with winnow. It prints Go benchmark lines and asserts
// nothing; it runs only with E2E_BENCH=1.
func TestBenchRow(t *testing.T) {
	if os.Getenv("E2E_BENCH") == "" {
		t.Skip("E2E_BENCH is not set")
	}
	for _, size := range []struct {
		name, command string
	}{
		{"1KB", "seq -f 'row %06g of a listing' 1 45"},
		{"25KB", "seq -f 'row %06g of a listing' 1 1100"},
	} {
		benchRow(t, "winnow=no/size="+size.name, size.command, plain(t))
		for _, mode := range []string{"shadow", "active"} {
			l := with(t, "WINNOW_MODE="+mode+"\nWINNOW_JUDGE=onnx\nWINNOW_PORT=0\n")
			benchRow(t, "winnow="+mode+"/size="+size.name, size.command, l)
		}
	}
}

func benchRow(t *testing.T, name, command string, l *lab.Lab) {
	t.Helper()
	var steps []mockapi.Step
	for i := range benchRows { // each call another one, or it would be a repeat
		steps = append(steps, mockapi.Use("Next.", bash(fmt.Sprintf("%s # %d", command, i))))
	}
	reqs, _ := play(t, l, lab.Run{}, steps...)
	var gaps []time.Duration
	for i := 2; i < len(reqs); i++ { // the first call warms everything up
		gaps = append(gaps, reqs[i].At.Sub(reqs[i-1].At))
	}
	slices.Sort(gaps)
	fmt.Printf("BenchmarkRow/%s \t%8d\t%12d ns/op\n", name, len(gaps), gaps[len(gaps)/2].Nanoseconds())
}
