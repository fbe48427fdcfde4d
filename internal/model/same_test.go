//go:build cgo

package model

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/model/window"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// Scores are of a text and a query and of nothing else: not of what was judged
// before, what is judged beside, or how many may be.
func TestScoreHistory(t *testing.T) {
	type asked struct {
		q prune.Query
		d text.Doc
	}
	other := query
	other.Task = prune.Task{Request: "rename the shelf", Intent: "Looking for the shelf."}
	all := []asked{{query, sample(5000)}, {other, sample(3000)}, {query, text.Split("")}, {query, sparse(500)}, {other, sample(5000)}}
	of := func(m *Model, a asked) prune.Scores {
		got, err := m.Score(t.Context(), a.q, a.d)
		if err != nil {
			t.Errorf("Score = %v", err)
		}
		return got
	}
	var want []prune.Scores
	for _, a := range all { // each by a model that has judged nothing
		want = append(want, of(open(t, Options{Runs: 1}), a))
	}
	if cmp.Equal(want[0], want[4]) {
		t.Error("two queries have the same scores, so the rest shows little")
	}
	m := open(t, Options{Runs: 1})
	for _, i := range []int{0, 1, 0, 2, 4, 3, 0, 4, 1} {
		if diff := cmp.Diff(want[i], of(m, all[i])); diff != "" {
			t.Errorf("scores of text %d after others differ:\n%s", i, diff)
		}
	}
	m = open(t, Options{Runs: 3})
	var wg sync.WaitGroup
	for k := range 3 * len(all) {
		wg.Go(func() {
			if i := k % len(all); !cmp.Equal(want[i], of(m, all[i])) {
				t.Errorf("scores of text %d beside others differ", i)
			}
		})
	}
	wg.Wait()
}

// A query that was forgotten meanwhile is read again, to the same effect.
func TestScoreForgotten(t *testing.T) {
	m := open(t, Options{})
	d := sample(1000)
	want := score(t, m, d)
	for i := range remembered {
		q := prune.Query{Task: prune.Task{Request: fmt.Sprint("request ", i)}}
		if _, err := m.Score(t.Context(), q, text.Split("x")); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := m.reader.recent.get(window.Query(m.reader.tok, query)[0]); ok {
		t.Fatal("the first request is still remembered, so nothing is shown")
	}
	if diff := cmp.Diff(want, score(t, m, d)); diff != "" {
		t.Errorf("scores differ:\n%s", diff)
	}
}
