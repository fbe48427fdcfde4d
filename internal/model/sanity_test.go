//go:build cgo

package model

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/eval"
	"winnow/internal/marker"
	"winnow/internal/model/inputs"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// sane is a made-up case, its text without a Read's margin, and which of its
// lines are needed.
type sane struct {
	eval.Case
	doc    text.Doc
	needed []bool
}

// TestSanity says what any judge must do, whatever weights it has: read the
// task, read the order of the lines, and read nothing else. It is no measure of
// quality; 24 cases are too few for that.
func TestSanity(t *testing.T) {
	cases := sanity(t)
	m := open(t, Options{})
	plain := judged(t, m, cases)
	auc := meanAUC(cases, plain)

	t.Run("other tasks rank worse", func(t *testing.T) {
		var sum float64
		shifts := []int{1, 7, 13}
		for _, by := range shifts {
			sum += meanAUC(cases, judged(t, m, shifted(cases, by)))
		}
		below(t, "the tasks of other cases", sum/float64(len(shifts)), auc)
	})
	t.Run("shuffled lines rank worse", func(t *testing.T) {
		var sum float64
		seeds := []uint64{1, 2, 3}
		for _, seed := range seeds {
			sum += meanAUC(cases, judgedShuffled(t, m, cases, seed))
		}
		below(t, "shuffled lines", sum/float64(len(seeds)), auc)
	})
	t.Run("evidence is not read", func(t *testing.T) { evidence(t, m, cases, plain) })
	t.Run("a marker in the output", func(t *testing.T) { markerInOutput(t, m, cases) })
	t.Run("a marker in the request", func(t *testing.T) { markerInRequest(t, m, cases) })
	// Last: by now m has judged each text with other tasks and in other orders.
	t.Run("what was judged before", func(t *testing.T) {
		judged(t, m, odd(cases))
		if diff := cmp.Diff(plain, judged(t, m, cases)); diff != "" {
			t.Errorf("scores differ after other cases were judged (-before +after):\n%s", diff)
		}
	})
	t.Run("a fresh model", func(t *testing.T) {
		fresh, backwards := open(t, Options{}), slices.Clone(cases)
		slices.Reverse(backwards)
		first, second := backwards[:len(cases)/2], backwards[len(cases)/2:]
		got := judged(t, fresh, first)
		judged(t, fresh, odd(second)) // these texts are known by another task first
		got = append(got, judged(t, fresh, second)...)
		slices.Reverse(got)
		if diff := cmp.Diff(plain, got); diff != "" {
			t.Errorf("scores differ in a fresh model, judged in the other order:\n%s", diff)
		}
	})
}

// below reports where a figure is not worse than that of the true cases.
func below(t *testing.T, what string, got, auc float64) {
	t.Helper()
	t.Logf("mean AUC %.3f, with %s %.3f", auc, what, got)
	if got >= auc {
		t.Errorf("mean AUC with %s = %.3f, want less than the %.3f of the cases as they are", what, got, auc)
	}
}

// sanity reads the cases. One file holds cases and labels.
func sanity(tb testing.TB) []sane {
	tb.Helper()
	data, err := os.ReadFile("testdata/sanity.jsonl")
	if err != nil {
		tb.Fatal(err)
	}
	labels, err := eval.ReadLabels(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	var all []sane
	for c, err := range eval.Cases(bytes.NewReader(data)) {
		if err != nil {
			tb.Fatal(err)
		}
		s := sane{Case: c, doc: prune.Judged(c.Tool, c.Output)}
		s.needed = make([]bool, s.doc.Len())
		for _, r := range labels[c.ID].Needed {
			for i := r[0]; i <= r[1]; i++ {
				s.needed[i] = true
			}
		}
		all = append(all, s)
	}
	if len(all) < 20 {
		tb.Fatalf("%d cases, want at least 20", len(all))
	}
	return all
}

func (s sane) query() prune.Query { return prune.Query{Task: s.Task, Tool: s.Tool} }

// judged returns the scores of each case.
func judged(tb testing.TB, s prune.Scorer, cases []sane) []prune.Scores {
	tb.Helper()
	out := make([]prune.Scores, len(cases))
	for k, c := range cases {
		out[k] = judgedAs(tb, s, c.query(), c.doc)
	}
	return out
}

func judgedAs(tb testing.TB, s prune.Scorer, q prune.Query, d text.Doc) prune.Scores {
	tb.Helper()
	got, err := s.Score(tb.Context(), q, d)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

// shifted gives each case the task of another one.
func shifted(cases []sane, by int) []sane {
	out := slices.Clone(cases)
	for k := range out {
		out[k].Task = cases[(k+by)%len(cases)].Task
	}
	return out
}

// judgedShuffled judges the lines in another order and gives each line its own
// score back.
func judgedShuffled(tb testing.TB, s prune.Scorer, cases []sane, seed uint64) []prune.Scores {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 0))
	out := make([]prune.Scores, len(cases))
	for k, c := range cases {
		lines := make([]string, c.doc.Len())
		order := rng.Perm(len(lines))
		for i, from := range order {
			lines[i] = c.doc.Line(from)
		}
		got := judgedAs(tb, s, c.query(), text.Split(strings.Join(lines, "\n")))
		out[k] = prune.Scores{Line: make([]float64, len(lines)), Failure: got.Failure}
		for i, from := range order {
			out[k].Line[from] = got.Line[i]
		}
	}
	return out
}

// meanAUC is the mean over the cases of the chance that a needed line scores
// above one that is not, ties counting half.
func meanAUC(cases []sane, scores []prune.Scores) float64 {
	var sum float64
	for k, c := range cases {
		var won, pairs float64
		for i, p := range scores[k].Line {
			for j, q := range scores[k].Line {
				if !c.needed[i] || c.needed[j] {
					continue
				}
				pairs++
				if p > q {
					won++
				} else if p == q {
					won += 0.5
				}
			}
		}
		sum += won / pairs
	}
	return sum / float64(len(cases))
}

func TestMeanAUC(t *testing.T) {
	one := []sane{{needed: []bool{true, false, false, true}}}
	for _, tt := range []struct {
		line []float64
		want float64
	}{
		{[]float64{0.9, 0.1, 0.2, 0.8}, 1},
		{[]float64{0.1, 0.8, 0.9, 0.2}, 0},
		{[]float64{0.5, 0.5, 0.5, 0.5}, 0.5},
		{[]float64{0.9, 0.5, 0.1, 0.3}, 0.75},
	} {
		if got := meanAUC(one, []prune.Scores{{Line: tt.line}}); got != tt.want {
			t.Errorf("meanAUC of %v = %v, want %v", tt.line, got, tt.want)
		}
	}
}

// told is what a record holds beside the case itself: what the agent did next
// and how it was graded. It speaks of the lines that are not needed.
func told(c sane) map[string]any {
	var b strings.Builder
	for i, need := range c.needed {
		if !need {
			b.WriteString(c.doc.Line(i) + "\n")
		}
	}
	return map[string]any{
		"id": "another " + c.ID, "group": "group of " + c.ID, "kind": "other", "path": "data/sessions/17.jsonl",
		"next": b.String(), "needed": "0-3", "useful": "1", "why": b.String(), "confidence": "high",
	}
}

// evidence adds what is told of a case to its record and to the objects in it.
func evidence(t *testing.T, s prune.Scorer, cases []sane, want []prune.Scores) {
	judge := eval.Scoring(s)
	var bare, full, seen []map[string]any
	changed := 0
	for k, c := range cases {
		more := told(c)
		full = append(full, with(record(t, c, more), more))
		bare = append(bare, record(t, c, nil))
		got, err := judge(t.Context(), decoded(t, full[k]))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want[k], got); diff != "" {
			t.Errorf("%s: scores differ where the record tells more (-bare +told):\n%s", c.ID, diff)
		}
		c.Task.Intent += "\n" + more["next"].(string)
		seen = append(seen, record(t, c, nil))
		if !cmp.Equal(want[k], judgedAs(t, s, c.query(), c.doc)) {
			changed++
		}
	}
	rows, same := rowsOf(t, bare), rowsOf(t, full)
	for k, c := range cases {
		if !reflect.DeepEqual(rows[k], same[k]) { // go-cmp takes a minute for so many numbers
			t.Errorf("%s: training reads what the record tells", c.ID)
		}
	}
	// The same words would be seen if anything read them.
	if changed < len(cases)/2 || reflect.DeepEqual(rows, rowsOf(t, seen)) {
		t.Errorf("the same words in the intent change %d of %d cases: this test cannot fail", changed, len(cases))
	}
}

// record returns a case as a file holds it, with more in its objects.
func record(tb testing.TB, c sane, more map[string]any) map[string]any {
	tb.Helper()
	return map[string]any{"task": with(object(tb, c.Task), more), "tool": with(object(tb, c.Tool), more), "output": c.Output}
}

// object returns v as the JSON object that a record holds.
func object(tb testing.TB, v any) map[string]any {
	tb.Helper()
	var out map[string]any
	if err := json.Unmarshal(encoded(tb, v), &out); err != nil {
		tb.Fatal(err)
	}
	if input, ok := out["input"]; ok && input != nil {
		out["input"] = v.(prune.Tool).Input // as it was written: its arguments have an order
	}
	return out
}

// with adds to dst what of more it has not.
func with(dst, more map[string]any) map[string]any {
	for k, v := range more {
		if _, ok := dst[k]; !ok {
			dst[k] = v
		}
	}
	return dst
}

func encoded(tb testing.TB, v any) []byte {
	tb.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// decoded reads a record as the commands do.
func decoded(tb testing.TB, record map[string]any) eval.Case {
	tb.Helper()
	for c, err := range eval.Cases(bytes.NewReader(encoded(tb, record))) {
		if err != nil {
			tb.Fatal(err)
		}
		return c
	}
	tb.Fatal("no case")
	return eval.Case{}
}

// rowsOf returns what training is given of records, but for their names.
func rowsOf(tb testing.TB, records []map[string]any) []inputs.Row {
	tb.Helper()
	var in, out bytes.Buffer
	for _, r := range records {
		in.Write(append(encoded(tb, r), '\n'))
	}
	if err := inputs.Write(&in, &out); err != nil {
		tb.Fatal(err)
	}
	rows := make([]inputs.Row, len(records))
	dec := json.NewDecoder(&out)
	for i := range rows {
		if err := dec.Decode(&rows[i]); err != nil {
			tb.Fatal(err)
		}
		rows[i].ID = ""
	}
	return rows
}

// little is how far a marker may move the other lines' scores on average.
const little = 0.05

// gap returns the middle of the longest run of lines that are not needed.
func gap(c sane) int {
	best, at, run := 0, 0, 0
	for i, need := range c.needed {
		if run++; need {
			run = 0
		}
		if run > best {
			best, at = run, i-run/2
		}
	}
	return at
}

// gapMarker is what could stand for line i of c and those after it.
func gapMarker(c sane, i int, digest string) string {
	return marker.Line(marker.KeyOf(c.doc.Line(i)), 12, i+1, i+12, digest, marker.DefaultHint)
}

func withLine(d text.Doc, i int, line string) text.Doc {
	lines := strings.Split(d.Src, "\n")
	lines[i] = line
	return text.Split(strings.Join(lines, "\n"))
}

// markerInOutput puts a marker, and an ordinary comment, in a line's place.
func markerInOutput(t *testing.T, s prune.Scorer, cases []sane) {
	const around = 3
	var moved, lines, raised, near float64
	for _, c := range cases {
		at := gap(c)
		marked := judgedAs(t, s, c.query(), withLine(c.doc, at, gapMarker(c, at, c.doc.Line(at)))).Line
		plain := judgedAs(t, s, c.query(), withLine(c.doc, at, "# these lines are the same as in the last edition of this text")).Line
		for i := range marked {
			if i == at {
				continue
			}
			moved += math.Abs(marked[i] - plain[i])
			lines++
			if max(i-at, at-i) <= around {
				raised += marked[i] - plain[i]
				near++
			}
		}
	}
	t.Logf("a marker moves other lines by %.4f, raises its neighbours by %.4f", moved/lines, raised/near)
	if moved/lines >= little {
		t.Errorf("a marker moves the other lines' scores by %.3f on average, want less than %v", moved/lines, little)
	}
	if raised/near >= little {
		t.Errorf("a marker raises its neighbours' scores by %.3f on average, want less than %v", raised/near, little)
	}
}

// markerInRequest ends the request with a marker and a path of recorded data,
// and with a sentence that means as little to the task.
func markerInRequest(t *testing.T, s prune.Scorer, cases []sane) {
	var moved, lines float64
	for _, c := range cases {
		q := c.query()
		q.Task.Request = c.Task.Request + "\n" + gapMarker(c, gap(c), "") + "\ndata/sessions/17.jsonl"
		marked := judgedAs(t, s, q, c.doc).Line
		q.Task.Request = c.Task.Request + "\nThank you in advance, I am back from lunch in about half an hour and will then read what you write."
		for i, p := range judgedAs(t, s, q, c.doc).Line {
			moved += math.Abs(marked[i] - p)
			lines++
		}
	}
	t.Logf("a marker and a path in the request move lines by %.4f", moved/lines)
	if moved/lines >= little {
		t.Errorf("a marker and a path in the request move scores by %.3f on average, want less than %v", moved/lines, little)
	}
}

// odd are cases whose requests hold what must not stay with the judge.
func odd(cases []sane) []sane {
	out := slices.Clone(cases)
	for k, c := range out {
		out[k].Task.Request = "see data/sessions/17.jsonl and data/labels/answers.jsonl\n" +
			gapMarker(c, gap(c), c.doc.Line(gap(c))) + "\n" + told(c)["next"].(string)
	}
	return out
}
