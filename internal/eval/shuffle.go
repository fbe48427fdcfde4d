package eval

import (
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"strings"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// ShuffleTasks gives every case the task of another one, as far as the tasks
// differ at all. A judge that reads the task must rank worse after it. It holds
// all the cases while it does so: narrow them by [Graded] first.
func ShuffleTasks(cases iter.Seq2[Case, error], seed uint64) iter.Seq2[Case, error] {
	return func(yield func(Case, error) bool) {
		var all []Case
		for c, err := range cases {
			if err != nil {
				yield(c, err)
				return
			}
			all = append(all, c)
		}
		tasks := make([]prune.Task, len(all))
		for i, k := range donors(all, seed) {
			tasks[i] = all[k].Task
		}
		for i, c := range all {
			c.Task = tasks[i]
			if !yield(c, nil) {
				return
			}
		}
	}
}

// donors returns a permutation in which cases get a task from a case with
// another request: those of one session would tell them nothing new.
func donors(all []Case, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 1))
	from := rng.Perm(len(all))
	same := func(i, k int) bool { return all[i].Task.Request == all[k].Task.Request }
	for i := range from {
		if !same(i, from[i]) {
			continue
		}
		start := rng.IntN(len(all))
		for n := range all {
			j := (start + n) % len(all)
			if !same(i, from[j]) && !same(j, from[i]) {
				from[i], from[j] = from[j], from[i]
				break
			}
		}
	}
	return from
}

// shuffleLines puts the lines of a case in another order, always the same for
// the same case and seed. order[i] is the line that now is line i. A Read's
// numbers stay where they are, or the text would no longer be one of that kind;
// so do the lines beside them that have none.
func shuffleLines(c Case, seed uint64) (output string, order []int) {
	raw, judged := text.Split(c.Output), prune.Judged(c.Tool, c.Output)
	margin := make([]int, raw.Len())
	var movable []int
	for i := range margin {
		margin[i] = raw.Lines[i].Len() - judged.Lines[i].Len()
		if margin[i] > 0 || judged.Src == raw.Src {
			movable = append(movable, i)
		}
	}
	h := fnv.New64a()
	h.Write([]byte(c.ID))
	rng := rand.New(rand.NewPCG(seed, h.Sum64()))
	order = identity(raw.Len())
	for i, k := range rng.Perm(len(movable)) {
		order[movable[i]] = movable[k]
	}
	lines := make([]string, raw.Len())
	for i := range lines {
		lines[i] = raw.Line(i)[:margin[i]] + judged.Line(order[i])
	}
	return strings.Join(lines, "\n"), order
}
