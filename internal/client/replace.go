package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"winnow/internal/api"
	"winnow/internal/state"
)

// What a caller is told of a daemon that stays although another was wanted.
var (
	// ErrNewer: it is of a later version, and nothing replaces that.
	ErrNewer = errors.New("the running daemon is newer")
	// ErrWire: it speaks another protocol than this binary.
	ErrWire = errors.New("the running daemon speaks another protocol")
)

// leaving is how long a daemon that was asked to leave may take: it finishes what
// it answers, which package serve bounds.
const leaving = 10 * time.Second

// deed is what becomes of a daemon that answers.
type deed int

const (
	keep    deed = iota
	dismiss      // ask it to leave
	outwait      // it is leaving already
)

// judge says what becomes of the daemon that st is of. Only a strictly newer
// version replaces one unasked; two builds of a version cannot be told older
// from newer, so that takes Replace.
func (s Spawn) judge(st api.Status) (deed, error) {
	order := 0
	if s.Version != "" {
		order = Compare(s.Version, st.Version)
	}
	switch {
	case order < 0 && s.Replace:
		return keep, fmt.Errorf("%w: it is %s, this is %s", ErrNewer, st.Version, s.Version)
	case st.Leaving:
		return outwait, nil
	case order > 0, s.Replace && st.Build != s.Build:
		return dismiss, nil
	case max(st.Wire, 1) != api.Wire:
		return keep, fmt.Errorf("%w: it is %s, this is %s", ErrWire, st.Version, s.Version)
	}
	return keep, nil
}

// Compare orders two versions as semantic versioning does: -1, 0 or 1. What is
// no version, as of a build without one, comes before every version.
func Compare(a, b string) int { return semver.Compare(canonical(a), canonical(b)) }

func canonical(v string) string { return "v" + strings.TrimPrefix(v, "v") }

// relieve waits until the daemon is gone, which it may have to be asked for. One
// that takes too long although it answers is left alone, and the caller told.
func relieve(ctx context.Context, dir state.Dir, c *Client, do deed) error {
	if do == dismiss {
		actx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		if err := c.Stop(actx); err != nil {
			return fmt.Errorf("ask the old daemon to leave: %w", err)
		}
	}
	gone := Gone(ctx, dir, leaving)
	if gone == nil {
		return nil
	}
	if ended, err := Unstick(ctx, dir); err != nil || !ended {
		return errors.Join(gone, err)
	}
	return Gone(ctx, dir, time.Second)
}
