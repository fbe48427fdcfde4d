package mcp

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"winnow/internal/api"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// connect serves o to a client of the SDK.
func connect(t *testing.T, o Options) *sdk.ClientSession {
	t.Helper()
	near, far := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, o, far) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve = %v after the client left", err)
		}
		cancel()
	})
	return c
}

type asked struct {
	api.RecallRequest
	All bool
}

func TestRecall(t *testing.T) {
	type want struct {
		isError bool
		texts   []string
	}
	full := api.RecallReply{Found: true, Text: "a\nb", Note: "next: lines 3-4"}
	for _, c := range []struct {
		name  string
		args  map[string]any
		reply api.RecallReply
		err   error
		asked asked
		want  want
	}{
		{"a key", map[string]any{"key": "k"}, full, nil, asked{api.RecallRequest{Key: "k", Session: "s"}, false}, want{false, []string{"a\nb", "next: lines 3-4"}}},
		{"lines and grep", map[string]any{"key": "k", "lines": "3-4", "grep": "b+"}, full, nil, asked{api.RecallRequest{Key: "k", Lines: "3-4", Pattern: "b+", Session: "s"}, false}, want{false, []string{"a\nb", "next: lines 3-4"}}},
		{"all", map[string]any{"key": "k", "page": false}, api.RecallReply{Found: true, Text: "a"}, nil, asked{api.RecallRequest{Key: "k", Session: "s"}, true}, want{false, []string{"a"}}},
		{"a page, said so", map[string]any{"key": "k", "page": true}, full, nil, asked{api.RecallRequest{Key: "k", Session: "s"}, false}, want{false, []string{"a\nb", "next: lines 3-4"}}},
		{"unknown", map[string]any{"key": "k"}, api.RecallReply{Note: "never issued"}, nil, asked{api.RecallRequest{Key: "k", Session: "s"}, false}, want{true, []string{"never issued"}}},
		{"bad pattern", map[string]any{"key": "k", "grep": "("}, api.RecallReply{Found: true, Bad: true, Note: "bad"}, nil, asked{api.RecallRequest{Key: "k", Pattern: "(", Session: "s"}, false}, want{true, []string{"bad"}}},
		{"nobody answers", map[string]any{"key": "k"}, api.RecallReply{}, errors.New("no"), asked{api.RecallRequest{Key: "k", Session: "s"}, false}, want{true, []string{unanswered}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got asked
			s := connect(t, Options{Session: "s", Recall: func(_ context.Context, r api.RecallRequest, all bool) (api.RecallReply, error) {
				got = asked{r, all}
				return c.reply, c.err
			}})
			r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: Tool, Arguments: c.args})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.asked, got); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			var texts []string
			for _, b := range r.Content {
				texts = append(texts, b.(*sdk.TextContent).Text)
			}
			if r.IsError != c.want.isError || !cmp.Equal(texts, c.want.texts) {
				t.Errorf("answer = %v %q, want %v %q", r.IsError, texts, c.want.isError, c.want.texts)
			}
		})
	}
}

// What the client goes by: one tool, always in the model's list, that changes nothing.
func TestTool(t *testing.T) {
	s := connect(t, Options{})
	r, err := s.ListTools(t.Context(), nil)
	if err != nil || len(r.Tools) != 1 {
		t.Fatalf("tools = %+v, %v, want one", r, err)
	}
	tool := r.Tools[0]
	if tool.Name != Tool || !tool.Annotations.ReadOnlyHint || tool.Meta["anthropic/alwaysLoad"] != true {
		t.Errorf("tool = %+v", tool)
	}
	out, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: Tool, Arguments: map[string]any{"lines": "1"}})
	if err == nil && !out.IsError {
		t.Error("a call without a key was answered")
	}
}
