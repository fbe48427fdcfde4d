//go:build e2e

package e2e

import (
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// TestBaseline shows that the harness carries: without winnow the next request
// holds what the tool printed, and nothing else changes.
func TestBaseline(t *testing.T) {
	l := plain(t)
	l.Write("a.txt", "one\ntwo\n")
	l.API.Script("base",
		mockapi.Use("I list.", mockapi.Call{Name: "Bash", Input: map[string]any{"command": "echo hello; ls", "description": "list"}}),
		mockapi.Use("I read.", mockapi.Call{Name: "Read", Input: map[string]any{"file_path": l.Project + "/a.txt"}}),
		mockapi.Say("All seen."))
	d := l.Do(lab.Run{Prompt: "List and read. [[script:base]]", Allow: []string{"Bash", "Read"}})
	if d.Result.Result != "All seen." {
		t.Errorf("result = %q", d.Result.Result)
	}
	reqs := l.API.Requests("base")
	if len(reqs) != 3 {
		t.Fatalf("requests = %d, want 3", len(reqs))
	}
	if got := reqs[1].Last().Result(); got != "hello\na.txt" {
		t.Errorf("Bash result = %q", got)
	}
	if got := reqs[2].Last().Result(); !strings.Contains(got, "1\tone\n2\ttwo") {
		t.Errorf("Read result = %q", got)
	}
	t.Logf("wall %v, end %v after the result", d.Wall, d.After)
}
