//go:build e2e

package e2e

import (
	"os"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// busy drives a session in which a prompt is typed while a command runs, and
// returns the request after it.
func busy(t *testing.T, l *lab.Lab, command, typed string) mockapi.Request {
	t.Helper()
	l.API.Script("busy",
		mockapi.Use("I wait.", mockapi.Call{Name: "Bash", Input: map[string]any{"command": "until [ -e go ]; do sleep 0.05; done; " + command, "description": "wait"}}),
		mockapi.Say("Both done."))
	term := l.Terminal([]string{"Bash"})
	term.Until("the prompt is there", func() bool { return strings.Contains(term.Screen(), "❯") })
	term.Type("Wait for it. [[script:busy]]")
	term.Until("the command runs", func() bool { return len(l.API.Requests("busy")) == 1 && strings.Contains(term.Screen(), "I wait.") })
	term.Type(typed)
	if err := os.WriteFile(l.Project+"/go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	term.Await("Both done.", 0)
	return l.API.Requests("busy")[1]
}

func TestBaselineTyped(t *testing.T) {
	l := plain(t)
	r := busy(t, l, "echo finished", "and look at the colours")
	if got := r.Last().Result(); got != "finished" {
		t.Errorf("result = %q", got)
	}
	if !strings.Contains(string(r.Raw), "and look at the colours") {
		t.Errorf("the typed prompt is not in the next request")
	}
}
