package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// payload reads a file of testdata.
func payload(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func decode(tb testing.TB, body []byte) *Event {
	tb.Helper()
	e, err := Decode(bytes.NewReader(body))
	if err != nil {
		tb.Fatalf("Decode: %v", err)
	}
	return e
}

// bash is a payload with response as its tool_response.
func bash(response string) []byte {
	return []byte(`{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_response":` + response + `}`)
}

// prunable says which captured payloads hold text in a known shape, and how
// many texts; all the others must be left alone.
var prunable = map[string]int{
	"agent.PostToolUse.2": 1, "agent_explore.PostToolUse": 1, "agent_fg.PostToolUse": 1,
	"bash.PostToolUse": 1, "bash_29k.PostToolUse": 1, "bash_31k.PostToolUse": 1,
	"bash_background.PostToolUse": 1, "bash_background.PostToolUse.2": 1, "bash_cd.PostToolUse": 1,
	"bash_grep_nomatch.PostToolUse": 1, "bash_large.PostToolUse": 1, "bash_silent.PostToolUse": 1,
	"bash_timeout.PostToolUse": 1, "edit.PostToolUse": 1, "grep_content.PostToolUse": 1,
	"grep_content_context.PostToolUse": 1, "grep_limited.PostToolUse": 1, "grep_many.PostToolUse": 1,
	"grep_none.PostToolUse": 1, "mcp_big.PostToolUse": 1, "mcp_echo.PostToolUse": 1,
	"mcp_picture.PostToolUse": 2, "mcp_structured.PostToolUse": 1, "read_3000_lines.PostToolUse": 1,
	"read_300k_range.PostToolUse": 1, "read_code.PostToolUse": 1, "read_empty.PostToolUse": 1,
	"read_long_line.PostToolUse": 1, "read_many_tokens.PostToolUse": 1, "read_range.PostToolUse": 1,
	"read_text.PostToolUse": 1, "read_twice.PostToolUse": 1, "read_twice.PostToolUse.2": 1,
	"webfetch.PostToolUse": 1, "write_over.PostToolUse": 1,
}

// TestCaptured runs every captured payload: unchanged texts give the received
// bytes, other texts change those texts and nothing else.
func TestCaptured(t *testing.T) {
	files, err := filepath.Glob("testdata/hooks/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("captured payloads: %d, %v", len(files), err)
	}
	met := 0
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		t.Run(name, func(t *testing.T) {
			e := decode(t, payload(t, "hooks/"+name+".json"))
			want, ok := prunable[name]
			leaves, err := e.Leaves()
			if !ok {
				if !errors.Is(err, ErrShape) {
					t.Fatalf("Leaves = %d, %v, want ErrShape", len(leaves), err)
				}
				return
			}
			met++
			if err != nil || len(leaves) != want {
				t.Fatalf("Leaves = %d, %v, want %d", len(leaves), err, want)
			}
			unchanged(t, e, leaves)
			changed(t, e, leaves)
		})
	}
	if met != len(prunable) {
		t.Errorf("%d of the %d prunable payloads are there", met, len(prunable))
	}
}

// unchanged checks that a rewrite with the same texts, or none, is the input.
func unchanged(t *testing.T, e *Event, leaves []Leaf) {
	t.Helper()
	same := make([]*string, len(leaves))
	for i := range leaves {
		same[i] = &leaves[i].Text
	}
	for _, texts := range [][]*string{same, make([]*string, len(leaves))} {
		out, err := e.Rewrite(texts, leaves[0].StartLine)
		if err != nil || !bytes.Equal(out, e.ToolResponse) {
			t.Fatalf("Rewrite with nothing new = %.80q, %v", out, err)
		}
		if a, err := Answer(e, out); len(a) != 0 || err != nil {
			t.Fatalf("Answer to nothing new = %q, %v, want none", a, err)
		}
	}
}

// changed checks that each leaf alone can be replaced and all else stays.
func changed(t *testing.T, e *Event, leaves []Leaf) {
	t.Helper()
	const neu = "a <b> & \"c\"\n\u2028 \U0001F600 \\ \x00 tail"
	for i := range leaves {
		texts := make([]*string, len(leaves))
		s := neu
		texts[i] = &s
		out, err := e.Rewrite(texts, 0)
		if err != nil {
			t.Fatalf("Rewrite: %v", err)
		}
		was, is := generic(t, e.ToolResponse), generic(t, out)
		put(was, leafPath(e, i), neu)
		if m, ok := was.(map[string]any); ok && e.ToolName == "Bash" {
			delete(m, savedPath)
			delete(m, savedSize)
		}
		if s, ok := was.(string); ok && s == leaves[0].Text {
			was = neu
		}
		if d := cmp.Diff(was, is); d != "" {
			t.Errorf("Rewrite changed more than leaf %d (-want +got):\n%s", i, d)
		}
		a, err := Answer(e, out)
		if err != nil || !json.Valid(a) || !bytes.Contains(a, out) {
			t.Errorf("Answer = %.120q, %v", a, err)
		}
	}
}

// generic decodes with numbers as written.
func generic(t *testing.T, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode %.80q: %v", b, err)
	}
	return v
}

// leafPath is where leaf i stands, in the test's own words.
func leafPath(e *Event, i int) []any {
	switch e.ToolName {
	case "Bash":
		return []any{"stdout"}
	case "Read":
		return []any{"file", "content"}
	case "Grep":
		return []any{"content"}
	case "WebFetch":
		return []any{"result"}
	}
	return []any{2 * i, "text"} // mcp_picture: text, image, text
}

func put(v any, path []any, s string) {
	for i, p := range path {
		last := i == len(path)-1
		switch w := v.(type) {
		case map[string]any:
			if last {
				w[p.(string)] = s
				return
			}
			v = w[p.(string)]
		case []any:
			v = w[p.(int)]
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	big := bash(`{"stdout":"` + strings.Repeat("x", MaxBody) + `"}`)
	for _, c := range []struct {
		name string
		body []byte
	}{
		{"empty", nil},
		{"not JSON", []byte(`{"session_id":`)},
		{"two values", []byte(`{}{}`)},
		{"an array", []byte(`[]`)},
		{"a name that is a number", []byte(`{"tool_name":7}`)},
		{"a key twice", []byte(`{"cwd":"/a","cwd":"/b"}`)},
		{"a key twice, escaped", []byte(`{"cwd":"/a","c\u0077d":"/b"}`)},
		{"too large", big},
		{"half a pair (B062)", payload(t, "bugs/B062.hook.json")},
		{"half a pair, low", bash(`{"stdout":"\udc00"}`)},
		{"half a pair at the end", bash(`{"stdout":"\ud83d"}`)},
		{"two high halves", bash(`{"stdout":"\ud83d\ud83d\ude00"}`)},
		{"a wrong code page (B070)", payload(t, "bugs/B070.hook.bin")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if e, err := Decode(bytes.NewReader(c.body)); !errors.Is(err, ErrBody) {
				t.Errorf("Decode = %v, %v, want ErrBody", e, err)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	const body = ` { "session_id" : "s", "transcript_path":"/t.jsonl","cwd":"/w","CWD":"/other","hook_event_name":"PostToolUse",
 "tool_name":"Bash","tool_use_id":"u","agent_id":"a","agent_type":"Explore","permission_mode":"plan",
 "tool_input":{"command":"ls \ud83d\ude00 \\ud83d"}, "tool_response" : {"stdout":"x"} , "future":{"a":[1,{"b":"}"}]} } `
	want := &Event{SessionID: "s", TranscriptPath: "/t.jsonl", Cwd: "/w", HookEventName: "PostToolUse", ToolName: "Bash",
		ToolUseID: "u", AgentID: "a", AgentType: "Explore", PermissionMode: "plan",
		ToolInput: json.RawMessage(`{"command":"ls \ud83d\ude00 \\ud83d"}`), ToolResponse: json.RawMessage(`{"stdout":"x"}`)}
	if d := cmp.Diff(want, decode(t, []byte(body))); d != "" {
		t.Errorf("Decode (-want +got):\n%s", d)
	}
}
