package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/api"
)

// answers serves the lines of in to their end and returns what came back, by id.
func answers(t *testing.T, in string) map[string]string {
	t.Helper()
	var out bytes.Buffer
	o := Options{Version: "1", Recall: func(_ context.Context, r api.RecallRequest, _ bool) (api.RecallReply, error) {
		return api.RecallReply{Found: true, Text: "lines of " + r.Key}, nil
	}}
	if err := Serve(t.Context(), o, Lines(strings.NewReader(in), &out)); err != nil {
		t.Errorf("Serve = %v at the end of the input", err)
	}
	got := map[string]string{}
	for line := range strings.Lines(out.String()) {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  struct {
				Code int `json:"code"`
			} `json:"error"`
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("on stdout: %q: %v", line, err)
		}
		what := string(m.Result)
		if m.Error.Code != 0 {
			what = "error " + string(mustJSON(t, m.Error.Code))
		}
		got[string(m.ID)] = what
	}
	return got
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// A line that is no message gets an error, everything else its answer, also what
// was asked right before the end (a public report: B185).
func TestBadLine(t *testing.T) {
	in, err := os.ReadFile("testdata/B185.mcp.stdin")
	if err != nil {
		t.Fatal(err)
	}
	got := answers(t, string(in))
	for id, want := range map[string]string{"1": `"serverInfo"`, "2": `"winnow_recall"`, "3": "error -32601", "4": "lines of 0000", "null": "error -32700"} {
		if !strings.Contains(got[id], want) {
			t.Errorf("answer to %s = %q, want %q", id, got[id], want)
		}
	}
}

func TestLinesThatAreNoMessage(t *testing.T) {
	for line, want := range map[string]string{
		"[":                              "error -32700",
		"7":                              "error -32600",
		`{}`:                             "error -32600",
		`{"jsonrpc":"1.0","method":"x"}`: "error -32600",
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:    "error -32600",
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:   "error -32600",
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`:  "error -32600",
		`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`: "error -32600",
		`{"jsonrpc":"2.0","id":{},"result":{}}`:        "error -32600",
		`{"jsonrpc":"2.0","id":5}`:                     "error -32600",
		`{"method":7}`:                                 "error -32600",
		strings.Repeat("x", 2*maxLine):                 "error -32700",
	} {
		got := answers(t, hello+line+"\n\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		if got["null"] != want || got["2"] == "" {
			t.Errorf("after %.40q: answers = %v, want %s and a ping", line, got, want)
		}
	}
}

// The list of tools stands before everything else in a request: its bytes never
// change within a version (a public report: B107).
func TestToolListIsConstant(t *testing.T) {
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}` + "\n"
	call := `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"winnow_recall","arguments":{"key":"k"}}}` + "\n"
	first := answers(t, hello+list)
	for _, in := range []string{hello + list, hello + call + list, hello + list + call} {
		got := answers(t, in)
		if diff := cmp.Diff([]string{first["1"], first["2"]}, []string{got["1"], got["2"]}); diff != "" {
			t.Errorf("another process or time (-first +then):\n%s", diff)
		}
	}
}
