package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/door"
	"winnow/internal/mcp"
	"winnow/internal/state"
)

func mcpCmd() *cobra.Command {
	var dirFlag string
	var reducer bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the tool winnow_recall over MCP, for settings-file hooks",
		Long: "Serve the tool winnow_recall over MCP on standard input and output. The client starts it; `winnow install --http`\n" +
			"registers it. It asks the daemon, which it starts if need be, and reads the store itself where none can start.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := stateDir(dirFlag)
			if err != nil {
				return err
			}
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer cancel()
			var more *mcp.Reducer
			if reducer {
				more = reducerFor(cmd, dir)
			}
			err = mcp.Serve(ctx, mcp.Options{
				Reduce: more, Version: version, Session: os.Getenv("CLAUDE_CODE_SESSION_ID"),
				Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
				Recall: func(ctx context.Context, r api.RecallRequest, all bool) (api.RecallReply, error) {
					return recallFor(ctx, dir, r, all)
				},
			}, mcp.Lines(os.Stdin, os.Stdout))
			if ctx.Err() != nil && errors.Is(err, context.Canceled) {
				return nil // asked to leave
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&reducer, "reducer", false, "also serve winnow_compress, winnow_retrieve and winnow_stats")
	cmd.Flags().StringVar(&dirFlag, "state", "", "state folder (default $WINNOW_DIR or ~/.winnow)")
	return cmd
}

// recallFor answers one recall of the MCP server. Each asks anew who answers:
// daemons come and go while a session lives.
func recallFor(ctx context.Context, dir state.Dir, r api.RecallRequest, all bool) (api.RecallReply, error) {
	if err := ensure(ctx, dir); err != nil {
		slog.New(slog.NewTextHandler(os.Stderr, nil)).Warn("no daemon", "err", err)
	}
	ask, done, err := recaller(ctx, dir)
	if err != nil {
		return api.RecallReply{}, err
	}
	defer done()
	out, err := ask(r)
	for err == nil && all && utf8.RuneCountInString(out.Text) < mcp.MaxAnswer-door.Page {
		next, more := door.Next(out.Note)
		if !more {
			break
		}
		r.Lines = next
		var page api.RecallReply
		if page, err = ask(r); err == nil {
			page.Text = out.Text + page.Text
			out = page
		}
	}
	return out, err
}
