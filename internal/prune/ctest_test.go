package prune

import (
	"fmt"
	"strings"
	"testing"
)

// Ways to fail that name no failure word, each among lines that the judge would
// drop.
func TestLoneFailures(t *testing.T) {
	for _, line := range []string{
		" 98/300 Test # 98: bad ........***Timeout 1500.01 sec",
		" 98/300 Test # 98: bad ........***Not Run   0.00 sec",
		"service bad: unhealthy", "interrupted by signal 11", "output did not match golden file",
	} {
		var b strings.Builder
		for i := range 120 {
			fmt.Fprintf(&b, "%3d/300 Test #%3d: unit%d ........   Passed    0.01 sec\n", i, i, i)
			if i == 60 {
				b.WriteString(line + "\n")
			}
		}
		in := Input{Task: Task{Request: "Run the tests and tell me whether anything is wrong."}, CanRecall: true,
			Tool: Tool{Name: "Bash", Input: []byte(`{"command":"ctest"}`)}, Text: b.String()}
		res := New(Fake{}, Options{AllowNothing: true}).Prune(t.Context(), in)
		if res.Reason != Pruned || !strings.Contains(res.Text, line) {
			t.Errorf("%q: reason %s, line kept %v", line, res.Reason, strings.Contains(res.Text, line))
		}
	}
}
