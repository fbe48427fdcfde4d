package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"winnow/internal/model"
	"winnow/internal/prune"
	"winnow/internal/text"
)

type fails struct{ err error }

func (f fails) Score(context.Context, prune.Query, text.Doc) (prune.Scores, error) {
	return prune.Scores{}, f.err
}

// One text that is too long does not end a run over many.
func TestWhole(t *testing.T) {
	d := text.Split("a\nb\nc")
	s, err := whole{fails{fmt.Errorf("%w: 3", model.ErrLong)}}.Score(t.Context(), prune.Query{}, d)
	if err != nil || len(s.Line) != d.Len() || s.Line[0] != 1 {
		t.Errorf("Score of a text too long = %v, %v, want a 1 a line", s, err)
	}
	boom := errors.New("boom")
	if _, err := (whole{fails{boom}}).Score(t.Context(), prune.Query{}, d); !errors.Is(err, boom) {
		t.Errorf("another error came as %v", err)
	}
}
