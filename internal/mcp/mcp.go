// Package mcp is winnow's MCP server: winnow_recall, with which an agent at the
// hook door opens a marker, and for hosts that want them winnow_compress,
// winnow_retrieve and winnow_stats. It speaks MCP on the transport that it
// is given and says nothing anywhere else; who answers a recall, the daemon or
// the store, is its caller's business.
package mcp

import (
	"context"
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"winnow/internal/api"
)

// Tool is the tool's name; Server is the name under which the server must be
// registered, so that the client calls the tool [Qualified].
const (
	Tool      = "winnow_recall"
	Server    = "winnow"
	Qualified = "mcp__" + Server + "__" + Tool
)

// Recaller answers one recall: a page of it, or with all everything at once.
type Recaller func(ctx context.Context, r api.RecallRequest, all bool) (api.RecallReply, error)

// Options of a server.
type Options struct {
	Version string
	Recall  Recaller
	// Reduce, when set, adds the reducer's tools.
	Reduce *Reducer
	// Session is the session that the client runs, "" where it is not known.
	Session string
	Log     *slog.Logger // nil discards
}

// Args are the tool's arguments.
type Args struct {
	Key   string `json:"key" jsonschema:"the 24 hex digits of the marker, or the whole marker"`
	Lines string `json:"lines,omitempty" jsonschema:"part of the hidden lines, by the numbers that the marker shows: 120-180 or 120, or as a next: note gave it"`
	Grep  string `json:"grep,omitempty" jsonschema:"an RE2 regular expression: only the hidden lines that match come back, with their numbers"`
	Page  *bool  `json:"page,omitempty" jsonschema:"false gives all of a long answer at once; otherwise it comes in pages of 20,000 characters and a note says how to get the next"`
}

// MaxAnswer bounds an answer in characters; the client is told of it, or it
// would put a longer one than its own limit into a file.
const MaxAnswer = 200_000

// Serve answers on t until the client leaves or ctx is done.
func Serve(ctx context.Context, o Options, t sdk.Transport) error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := sdk.NewServer(&sdk.Implementation{Name: Server, Title: "winnow", Version: o.Version}, &sdk.ServerOptions{
		Logger:       o.Log,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	no := false
	sdk.AddTool(s, &sdk.Tool{
		Name: Tool, Title: "Recall hidden lines", Description: description,
		Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
		// Deferred, the model would have to look for the tool first.
		Meta: sdk.Meta{"anthropic/alwaysLoad": true, "anthropic/maxResultSizeChars": MaxAnswer},
	}, o.recall)
	if o.Reduce != nil {
		o.addReducer(s)
	}
	return s.Run(ctx, t)
}

// recall answers one call. A miss is the tool's error with what to do instead,
// never the protocol's: the model must read it.
func (o Options) recall(ctx context.Context, _ *sdk.CallToolRequest, a Args) (*sdk.CallToolResult, any, error) {
	r, err := o.Recall(ctx, api.RecallRequest{Key: a.Key, Lines: a.Lines, Pattern: a.Grep, Session: o.Session}, a.Page != nil && !*a.Page)
	if err != nil {
		o.Log.Error("recall", "err", err)
		return answer(true, unanswered), nil, nil
	}
	return answer(!r.Found || r.Bad, r.Text, r.Note), nil, nil
}

// answer makes a result of the texts that are not empty, a block each: a note is
// no part of the lines.
func answer(isError bool, texts ...string) *sdk.CallToolResult {
	out := &sdk.CallToolResult{IsError: isError, Content: []sdk.Content{}}
	for _, t := range texts {
		if t != "" {
			out.Content = append(out.Content, &sdk.TextContent{Text: t})
		}
	}
	return out
}

const unanswered = "winnow could not get these lines: neither its daemon nor its store answers. Do not retry this key now. " +
	"Run the command again with a narrower output, or read the file with offset and limit."

const description = `Gives back lines of a tool result that winnow hid from this conversation, byte for byte.

Where a tool result holds a line such as
  <<ccr:0123456789abcdef01234567 212_lines_offloaded>> lines 41-252: 9 functions of parser.go [hidden by winnow, ...]
winnow, a local filter, hid those lines because the present task did not seem to need them. The command ran and returned them in full; the file on disk is whole and unchanged. A marker is never a sign of truncation, corruption, a missing file or a failed command, and it is not part of the output. The digest after the colon says what was hidden.

Call this when the hidden part may matter: the digest names what you look for, you are about to edit, quote, count or summarise the hidden lines, you need to be certain that something is absent, or the visible lines do not explain a failure. Do not call it out of habit; what the task needs is usually visible.

key is the 24 hex digits (the whole marker works too). lines="41-90" gives a part, numbered as the marker shows; grep="func .*Parse" gives only matching lines with their numbers; neither gives everything, in pages. It runs nothing again and changes nothing, and is better than repeating the command or reading the file again.

If a key is not known or has expired, the answer says so and what to do instead. Do not retry the same key. Never write a marker into a file, a command or another tool's input.`
