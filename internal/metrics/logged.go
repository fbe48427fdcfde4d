package metrics

import (
	"context"
	"log/slog"
)

// Counters of [Logged].
const (
	Warnings = "log.warnings"
	Errors   = "log.errors"
)

// Logged counts the warnings and errors that pass through to h, so that a status
// says when the log is worth a look.
func Logged(h slog.Handler, c *Counters) slog.Handler { return logged{h, c} }

type logged struct {
	slog.Handler
	c *Counters
}

func (l logged) Handle(ctx context.Context, r slog.Record) error {
	switch {
	case r.Level >= slog.LevelError:
		l.c.Add(Errors, 1)
	case r.Level >= slog.LevelWarn:
		l.c.Add(Warnings, 1)
	}
	return l.Handler.Handle(ctx, r)
}

func (l logged) WithAttrs(as []slog.Attr) slog.Handler {
	return logged{l.Handler.WithAttrs(as), l.c}
}

func (l logged) WithGroup(name string) slog.Handler { return logged{l.Handler.WithGroup(name), l.c} }
