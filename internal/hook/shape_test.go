package hook

import (
	"errors"
	"strings"
	"testing"
)

// TestBugShapes runs the public bug reports that are about the hook's JSON.
func TestBugShapes(t *testing.T) {
	const none = -1
	for _, c := range []struct {
		file   string
		leaves int
		why    string
	}{
		{"B011.hook.json", 1, "stderr is empty, the traceback stands in stdout"},
		{"B017.hook.json", none, "a persisted-output block is a pointer"},
		{"B019.hook.json", 1, "a file as it came"},
		{"B025.hook.json", none, "a persisted-output block is a pointer"},
		{"B026.hook.json", 1, "an object for Read, never a string"},
		{"B028.hook.json", 1, "MCP takes updatedToolOutput too"},
		{"B029.hook.json", none, "a list of names"},
		{"B032.hook.json", 1, "JSON inside a text is package prune's"},
		{"B041.hook.json", none, "structuredContent beside the blocks"},
		{"B043.hook.json", none, "a picture"},
		{"B043.bash.hook.json", none, "a picture"},
		{"B044.hook.json", 1, "a file as it came"},
		{"B047.hook.json", none, "PostToolUseFailure takes no replacement"},
		{"B052.hook.json", none, "SessionStart"},
		{"B056.hook.json", none, "Write"},
		{"B086.hook.json", 1, "winnow's own tool is package prune's to refuse"},
		{"B169.hook.json", none, "a persisted-output block is a pointer"},
		{"B170.hook.json", 1, "an unchanged answer is no answer"},
		{"B175.hook.json", 1, "an unchanged answer is no answer"},
		{"B178.hook.json", 1, "the same answer twice"},
	} {
		t.Run(c.file, func(t *testing.T) {
			e := decode(t, payload(t, "bugs/"+c.file))
			leaves, err := e.Leaves()
			if c.leaves == none {
				if !errors.Is(err, ErrShape) {
					t.Errorf("Leaves = %d, %v, want ErrShape: %s", len(leaves), err, c.why)
				}
				return
			}
			if err != nil || len(leaves) != c.leaves {
				t.Fatalf("Leaves = %d, %v, want %d: %s", len(leaves), err, c.leaves, c.why)
			}
			unchanged(t, e, leaves)
			changed(t, e, leaves)
		})
	}
}

func TestRewriteBytes(t *testing.T) {
	read := func(tail string) string {
		return `{"hook_event_name":"PostToolUse","tool_name":"Read","tool_response":{"type":"text","file":{"filePath":"/f","content":"a\nb","numLines":2,"startLine":7,"totalLines":9` + tail + `}}}`
	}
	mcp := func(v string) string {
		return `{"hook_event_name":"PostToolUse","tool_name":"mcp__db__query","tool_response":` + v + `}`
	}
	for _, c := range []struct {
		name, body, want string
		texts            []string
		startLine        int
	}{
		{"spacing, order and numbers stay", string(bash(`{ "zz" : 1.50e+3 ,"stdout" : "x" , "stderr":"", "interrupted":false, "a":1e400 }`)),
			`{ "zz" : 1.50e+3 ,"stdout" : "<y> & z" , "stderr":"", "interrupted":false, "a":1e400 }`, []string{"<y> & z"}, 0},
		{"saved fields go, at the end", string(bash(`{"stdout":"x","stderr":"","interrupted":false, "persistedOutputPath" : "/p", "persistedOutputSize":5 }`)),
			`{"stdout":"y","stderr":"","interrupted":false }`, []string{"y"}, 0},
		{"saved fields go, at the start", string(bash(`{"persistedOutputSize":5, "persistedOutputPath":"/p", "stdout":"x","stderr":"","interrupted":false}`)),
			`{"stdout":"y","stderr":"","interrupted":false}`, []string{"y"}, 0},
		{"saved fields go, around", string(bash(`{"persistedOutputSize":5, "stdout":"x","persistedOutputPath":"/p","stderr":"","interrupted":true}`)),
			`{"stdout":"y","stderr":"","interrupted":true}`, []string{"y"}, 0},
		{"the first line goes up", read(""), `{"type":"text","file":{"filePath":"/f","content":"b","numLines":2,"startLine":8,"totalLines":9}}`, []string{"b"}, 8},
		{"the first line never goes down", read(`,"new":[]`), `{"type":"text","file":{"filePath":"/f","content":"b","numLines":2,"startLine":7,"totalLines":9,"new":[]}}`, []string{"b"}, 3},
		{"no new text, no new first line", read(""), `{"type":"text","file":{"filePath":"/f","content":"a\nb","numLines":2,"startLine":7,"totalLines":9}}`, []string{"a\nb"}, 8},
		{"an MCP string", mcp(` "long\ud83d\ude00" `), `"short"`, []string{"short"}, 0},
		{"escapes of an unchanged MCP string stay", mcp(`"\u006cong\/"`), `"\u006cong\/"`, []string{"long/"}, 0},
		{"MCP blocks around a picture", mcp(`[{"type":"text","text":"a"},{"type":"image","source":{"data":"text"}},{"text":"b","type":"text","annotations":{"x":[1]}}]`),
			`[{"type":"text","text":"a"},{"type":"image","source":{"data":"text"}},{"text":"B","type":"text","annotations":{"x":[1]}}]`, []string{"a", "B"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var texts []*string
			for i := range c.texts {
				texts = append(texts, &c.texts[i])
			}
			got, err := decode(t, []byte(c.body)).Rewrite(texts, c.startLine)
			if err != nil || string(got) != c.want {
				t.Errorf("Rewrite = %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
}

func TestRewriteRefuses(t *testing.T) {
	e := decode(t, bash(`{"stdout":"x","stderr":"","interrupted":false}`))
	long, bad := strings.Repeat("é", maxBash+1), "a\xffb"
	for _, c := range []struct {
		name  string
		texts []*string
	}{
		{"no text for the leaf", nil},
		{"a text too many", []*string{nil, nil}},
		{"text that the host would frame", []*string{&long}},
		{"text that is not UTF-8", []*string{&bad}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if out, err := e.Rewrite(c.texts, 0); !errors.Is(err, ErrShape) {
				t.Errorf("Rewrite = %.60q, %v, want ErrShape", out, err)
			}
		})
	}
}

func TestUnknownShapes(t *testing.T) {
	for _, c := range []struct{ name, tool, response string }{
		{"no response", "Bash", ``},
		{"null", "Bash", `null`},
		{"a string for Bash", "Bash", `"text"`},
		{"no stderr", "Bash", `{"stdout":"x","interrupted":false}`},
		{"no interrupted", "Bash", `{"stdout":"x","stderr":""}`},
		{"a picture", "Bash", `{"stdout":"x","stderr":"","interrupted":false,"isImage":true}`},
		{"isImage of another type", "Bash", `{"stdout":"x","stderr":"","interrupted":false,"isImage":"no"}`},
		{"stdout twice", "Bash", `{"stdout":"x","stdout":"y","stderr":"","interrupted":false}`},
		{"stdout in blocks", "Bash", `{"stdout":["x"],"stderr":"","interrupted":false}`},
		{"a string for Read", "Read", `"text"`},
		{"no file", "Read", `{"type":"text"}`},
		{"file null", "Read", `{"type":"text","file":null}`},
		{"no startLine", "Read", `{"type":"text","file":{"filePath":"f","content":"x","numLines":1,"totalLines":1}}`},
		{"a startLine of 0", "Read", `{"type":"text","file":{"filePath":"f","content":"x","numLines":1,"startLine":0,"totalLines":1}}`},
		{"file given twice", "Read", `{"type":"text","file":{"filePath":"f","content":"x","content":"y","numLines":1,"startLine":1,"totalLines":1}}`},
		{"parts of a PDF", "Read", `{"type":"parts","file":{"filePath":"f","originalSize":1,"count":2,"outputDir":"d"}}`},
		{"Grep without a mode", "Grep", `{"content":"x"}`},
		{"WebFetch of bytes", "WebFetch", `{"bytes":3,"result":null}`},
		{"MCP null", "mcp__a__b", `null`},
		{"MCP number", "mcp__a__b", `7`},
		{"MCP no blocks", "mcp__a__b", `[]`},
		{"MCP only a picture", "mcp__a__b", `[{"type":"image"}]`},
		{"MCP bare string in the array", "mcp__a__b", `["x"]`},
		{"MCP text block without text", "mcp__a__b", `[{"type":"text"}]`},
		{"MCP result that was saved", "mcp__a__b", `"Error: result (9 characters) exceeds maximum allowed tokens. Output has been saved to /p."`},
		{"a tool of another name", "bash", `{"stdout":"x","stderr":"","interrupted":false}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &Event{HookEventName: PostToolUse, ToolName: c.tool, ToolResponse: []byte(c.response)}
			if leaves, err := e.Leaves(); !errors.Is(err, ErrShape) {
				t.Errorf("Leaves = %v, %v, want ErrShape", leaves, err)
			}
		})
	}
}

func TestReadLeafIsRenumbered(t *testing.T) {
	leaves, err := decode(t, payload(t, "bugs/B026.hook.json")).Leaves()
	if err != nil || !leaves[0].Renumbered || leaves[0].StartLine != 201 {
		t.Errorf("Leaves = %+v, %v, want Renumbered from 201", leaves, err)
	}
}

func TestAnswerOtherEvent(t *testing.T) {
	e := decode(t, payload(t, "bugs/B047.hook.json"))
	if out, err := Answer(e, []byte(`"x"`)); !errors.Is(err, ErrShape) {
		t.Errorf("Answer = %s, %v, want ErrShape", out, err)
	}
}

func TestSaved(t *testing.T) {
	for _, c := range []struct {
		file string
		size int64
		ok   bool
	}{{"hooks/bash_large.PostToolUse.json", 180000, true}, {"hooks/bash.PostToolUse.json", 0, false}, {"hooks/read_text.PostToolUse.json", 0, false}} {
		path, size, ok := decode(t, payload(t, c.file)).Saved()
		if size != c.size || ok != c.ok || ok != strings.Contains(path, "/tool-results/") {
			t.Errorf("%s: Saved = %q, %d, %v, want %d, %v", c.file, path, size, ok, c.size, c.ok)
		}
	}
}
