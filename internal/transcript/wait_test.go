package transcript

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWait(t *testing.T) {
	held := file(t, prompt("first thing"), uses("t1", "Bash", `{}`), result("t1", "x"), `{"half`)
	for name, tc := range map[string]struct {
		path string
		o    Options
		want bool
	}{
		"there":                        {held, Options{ToolUseID: "t1"}, true},
		"never":                        {held, Options{ToolUseID: "t2"}, false},
		"part of an id":                {held, Options{ToolUseID: "t"}, false},
		"named by its result only":     {file(t, result("t1", "x"), says("about t1")), Options{ToolUseID: "t1"}, false},
		"no file, no folder":           {filepath.Join(t.TempDir(), "a", "b.jsonl"), Options{ToolUseID: "t1"}, false},
		"no call to wait for":          {held, Options{}, false},
		"a path of another machine":    {`C:\x.jsonl`, Options{ToolUseID: "t1"}, false},
		"a subagent without a file":    {held, Options{ToolUseID: "t1", AgentID: "a1"}, false},
		"an agent id that is no name":  {held, Options{ToolUseID: "t1", AgentID: "../x"}, false},
		"a folder instead of the file": {t.TempDir(), Options{ToolUseID: "t1"}, false},
	} {
		if got := Wait(t.Context(), tc.path, tc.o, time.Millisecond); got != tc.want {
			t.Errorf("%s: Wait = %v, want %v", name, got, tc.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if Wait(ctx, held, Options{ToolUseID: "t2"}, time.Hour) {
		t.Error("Wait under a cancelled context = true")
	}
}

// The entry comes while somebody waits: into a file, or with file and folder.
func TestWaitForLaggingFile(t *testing.T) {
	path := file(t, prompt("first thing"))
	sub := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents", "agent-a1.jsonl")
	for name, tc := range map[string]struct {
		o     Options
		write func() error
	}{
		"appended in two parts": {Options{ToolUseID: "t1"}, func() error {
			line := uses("t1", "Bash", `{}`)
			return appendTo(path, line[:20], line[20:])
		}},
		"a subagent's first": {Options{ToolUseID: "t2", AgentID: "a1"}, func() error {
			if err := os.MkdirAll(filepath.Dir(sub), 0o700); err != nil {
				return err
			}
			return appendTo(sub, uses("t2", "Bash", `{}`))
		}},
	} {
		got := make(chan bool)
		go func() { got <- Wait(t.Context(), path, tc.o, time.Minute) }()
		if err := tc.write(); err != nil {
			t.Fatal(err)
		}
		if !<-got {
			t.Errorf("%s: Wait = false", name)
		}
	}
}

func appendTo(path string, parts ...string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, p := range parts {
		if _, err := f.WriteString(p); err != nil {
			return err
		}
	}
	return nil
}
