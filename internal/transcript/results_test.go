package transcript

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResults(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	lines := []string{
		`{"type":"user","message":{"role":"user","content":"why \"tool_use_id\": \"c1\""}}`,
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"c1","type":"tool_result","content":"one"}]},"toolUseResult":{"stdout":"the original"}}`,
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"c9","type":"tool_result","content":"not wanted"}]}}`,
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id" : "c2","type":"tool_result","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}]}}`,
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"c1","type":"tool_res`,
		`{"type":"assistant","message":{"role":"assistant","content":[{"tool_use_id":"c1","type":"tool_result","content":"no"}]}}`,
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"c9","type":"tool_result","content":"x"},{"tool_use_id":"c3","type":"tool_result","content":""}]}}`,
		strings.Repeat("x", maxLine+1),
		`{"type":"user","message":{"role":"user","content":[{"tool_use_id":"c3","type":"tool_result","content":"last"}]}}`,
	}
	write := func(path, content string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write(path, strings.Join(lines, "\n"))
	write(filepath.Join(dir, "s", "subagents", "agent-a1.jsonl"), lines[1])
	want := func(id string) bool { return id == "c1" || id == "c2" || id == "c3" }
	read := func(ctx context.Context, path, agent string) (got []Result, last error) {
		for r, err := range Results(ctx, path, agent, want) {
			if last = err; err == nil {
				got = append(got, r)
			}
		}
		return got, last
	}
	got, err := read(t.Context(), path, "")
	if diff := cmp.Diff([]Result{{"c1", "one"}, {"c2", "a\nb"}, {"c3", ""}, {"c3", "last"}}, got); diff != "" || err != nil {
		t.Errorf("Results: %v (-want +got):\n%s", err, diff)
	}
	if got, err := read(t.Context(), path, "a1"); err != nil || len(got) != 1 {
		t.Errorf("of a subagent: %v, %v, want one", got, err)
	}
	for _, c := range []struct{ path, agent string }{{path + "x", ""}, {path, "../s"}, {dir, ""}, {"relative", ""}} {
		if got, err := read(t.Context(), c.path, c.agent); err == nil || got != nil {
			t.Errorf("Results(%q, %q) = %v, %v, want an error", c.path, c.agent, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := read(ctx, path, ""); !errors.Is(err, context.Canceled) || got != nil {
		t.Errorf("cancelled: %v, %v", got, err)
	}
}
