//go:build !unix

package client

import (
	"errors"

	"winnow/internal/state"
)

// Detached is not there yet on this platform.
func Detached(state.Dir, string, ...string) (<-chan error, error) { return nil, errors.ErrUnsupported }
