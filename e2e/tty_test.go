//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// busy types a prompt while a command runs, then lets the agent go through
// steps, and returns the request after the last of them.
func busy(t *testing.T, l *lab.Lab, typed string, steps ...mockapi.Step) mockapi.Request {
	t.Helper()
	all := append([]mockapi.Step{mockapi.Use("I wait.", bash("until [ -e go ]; do sleep 0.05; done; echo finished"))}, steps...)
	l.API.Script("busy", append(all, mockapi.Say("Both done."))...)
	term := l.Terminal([]string{"Bash", "Read"})
	term.Until("the prompt is there", func() bool { return strings.Contains(term.Screen(), "❯") })
	term.Type("Wait for the shelves. [[script:busy]]")
	term.Until("the command runs", func() bool { return len(l.API.Requests("busy")) == 1 && strings.Contains(term.Screen(), "I wait.") })
	term.Type(typed)
	if err := os.WriteFile(l.Project+"/go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	term.Await("Both done.", 0)
	return l.API.Requests("busy")[len(all)]
}

func TestBaselineTyped(t *testing.T) {
	r := busy(t, plain(t), "and look at the colours")
	if got := r.Last().Result(); got != "finished" {
		t.Errorf("result = %q", got)
	}
	if !strings.Contains(string(r.Raw), "and look at the colours") {
		t.Errorf("the typed prompt is not in the next request")
	}
}
