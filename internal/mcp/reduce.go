package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"winnow/internal/api"
	"winnow/internal/prune"
)

// The reducer's tools.
const (
	ToolCompress = "winnow_compress"
	ToolRetrieve = "winnow_retrieve"
	ToolStats    = "winnow_stats"
)

// Reducer answers for the reducer's tools.
type Reducer struct {
	Compress func(context.Context, *api.CompressRequest) (api.CompressReply, error)
	Retrieve func(context.Context, api.RetrieveRequest) (api.RetrieveReply, error)
	Stats    func(context.Context) (string, error)
}

// CompressArgs are the arguments of winnow_compress.
type CompressArgs struct {
	Text     string `json:"text" jsonschema:"the text to make shorter"`
	Task     string `json:"task,omitempty" jsonschema:"what the reader is at: what it names stays"`
	Kind     string `json:"kind,omitempty" jsonschema:"take the text for this instead of looking: json, jsonl, table, log, trace, search, diff, listing, code, config, html, prose, binary, mixed"`
	Lossless bool   `json:"lossless,omitempty" jsonschema:"only what decodes to the same bytes"`
}

// RetrieveArgs are the arguments of winnow_retrieve.
type RetrieveArgs struct {
	Key string `json:"key" jsonschema:"the 24 hex digits of the key, or the whole marker"`
}

func (o Options) addReducer(s *sdk.Server) {
	no := false
	note := &sdk.ToolAnnotations{IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
	look := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
	sdk.AddTool(s, &sdk.Tool{Name: ToolCompress, Title: "Make a text shorter", Annotations: note, Description: "Makes a text shorter: JSON, tables, logs, search hits, diffs, listings, repeated blocks. " +
		"Nothing is lost: what the answer hides is kept on this machine under a key, which " + ToolRetrieve + " takes. A text that does not get shorter comes back as it is."}, o.compress)
	sdk.AddTool(s, &sdk.Tool{Name: ToolRetrieve, Title: "Get an original back", Annotations: look, Meta: sdk.Meta{"anthropic/maxResultSizeChars": MaxAnswer},
		Description: "Gives back the whole original behind a key of " + ToolCompress + ", byte for byte. For a part of hidden lines use " + Tool + "."}, o.retrieve)
	sdk.AddTool(s, &sdk.Tool{Name: ToolStats, Title: "What was saved", Annotations: look, Description: "Says what " + ToolCompress + " saved since winnow's daemon started, by kind of text."}, o.stats)
}

func (o Options) compress(ctx context.Context, _ *sdk.CallToolRequest, a CompressArgs) (*sdk.CallToolResult, any, error) {
	r, err := o.Reduce.Compress(ctx, &api.CompressRequest{Text: a.Text, Task: prune.Task{Request: a.Task}, Kind: a.Kind, Lossless: a.Lossless})
	if err != nil {
		o.Log.Error("compress", "err", err)
		return answer(true, "winnow could not compress this text ("+err.Error()+"). Use it as it is."), nil, nil
	}
	if r.Untouched != "" {
		return answer(false, r.Text, "winnow left this text as it is: "+r.Untouched), nil, nil
	}
	note := fmt.Sprintf("winnow: %s, %d -> %d tokens by %s", r.Kind, r.Before, r.After, strings.Join(r.Chain, ", "))
	if r.Original != "" {
		note += "; the whole: " + ToolRetrieve + " key=" + r.Original
	}
	return answer(false, r.Text, note), nil, nil
}

func (o Options) retrieve(ctx context.Context, _ *sdk.CallToolRequest, a RetrieveArgs) (*sdk.CallToolResult, any, error) {
	r, err := o.Reduce.Retrieve(ctx, api.RetrieveRequest{Key: a.Key})
	if err != nil {
		o.Log.Error("retrieve", "err", err)
		return answer(true, unanswered), nil, nil
	}
	return answer(!r.Found, r.Text, r.Note), nil, nil
}

// noArgs are the arguments of a tool that takes none.
type noArgs struct{}

func (o Options) stats(ctx context.Context, _ *sdk.CallToolRequest, _ noArgs) (*sdk.CallToolResult, any, error) {
	s, err := o.Reduce.Stats(ctx)
	if err != nil {
		o.Log.Error("stats", "err", err)
		return answer(true, "winnow's daemon does not answer: `winnow doctor` says why."), nil, nil
	}
	return answer(false, s), nil, nil
}

// Figures writes what a daemon's sums say.
func Figures(st api.CompressStats) string {
	type sums struct {
		Blocks  int64 `json:"blocks"`
		Changed int64 `json:"changed"`
		Before  int64 `json:"tokens_before"`
		After   int64 `json:"tokens_after"`
	}
	var r struct {
		sums
		Hits    int64           `json:"cache_hits"`
		Cooling []string        `json:"cooling"`
		Kinds   map[string]sums `json:"kinds"`
	}
	if json.Unmarshal(st.Reducer, &r) != nil {
		return "no figures"
	}
	var b strings.Builder
	line := func(name string, s sums) {
		fmt.Fprintf(&b, "%-8s %6d texts, %6d changed, %9d -> %9d tokens (%.1f%% saved)\n", name, s.Blocks, s.Changed, s.Before, s.After, 100*float64(s.Before-s.After)/float64(max(s.Before, 1)))
	}
	line("all", r.sums)
	for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
		name := k
		if name == "" {
			name = "none"
		}
		line(name, r.Kinds[k])
	}
	fmt.Fprintf(&b, "%d answers were remembered\n", r.Hits)
	if len(r.Cooling) > 0 {
		fmt.Fprintf(&b, "off for a minute after failures: %s\n", strings.Join(r.Cooling, ", "))
	}
	return b.String()
}
