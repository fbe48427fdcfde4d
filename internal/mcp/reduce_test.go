package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"winnow/internal/api"
)

func TestReducer(t *testing.T) {
	var asked api.CompressRequest
	var fail error
	o := Options{Reduce: &Reducer{
		Compress: func(_ context.Context, r *api.CompressRequest) (api.CompressReply, error) {
			asked = *r
			if r.Text == "short" {
				return api.CompressReply{Text: r.Text, Untouched: "small"}, fail
			}
			return api.CompressReply{Text: "x", Kind: "log", Before: 700, After: 20, Chain: []string{"blocks"}, Original: "k"}, fail
		},
		Retrieve: func(_ context.Context, r api.RetrieveRequest) (api.RetrieveReply, error) {
			if r.Key != "k" {
				return api.RetrieveReply{Note: "never issued"}, fail
			}
			return api.RetrieveReply{Text: "all of it", Found: true}, fail
		},
		Stats: func(context.Context) (string, error) { return "figures", fail },
	}}
	c := connect(t, o)
	call := func(tool string, args map[string]any) (bool, []string) {
		t.Helper()
		r, err := c.CallTool(context.Background(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		var texts []string
		for _, b := range r.Content {
			texts = append(texts, b.(*sdk.TextContent).Text)
		}
		return r.IsError, texts
	}
	for _, tc := range []struct {
		name, tool string
		args       map[string]any
		bad        bool
		want       []string
	}{
		{"compress", ToolCompress, map[string]any{"text": "long", "task": "find it", "kind": "log", "lossless": true}, false, []string{"x", "winnow: log, 700 -> 20 tokens by blocks; the whole: winnow_retrieve key=k"}},
		{"left alone", ToolCompress, map[string]any{"text": "short"}, false, []string{"short", "winnow left this text as it is: small"}},
		{"retrieve", ToolRetrieve, map[string]any{"key": "k"}, false, []string{"all of it"}},
		{"a miss", ToolRetrieve, map[string]any{"key": "z"}, true, []string{"never issued"}},
		{"stats", ToolStats, map[string]any{}, false, []string{"figures"}},
	} {
		bad, texts := call(tc.tool, tc.args)
		if diff := cmp.Diff(tc.want, texts); diff != "" || bad != tc.bad {
			t.Errorf("%s: error %v (-want +got):\n%s", tc.name, bad, diff)
		}
		if tc.name == "compress" && (asked.Task.Request != "find it" || asked.Kind != "log" || !asked.Lossless) {
			t.Errorf("asked %+v", asked)
		}
	}
	fail = errors.New("down")
	for _, tool := range []string{ToolCompress, ToolRetrieve, ToolStats} {
		args := map[string]any{}
		switch tool {
		case ToolCompress:
			args["text"] = "x"
		case ToolRetrieve:
			args["key"] = "k"
		}
		if bad, texts := call(tool, args); !bad || len(texts) != 1 {
			t.Errorf("%s with nobody there: error %v, %q", tool, bad, texts)
		}
	}
}

func TestReducerIsExtra(t *testing.T) {
	r, err := connect(t, Options{}).ListTools(context.Background(), nil)
	if err != nil || len(r.Tools) != 1 || r.Tools[0].Name != Tool {
		t.Errorf("tools without a reducer: %v, %v", r, err)
	}
}

func TestFigures(t *testing.T) {
	got := Figures(api.CompressStats{Reducer: json.RawMessage(`{"blocks":2,"changed":1,"tokens_before":200,"tokens_after":100,"cache_hits":1,"cooling":["x"],"kinds":{"":{"blocks":1},"log":{"blocks":1,"changed":1,"tokens_before":200,"tokens_after":100}}}`)})
	for _, s := range []string{"all           2 texts,      1 changed,       200 ->       100 tokens (50.0% saved)", "log ", "none ", "1 answers were remembered", "failures: x"} {
		if !strings.Contains(got, s) {
			t.Errorf("no %q in\n%s", s, got)
		}
	}
	if Figures(api.CompressStats{}) != "no figures" {
		t.Error("figures of nothing")
	}
}
