package propose

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"winnow/internal/prune"
	"winnow/internal/text"
)

func ask(tool, command, request, out string) []prune.Fold {
	in, _ := json.Marshal(map[string]string{"command": command})
	return Repeats(prune.Input{Task: prune.Task{Request: request}, Tool: prune.Tool{Name: tool, Input: in}}, text.Split(out))
}

func passed(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "--- PASS: TestOrder%03d (0.00s)\n", i)
	}
	return b.String() + "PASS\nok  \tshop\t0.41s"
}

func TestRepeats(t *testing.T) {
	code := strings.Repeat("func add(a, b int) int { return a + b }\n", 60)
	for name, tc := range map[string]struct {
		tool, command, out string
		want               bool
	}{
		"passed tests":     {"Bash", "go test -v ./...", passed(60), true},
		"source of a file": {"Bash", "cat add.go", "package add\n\n" + code, false},
		"a few lines":      {"Bash", "go test -v ./...", passed(3), false},
		"nothing":          {"Bash", "true", "", false},
	} {
		runs := ask(tc.tool, tc.command, "why does the checkout time out?", tc.out)
		if (len(runs) > 0) != tc.want {
			t.Errorf("%s: %v", name, runs)
		}
		last, n := -1, text.Split(tc.out).Len()
		for _, r := range runs {
			if r.Start <= last || r.End < r.Start || r.End >= n {
				t.Errorf("%s: run %+v after line %d of %d", name, r, last, n)
			}
			last = r.End
		}
	}
}

// What the task or the call names is no mere repetition.
func TestNamedStays(t *testing.T) {
	const at = 31
	for _, r := range ask("Bash", "go test -v ./...", "does TestOrder031 still run?", passed(60)) {
		if r.Start <= at && at <= r.End {
			t.Errorf("run %+v hides the line that the task names", r)
		}
	}
}
