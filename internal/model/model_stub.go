//go:build !cgo

package model

import (
	"context"
	"fmt"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// Model cannot be had in a build without cgo.
type Model struct{}

var _ prune.Scorer = (*Model)(nil)

// Open fails with [ErrUnavailable].
func Open(context.Context, Options) (*Model, error) {
	return nil, fmt.Errorf("built without cgo: %w", ErrUnavailable)
}

// Score is here for the interface; no Model exists to call it on.
func (*Model) Score(context.Context, prune.Query, text.Doc) (prune.Scores, error) {
	return prune.Scores{}, ErrUnavailable
}

// Close does nothing.
func (*Model) Close() error { return nil }
