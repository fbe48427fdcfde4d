package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/internal/prune"
	"winnow/internal/text"
)

func TestShuffleTasks(t *testing.T) {
	var all []Case
	for i := range 20 {
		all = append(all, Case{ID: fmt.Sprint(i), Task: prune.Task{Request: fmt.Sprintf("request %d", i/4), Intent: fmt.Sprint(i)}})
	}
	shuffled := func(seed uint64) (tasks []prune.Task) {
		for c, err := range ShuffleTasks(seq(all...), seed) {
			if err != nil || c.ID != fmt.Sprint(len(tasks)) {
				t.Fatalf("case %s at %d: %v", c.ID, len(tasks), err)
			}
			tasks = append(tasks, c.Task)
		}
		return tasks
	}
	for seed := range uint64(20) {
		got := shuffled(seed)
		seen := map[prune.Task]bool{}
		for i, task := range got {
			if task.Request == all[i].Task.Request {
				t.Errorf("seed %d: case %d keeps its request", seed, i)
			}
			seen[task] = true
		}
		if len(got) != 20 || len(seen) != 20 {
			t.Errorf("seed %d: %d cases, %d tasks, want 20 each", seed, len(got), len(seen))
		}
	}
	if !slices.Equal(shuffled(1), shuffled(1)) || slices.Equal(shuffled(1), shuffled(2)) {
		t.Error("the seed does not decide the order")
	}
	for c := range ShuffleTasks(seq(all[0]), 1) { // nobody to swap with
		if c.Task != all[0].Task {
			t.Errorf("a single case gets %v", c.Task)
		}
	}
}

func TestShuffleLines(t *testing.T) {
	numbered := "a header\n" + strings.Join([]string{"   7→one", "   8→two", "   9→three", "  10→four", "  11→five"}, "\n") + "\n\n<system-reminder>x</system-reminder>"
	for _, tc := range []struct {
		name  string
		c     Case
		fixed []int
	}{
		{"shell", Case{ID: "a", Tool: prune.Tool{Name: "Bash"}, Output: "one\ntwo\n\nthree\nfour\nfive\n"}, nil},
		{"numbers stay where they are", Case{ID: "b", Tool: prune.Tool{Name: "Read"}, Output: numbered}, []int{0, 6, 7}},
		{"one line", Case{ID: "c", Tool: prune.Tool{Name: "Bash"}, Output: "one"}, []int{0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, order := shuffleLines(tc.c, 1)
			before, after := prune.Judged(tc.c.Tool, tc.c.Output), prune.Judged(tc.c.Tool, out)
			if after.Len() != before.Len() || len(order) != before.Len() {
				t.Fatalf("%d lines, order of %d, want %d", after.Len(), len(order), before.Len())
			}
			moved := false
			for i, k := range order {
				if after.Line(i) != before.Line(k) {
					t.Errorf("line %d = %q, want line %d, %q", i, after.Line(i), k, before.Line(k))
				}
				moved = moved || i != k
			}
			if moved != (len(order) > 1) {
				t.Errorf("order = %v", order)
			}
			for _, i := range tc.fixed {
				if order[i] != i {
					t.Errorf("line %d moved", i)
				}
			}
			if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, identity(len(order))) {
				t.Errorf("order = %v is no permutation", order)
			}
			if again, _ := shuffleLines(tc.c, 1); again != out {
				t.Error("the same seed shuffles otherwise")
			}
		})
	}
}

// A judge that knows lines by their words ranks shuffled lines as before, one
// that knows them by their place does not: labels go where their lines go.
func TestShuffledLabelsFollow(t *testing.T) {
	words := func(_ context.Context, c Case) (prune.Scores, error) {
		d := text.Split(c.Output)
		s := prune.Scores{Line: make([]float64, d.Len())}
		for i := range s.Line {
			fmt.Sscan(d.Line(i)[:2], &s.Line[i])
		}
		return s, nil
	}
	places := Recorded(map[string]prune.Scores{"c": func() prune.Scores { s, _ := words(t.Context(), log("c")); return s }()})
	for _, tc := range []struct {
		name    string
		judge   Judge
		shuffle bool
		perfect bool
	}{{"words", words, false, true}, {"words, shuffled", words, true, true}, {"places", places, false, true}, {"places, shuffled", places, true, false}} {
		r, err := Run(t.Context(), seq(log("c")), tc.judge, Options{Labels: Labels{"c": label(t, "50-59")}, Seed: 1, ShuffleLines: tc.shuffle})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.All.Ranking.AUC.Value; (got == 1) != tc.perfect {
			t.Errorf("%s: AUC = %v, want 1: %v", tc.name, got, tc.perfect)
		}
	}
}
