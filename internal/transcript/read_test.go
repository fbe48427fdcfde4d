package transcript

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"winnow/internal/prune"
)

func TestReadTask(t *testing.T) {
	for name, tc := range map[string]struct {
		lines []string
		o     Options
		want  prune.Task
	}{
		"plain": {
			lines: []string{prompt("find the leak"), says("Looking."), uses("t1", "Bash", `{}`)},
			o:     Options{ToolUseID: "t1"}, want: prune.Task{Request: "find the leak", Intent: "Looking."},
		},
		"newest text since the request": {
			lines: []string{says("old"), prompt("do all tests"), says("one"), says("two"), says(" \n"), uses("t1", "Bash", `{}`)},
			want:  prune.Task{Request: "do all tests", Intent: "two"},
		},
		"a new turn resets the intent": {
			lines: []string{prompt("first thing"), says("Done."), prompt("second thing")},
			want:  prune.Task{Request: "second thing"},
		},
		"a bare turn resets it too, and joins": {
			lines: []string{prompt("fix the parser"), says("Shall I?"), prompt("Yes."), prompt("ok, continue!"), uses("t1", "Bash", `{}`)},
			want:  prune.Task{Request: "fix the parser\n\nok, continue!"},
		},
		"only bare words": {lines: []string{prompt("yes"), says("Hm."), prompt("go on")}},
		"a prompt typed meanwhile": {
			lines: []string{prompt("first thing"), says("one"), queued("look at the tests too", `,"commandMode":"prompt","origin":{"kind":"human"}`), says("two")},
			want:  prune.Task{Request: "look at the tests too", Intent: "two"},
		},
		"queued by nobody": {
			lines: []string{prompt("first thing"), queued("<task-notification>x</task-notification>", `,"commandMode":"task-notification"`),
				queued("report", `,"origin":{"kind":"task-notification"}`), queued("ls", `,"commandMode":"bash"`), queued("note", `,"isMeta":true`)},
			want: prune.Task{Request: "first thing"},
		},
		"nobody typed these": {
			lines: []string{prompt("first thing"), meta("<skill>do other things</skill>"),
				row("user", quote("This session is being continued from a previous conversation that ran out"), `"isCompactSummary":true`),
				row("user", quote("summary in other words"), `"isCompactSummary":true`),
				row("user", quote("seen only here"), `"isVisibleInTranscriptOnly":true`),
				row("user", quote("echoed"), `"rowSource":"local"`), row("user", quote("report"), `"origin":{"kind":"task-notification"}`),
				row("user", quote("<task-notification>\n<result>fix it</result>"), ""), row("user", quote("<system-reminder>be good</system-reminder>\n"), "")},
			want: prune.Task{Request: "first thing"},
		},
		"blocks with a reminder and a picture": {
			lines: []string{row("user", `[{"type":"image","source":{"data":"aaa"}},{"type":"text","text":"<system-reminder>x</system-reminder>"},{"type":"text","text":"what is this?"}]`, "")},
			want:  prune.Task{Request: "what is this?"},
		},
		"words beside a refused call": {
			lines: []string{prompt("first thing"), row("user", `[{"type":"tool_result","tool_use_id":"t","content":"no"},{"type":"text","text":"use the other file"}]`, "")},
			want:  prune.Task{Request: "use the other file"},
		},
		"a result that quotes a prompt": {
			lines: []string{prompt("first thing"), result("t", prompt("not me")), row("user", `[{"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"not me either"}]}]`, "")},
			want:  prune.Task{Request: "first thing"},
		},
		"an error that the client put into the assistant's mouth": {
			lines: []string{prompt("first thing"), says("Right."), row("assistant", `[{"type":"text","text":"API Error: 529"}]`, `"isApiErrorMessage":true`),
				strings.Replace(says("No response requested."), `"role":"assistant"`, `"role":"assistant","model":"<synthetic>"`, 1)},
			want: prune.Task{Request: "first thing", Intent: "Right."},
		},
		"thinking is no intent": {
			lines: []string{prompt("first thing"), row("assistant", `[{"type":"thinking","thinking":"hm","text":"hm"}]`, "")},
			want:  prune.Task{Request: "first thing"},
		},
		"an old client's sidechain in the session's file": {
			lines: []string{prompt("first thing"), row("user", quote("delegated"), `"isSidechain":true`), row("assistant", `[{"type":"text","text":"sub"}]`, `"isSidechain":true`)},
			want:  prune.Task{Request: "first thing"},
		},
		"what comes after the present call": {
			lines: []string{prompt("first thing"), says("one"), uses("t1", "Bash", `{}`), result("t1", "x"), says("two"), prompt("second thing")},
			o:     Options{ToolUseID: "t1", Now: at(-time.Hour)}, want: prune.Task{Request: "first thing", Intent: "one"},
		},
		"broken lines": {
			lines: []string{prompt("first thing"), "\n", "{\n", `{"type":"assistant","message":{"role":"assis` + "\n", "\x00\x00\x00" + says("one"), "[1,2]\n", "null\n", `"user"` + "\n",
				`{"type":"user","message":{"role":"user","content":7}}` + "\n", `{"type":"user","message":"x"}` + "\n", `{"type":"user","message":{"role":"us`},
			want: prune.Task{Request: "first thing", Intent: "one"},
		},
		"a line that goes on after a half-written one": {
			lines: []string{prompt("first thing"), `{"parentUuid":null,"type":"assistant","message":{"role":"assis` + prompt("after the crash"), "gUEKpQ9x==\"}]}\n"},
			want:  prune.Task{Request: "after the crash"},
		},
		"fields of other types": {
			lines: []string{strings.Replace(prompt("first thing"), `"promptSource":"typed"`, `"promptSource":{"a":1},"origin":"human","isMeta":"no"`, 1)},
			want:  prune.Task{Request: "first thing"},
		},
		"spaces and CRLF": {
			lines: []string{"  " + strings.ReplaceAll(strings.TrimSpace(prompt("first thing")), `":`, `" : `) + " \r\n"},
			want:  prune.Task{Request: "first thing"},
		},
		"nothing": {lines: []string{""}},
	} {
		tc.o.AgentID = ""
		if tc.o.Now == nil {
			tc.o.Now = at(time.Minute)
		}
		st, err := Read(t.Context(), file(t, tc.lines...), tc.o)
		if diff := cmp.Diff(tc.want, st.Task); err != nil || diff != "" {
			t.Errorf("%s: Read: %v (-want +got):\n%s", name, err, diff)
		}
		if want := tc.want.Request != ""; st.Found != want {
			t.Errorf("%s: Found = %v, want %v", name, st.Found, want)
		}
	}
}

func TestReadCalls(t *testing.T) {
	path := file(t,
		prompt("first thing"),
		uses("t1", "Read", `{"file_path":"/a","limit":5}`), result("t1", "x"),
		uses("t2", "Edit", `{"new_string":"b","old_string":"a","file_path":"/a"}`),
		says("now the tests"), prompt("continue"),
		uses("t3", "Bash", `{ "command" : "go test" }`), uses("t3", "Bash", `{"command":"go test"}`),
		prompt("second thing"),
		uses("t4", "NotebookEdit", `{"notebook_path":"/n.ipynb"}`),
		row("assistant", `[{"type":"text","text":"both"},{"type":"tool_use","id":"t5","name":"Glob","input":{"path":"/a"}},{"type":"tool_use","id":"t6","name":"Bash","input":null}]`, ""),
		uses("now", "Bash", `{}`), uses("t8", "Bash", `{"command":"parallel"}`),
	)
	want := []prune.Call{
		{ID: "t1", Tool: "Read", Args: `{"file_path":"/a","limit":5}`, Path: "/a"},
		{ID: "t2", Tool: "Edit", Args: `{"file_path":"/a","new_string":"b","old_string":"a"}`, Path: "/a"},
		{ID: "t3", Tool: "Bash", Args: `{"command":"go test"}`},
		{ID: "t4", Tool: "NotebookEdit", Args: `{"notebook_path":"/n.ipynb"}`, Path: "/n.ipynb", SinceRequest: true},
		{ID: "t5", Tool: "Glob", Args: `{"path":"/a"}`, SinceRequest: true},
		{ID: "t6", Tool: "Bash", Args: `null`, SinceRequest: true},
	}
	st, err := Read(t.Context(), path, Options{ToolUseID: "now"})
	if diff := cmp.Diff(want, st.Calls); err != nil || diff != "" {
		t.Errorf("Read: %v (-want +got):\n%s", err, diff)
	}
}

func TestReadKeepsTheLastCalls(t *testing.T) {
	lines := []string{prompt("first thing")}
	for i := range 100 {
		lines = append(lines, uses(fmt.Sprint("t", i), "Bash", `{}`))
	}
	st, err := Read(t.Context(), file(t, lines...), Options{ToolUseID: "t99", Now: at(0)})
	if err != nil || len(st.Calls) != maxCalls || st.Calls[0].ID != "t39" || st.Calls[maxCalls-1].ID != "t98" {
		t.Errorf("Read gave %d calls, %v", len(st.Calls), err)
	}
}

// The captured session: two typed prompts, a delegation, a "!" command, a
// prompt typed meanwhile, a compaction, a last prompt.
func TestReadSession(t *testing.T) {
	for name, tc := range map[string]struct {
		call, agent string
		want        prune.Task
		calls       []string
	}{
		"first call":     {"toolu_mock00000001", "", prune.Task{Request: "Where is beta? [[script:task1]]", Intent: "I will read small.txt to find beta."}, nil},
		"parallel call":  {"toolu_mock00000004", "", prune.Task{Request: "Where is beta? [[script:task1]]", Intent: "Now list the files."}, []string{"toolu_mock00000001", "toolu_mock00000003"}},
		"delegation":     {"toolu_mock00000007", "", prune.Task{Request: "delegate [[script:agent_fg]]", Intent: "Step for agent_fg."}, []string{"toolu_mock00000001", "toolu_mock00000003", "toolu_mock00000004"}},
		"after a report": {"toolu_mock00000015", "", prune.Task{Request: "slow one [[script:slow]]", Intent: "Working slowly."}, nil},
		"after compact":  {"toolu_mock00000020", "", prune.Task{Request: "after compact [[script:read_text]]", Intent: "Step for read_text."}, nil},
		"in a subagent":  {"toolu_mock00000009", "a16e2e85e0078cfbc", prune.Task{Request: "Look at small.txt. [[script:sub]]", Intent: "Sub looks."}, nil},
	} {
		o := Options{ToolUseID: tc.call, AgentID: tc.agent, Budget: time.Minute}
		st, err := Read(t.Context(), testFile(t, "session/session.jsonl"), o)
		if diff := cmp.Diff(tc.want, st.Task); err != nil || diff != "" {
			t.Errorf("%s: Read: %v (-want +got):\n%s", name, err, diff)
		}
		var ids []string
		for _, c := range st.Calls {
			ids = append(ids, c.ID)
		}
		if diff := cmp.Diff(tc.calls, ids, cmpopts.EquateEmpty()); tc.calls != nil && diff != "" {
			t.Errorf("%s: calls (-want +got):\n%s", name, diff)
		}
	}
	// At the end of the slow turn the prompt typed meanwhile is the request.
	b, err := os.ReadFile(testFile(t, "session/session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(b), "after compact [[")
	st, err := Read(t.Context(), file(t, before), Options{})
	if want := (prune.Task{Request: "queued prompt while busy", Intent: "slow finished"}); err != nil || cmp.Diff(want, st.Task) != "" {
		t.Errorf("typed meanwhile: Read = %+v, %v; want %+v", st.Task, err, want)
	}
}

func TestReadSubagent(t *testing.T) {
	path := file(t, prompt("parent's request"))
	dir := filepath.Join(strings.TrimSuffix(path, ".jsonl"), "subagents")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	side := func(s string) string { return row("user", quote(s), `"isSidechain":true,"agentId":"a1"`) }
	for name, tc := range map[string]struct {
		lines string
		want  string
	}{
		"delegation":        {side("Find the callers.") + says("Looking."), "Find the callers."},
		"later SendMessage": {side("Find the callers.") + says("Done.") + row("user", quote("Now rename them."), `"isSidechain":true,"origin":{"kind":"coordinator"}`), "Now rename them."},
		"urged on":          {side("Find the callers.") + says("Done.") + side("continue"), "Find the callers.\n\ncontinue"},
		"fork":              {side("<fork-boilerplate>You are a fork. Do not ask.</fork-boilerplate>\n\nCheck the docs."), "Check the docs."},
		"fork without word": {side("<fork-boilerplate>You are a fork."), ""},
	} {
		if err := os.WriteFile(filepath.Join(dir, "agent-a1.jsonl"), []byte(tc.lines), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{path, filepath.Join(dir, "agent-a1.jsonl")} {
			st, err := Read(t.Context(), p, Options{AgentID: "a1"})
			if err != nil || st.Task.Request != tc.want {
				t.Errorf("%s: request = %q, %v; want %q", name, st.Task.Request, err, tc.want)
			}
		}
	}
	if st, err := Read(t.Context(), path, Options{AgentID: "a2"}); !errors.Is(err, os.ErrNotExist) || st.Found {
		t.Errorf("Read for an agent without a file = %+v, %v", st, err)
	}
}

func TestReadTrustsOnlyItsOwnFile(t *testing.T) {
	lines := []string{prompt("first thing"), says("one"), uses("t1", "Bash", `{}`)}
	for name, tc := range map[string]struct {
		o    Options
		want bool
	}{
		"holds the call, however old":      {Options{ToolUseID: "t1", Now: at(9000 * time.Hour)}, true},
		"lags":                             {Options{ToolUseID: "t2", Now: at(3 * time.Second)}, true},
		"lags, clocks apart":               {Options{ToolUseID: "t2", Now: at(-3 * time.Second)}, true},
		"ended an hour ago":                {Options{ToolUseID: "t2", Now: at(time.Hour)}, false},
		"another session that ended a now": {Options{ToolUseID: "t2", Session: "s2", Now: at(time.Second)}, false},
		"the same session":                 {Options{ToolUseID: "t2", Session: "s1", Now: at(time.Second)}, true},
	} {
		st, err := Read(t.Context(), file(t, lines...), tc.o)
		if err != nil || st.Found != tc.want || !tc.want && st.Calls != nil {
			t.Errorf("%s: Read = %+v, %v; want found %v", name, st, err, tc.want)
		}
	}
}

// traffic is a large file of tool results that is never made: reading it counts
// bytes and lets time pass.
type traffic struct {
	size, read int64
	chunk      string
	onRead     func()
}

func (f *traffic) ReadAt(p []byte, off int64) (int, error) {
	for n := 0; n < len(p); {
		n += copy(p[n:], f.chunk[(off+int64(n))%int64(len(f.chunk)):])
	}
	f.read += int64(len(p))
	if f.onRead != nil {
		f.onRead()
	}
	return len(p), nil
}

func TestReadLimits(t *testing.T) {
	chunk := result("t", strings.Repeat("x", 2<<20))
	size := int64(len(chunk)) * 40
	f := &traffic{size: size, chunk: chunk}
	st, err := readFrom(t.Context(), f, size, Options{Now: at(0)})
	if err != nil || st.Found || f.read != 64<<20 {
		t.Errorf("by bytes: found %v, %v, read %d bytes; want no task after 64 MB", st.Found, err, f.read)
	}

	now := start
	f = &traffic{size: size, chunk: chunk, onRead: func() { now = now.Add(7 * time.Millisecond) }}
	st, err = readFrom(t.Context(), f, size, Options{Now: func() time.Time { return now }})
	if spent := now.Sub(start); err != nil || st.Found || spent < 100*time.Millisecond || spent > 200*time.Millisecond {
		t.Errorf("by time: found %v, %v after %v; want no task after 100 ms", st.Found, err, spent)
	}

	ctx, cancel := context.WithCancel(t.Context())
	f = &traffic{size: size, chunk: chunk, onRead: cancel}
	if _, err := readFrom(ctx, f, size, Options{Now: at(0)}); !errors.Is(err, context.Canceled) || f.read > 8<<20 {
		t.Errorf("cancelled: %v after %d bytes, want %v", err, f.read, context.Canceled)
	}
}

func TestReadHugeLines(t *testing.T) {
	picture := row("user", `[{"type":"image","source":{"data":"`+strings.Repeat("A", 5<<20)+`"}},{"type":"text","text":"what is on it?"}]`, `"promptSource":"typed"`)
	st, err := Read(t.Context(), file(t, prompt("old"), picture, result("t", strings.Repeat("x\"\\", 1<<20))), Options{Budget: time.Hour})
	if err != nil || st.Task.Request != "what is on it?" {
		t.Errorf("request = %q, %v", st.Task.Request, err)
	}
	tooLong := row("user", `"`+strings.Repeat("A", maxLine+2*maxChunk)+`"`, "")
	st, err = Read(t.Context(), file(t, prompt("old"), tooLong), Options{Budget: time.Hour, Limit: 1 << 30})
	if err != nil || st.Task.Request != "old" {
		t.Errorf("beyond a line that is too long: request = %q, %v", st.Task.Request, err)
	}
}

// A file cut while it is read is an error, not a hang.
func TestReadTruncated(t *testing.T) {
	if _, err := readFrom(t.Context(), strings.NewReader(prompt("x")), 1<<20, Options{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("Read = %v, want %v", err, io.ErrUnexpectedEOF)
	}
}
