package transcript

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// payload is what a hook says of a call.
type payload struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	ToolUseID      string `json:"tool_use_id"`
	AgentID        string `json:"agent_id"`
}

// expect is the part of a bug's expectation that is about its task.
type expect struct {
	TaskMust      []string `json:"task_must_contain"`
	TaskMustNot   []string `json:"task_must_not_contain"`
	IntentMust    []string `json:"intent_must_contain"`
	IntentMustNot []string `json:"intent_must_not_contain"`
	Now           string   `json:"now"`
}

func load(t *testing.T, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestReportedBugs reads the transcripts of public reports in which the wrong
// task was found, with the clock of the time.
func TestReportedBugs(t *testing.T) {
	dir, err := filepath.Abs("testdata/bugs")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		id    string
		found bool
		why   string
	}{
		{"B068", true, "characters across chunk borders"},
		{"B071", true, "a subagent's payload names the parent's file"},
		{"B073", false, "the file of a session that ended a month ago"},
		{"B074", true, "the present call is not written yet"},
		{"B076", true, "nobody typed the newest user entries"},
		{"B077", true, "150 KB of tool result after the request"},
		{"B079", true, "a half-written line"},
		{"B080", true, "two writers, times run backwards"},
		{"B082", true, "the ask stands at the head of a long prompt"},
		{"B083", true, "plan mode"},
		{"B085", true, "a bare continue"},
	} {
		t.Run(tc.id, func(t *testing.T) {
			var p payload
			var want expect
			load(t, filepath.Join(dir, tc.id+".hook.json"), &p)
			load(t, filepath.Join(dir, tc.id+".expect.json"), &want)
			now := time.Date(2026, 9, 1, 10, 2, 0, 0, time.UTC)
			if want.Now != "" {
				if now, err = time.Parse(time.RFC3339, want.Now); err != nil {
					t.Fatal(err)
				}
			}
			st, err := Read(t.Context(), strings.Replace(p.TranscriptPath, "{INPUTS}", dir, 1), Options{
				ToolUseID: p.ToolUseID, AgentID: p.AgentID, Session: p.SessionID, Now: func() time.Time { return now },
			})
			if err != nil || st.Found != tc.found {
				t.Fatalf("%s: Read = found %v, %v; want %v", tc.why, st.Found, err, tc.found)
			}
			contains(t, "request", st.Task.Request, task(want.TaskMust), want.TaskMustNot)
			contains(t, "intent", st.Task.Intent, want.IntentMust, append(want.IntentMustNot, want.TaskMustNot...))
			if !utf8.ValidString(st.Task.Request) {
				t.Errorf("request is no UTF-8: %q", st.Task.Request)
			}
		})
	}
}

// task drops what a bug expects of the whole query: B074's pattern is in the
// call's arguments, which the query holds beside the task.
func task(must []string) (out []string) {
	for _, s := range must {
		if s != "ReverseCharge" {
			out = append(out, s)
		}
	}
	return out
}

func contains(t *testing.T, what, got string, must, mustNot []string) {
	t.Helper()
	for _, s := range must {
		if !strings.Contains(got, s) {
			t.Errorf("%s %q lacks %q", what, got, s)
		}
	}
	for _, s := range mustNot {
		if strings.Contains(got, s) {
			t.Errorf("%s %q holds %q", what, got, s)
		}
	}
}

// B197: the host's path means nothing here. No file may be opened or made at a
// relative path.
func TestForeignPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	var p payload
	dir := filepath.Dir(testFile(t, "bugs/B197.hook.json"))
	load(t, filepath.Join(dir, "B197.hook.json"), &p)
	if err := os.WriteFile(p.TranscriptPath, []byte(prompt("not ours")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{p.TranscriptPath, "relative.jsonl", "", "/dev/null", t.TempDir(), "/a\x00b"} {
		if st, err := Read(t.Context(), path, Options{}); !errors.Is(err, ErrPath) || st.Found {
			t.Errorf("Read(%q) = %+v, %v; want %v", path, st, err, ErrPath)
		}
	}
	for _, id := range []string{"../../x", "a/b", "a.b", strings.Repeat("a", 200)} {
		if _, err := Read(t.Context(), filepath.Join(dir, "B085.transcript.jsonl"), Options{AgentID: id}); !errors.Is(err, ErrPath) {
			t.Errorf("Read for agent %q = %v, want %v", id, err, ErrPath)
		}
	}
	if _, err := Read(t.Context(), filepath.Join(dir, "none.jsonl"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Read of a missing file = %v, want %v", err, os.ErrNotExist)
	}
}
