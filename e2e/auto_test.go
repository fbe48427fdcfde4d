//go:build e2e

package e2e

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
)

// Who sets nothing has shell commands pruned by the shipped judge, and what is
// read only judged.
func TestDefaults(t *testing.T) {
	raw, err := os.ReadFile("../testdata/run/hook.json")
	if err != nil {
		t.Fatal(err)
	}
	var captured struct {
		Response struct{ Stdout string } `json:"tool_response"`
	}
	if err := json.Unmarshal(raw, &captured); err != nil {
		t.Fatal(err)
	}
	l := with(t, "WINNOW_PORT=0\n")
	l.Write("go.txt", captured.Response.Stdout)
	l.Write("go", "#!/bin/sh\ncat go.txt\n")
	reqs, _ := play(t, l, lab.Run{Prompt: "Why do entries of the session store outlive their expiry after a restart? Find the test that covers it."},
		mockapi.Use("I run the tests.", bash("sh ./go test -v ./...")), mockapi.Use("I look again.", bash("cat go.txt")))
	wantCut(t, l, reqs[1].Last().Result(), strings.TrimSuffix(captured.Response.Stdout, "\n"))
	// What is read is not judged; what of it was shown a moment ago is not repeated.
	again := reqs[2].Last().Result()
	if n := strings.Count(again, ": unchanged, shown 1 call ago"); n == 0 || n != len(keys(again)) {
		t.Errorf("of what was read %d of %d gaps are references: %.300s", n, len(keys(again)), again)
	}
	if got := restore(t, l, again); got != strings.TrimSuffix(captured.Response.Stdout, "\n") {
		t.Errorf("with the lines put back it is\n%.300s", got)
	}
	if n := reasons(l)["active.pruned"]; n != 1 {
		t.Errorf("%d results pruned, want 1: %v", n, reasons(l))
	}
}
