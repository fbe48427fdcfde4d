package main

import (
	"log/slog"
	"os"
	"os/exec"
	"sync"

	"winnow/internal/api"
	"winnow/internal/door"
	"winnow/internal/hook"
	"winnow/internal/host"
	"winnow/internal/mcp"
	"winnow/internal/state"
)

// recallWays finds out how agents at the hook door can recall.
func recallWays() *host.Recaller {
	home, _ := os.UserHomeDir()
	return &host.Recaller{
		Managed: host.ManagedDir(), Home: home, Server: mcp.Server, Tool: mcp.Tool,
		Command: func() bool { _, err := exec.LookPath("winnow"); return err == nil },
	}
}

// hookHint tells the agent of a payload how to recall, "" where it cannot. Why it
// cannot is logged once a session.
func hookHint(log *slog.Logger) func(*hook.Event) string {
	ways := recallWays()
	var mu sync.Mutex // guards told
	told := map[string]string{}
	return func(e *hook.Event) string {
		way, why := ways.Way(host.Session{ID: e.SessionID, Transcript: e.TranscriptPath, Cwd: e.Cwd, Mode: e.PermissionMode, AgentType: e.AgentType})
		switch way {
		case host.ByTool:
			return door.ToolHint
		case host.ByCommand:
			return door.CommandHint
		}
		mu.Lock()
		defer mu.Unlock()
		if told[e.SessionID] != why {
			if len(told) > 1000 {
				clear(told)
			}
			told[e.SessionID] = why
			log.Info("nothing is hidden at the hook door: the agent could not recall", "session", e.SessionID, "why", why)
		}
		return ""
	}
}

// greetings are the sessions that loaded the mod before this daemon came.
func greetings(dir state.Dir) []api.Hello {
	hs, err := dir.ReadHellos()
	if err != nil {
		return nil
	}
	return hs
}
