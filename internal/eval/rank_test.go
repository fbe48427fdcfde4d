package eval

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"winnow/internal/prune"
)

// lines makes the lines of a record: a score each, those listed needed, every
// line of ten characters.
func lines(scores []float64, needed ...int) *record {
	r := &record{out: []outcome{{}}}
	for i, p := range scores {
		r.lines = append(r.lines, line{p: p, chars: 10, needed: slices.Contains(needed, i)})
		r.chars += 10
	}
	return r
}

var nan = math.NaN()

// near compares figures; NaN equals NaN.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 || math.IsNaN(a) && math.IsNaN(b) }

func TestAUC(t *testing.T) {
	for _, tc := range []struct {
		name string
		r    *record
		want float64
	}{
		{"all in order", lines([]float64{0.1, 0.2, 0.9}, 2), 1},
		{"all against it", lines([]float64{0.1, 0.2, 0.9}, 0), 0},
		{"a tie counts half", lines([]float64{0.5, 0.5}, 0), 0.5},
		{"one pair of four tied", lines([]float64{0.1, 0.4, 0.4, 0.9}, 2, 3), 3.5 / 4},
		{"one pair of four lost", lines([]float64{0.1, 0.6, 0.4, 0.9}, 2, 3), 0.75},
		{"nothing needed", lines([]float64{0.1, 0.2}), nan},
		{"all needed", lines([]float64{0.1, 0.2}, 0, 1), nan},
		{"no lines", lines(nil), nan},
		{"a needed line without a judgement is kept", lines([]float64{nan, 0.9, 0.2}, 0), 1},
		{"one not needed is kept as well", lines([]float64{nan, 0.9, 0.2}, 1), 0.5},
	} {
		if got := caseAUC(tc.r); !near(got, tc.want) {
			t.Errorf("%s: AUC = %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestRecall(t *testing.T) {
	ten := []float64{0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0}
	for _, tc := range []struct {
		name    string
		r       *record
		percent int
		want    float64
	}{
		{"half kept", lines(ten, 0, 4, 5, 9), 50, 0.5},
		{"three of ten kept", lines(ten, 0, 2, 3), 70, 2.0 / 3},
		{"one of ten kept", lines(ten, 1), 90, 0},
		{"of two equals the earlier is kept", lines([]float64{0.5, 0.5}, 0), 50, 1},
		{"and the later is not", lines([]float64{0.5, 0.5}, 1), 50, 0},
		{"half a line rounds to even", lines([]float64{0.9, 0.8, 0.7, 0.6, 0.5}, 1, 2), 50, 0.5},
		{"one line at least", lines([]float64{0.1, 0.9}, 1), 90, 1},
		{"no judgement is kept first", lines([]float64{0.9, nan}, 1), 50, 1},
		{"all needed", lines(ten, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9), 70, 0.3},
		{"nothing needed", lines(ten), 50, nan},
	} {
		if got := recall(tc.r, tc.percent); !near(got, tc.want) {
			t.Errorf("%s: recall at %d %% dropped = %v, want %v", tc.name, tc.percent, got, tc.want)
		}
	}
}

func TestHiddenAt(t *testing.T) {
	rising := make([]float64, 40)
	for i := range rising {
		rising[i] = float64(i) / 40
	}
	twenty := []int{}
	for i := 20; i < 40; i++ {
		twenty = append(twenty, i)
	}
	for _, tc := range []struct {
		name    string
		r       *record
		percent int
		want    float64
	}{
		{"up to the first needed line", lines(rising, 10, 11), 1, 10.0 / 40},
		{"one of twenty may be lost at 5 %", lines(rising, twenty...), 5, 21.0 / 40},
		{"and none at 1 %", lines(rising, twenty...), 1, 20.0 / 40},
		{"equals go together", lines([]float64{0.1, 0.2, 0.2, 0.9}, 1), 1, 0.25},
		{"nothing needed", lines([]float64{0.1, 0.2}), 1, 1},
		{"all needed", lines([]float64{0.1, 0.2}, 0, 1), 1, 0},
		{"the lowest is needed", lines([]float64{0.1, 0.2}, 0), 5, 0},
		{"no judgement is hidden last", lines([]float64{nan, 0.2}, 0), 1, 0.5},
		{"no lines", lines(nil), 1, nan},
	} {
		if got := hiddenAt(pool([]*record{tc.r}), []uint16{1}, tc.percent); !near(got, tc.want) {
			t.Errorf("%s: hidden at %d %% = %v, want %v", tc.name, tc.percent, got, tc.want)
		}
	}
}

// TestWeights holds weights against the same case given several times.
func TestWeights(t *testing.T) {
	a, b := lines([]float64{0.1, 0.4, 0.4, 0.8}, 1, 3), lines([]float64{0.3, 0.4, 0.9}, 0)
	twice, weighted := []*record{a, b, b}, []*record{a, b}
	for name, f := range map[string]func(recs []*record, w []uint16) float64{
		"pooled AUC":  func(recs []*record, w []uint16) float64 { return auc(pool(recs), w) },
		"hidden":      func(recs []*record, w []uint16) float64 { return hiddenAt(pool(recs), w, 5) },
		"calibration": func(recs []*record, w []uint16) float64 { return ece(recs)(w) },
		"mean AUC":    func(recs []*record, w []uint16) float64 { return mean(recs, caseAUC)(w) },
	} {
		got, want := f(weighted, []uint16{1, 2}), f(twice, []uint16{1, 1, 1})
		if !near(got, want) {
			t.Errorf("%s: %v for a case of weight 2, want %v", name, got, want)
		}
		if near(got, f(weighted, []uint16{1, 0})) {
			t.Errorf("%s: %v for weights 2 and 0 alike", name, got)
		}
	}
}

func TestReversedRanking(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		n := 2 + rng.IntN(30)
		r, back := lines(make([]float64, n)), lines(make([]float64, n))
		for i := range n {
			p := float64(rng.IntN(6)) / 5 // many ties
			needed := rng.IntN(3) == 0
			r.lines[i].p, back.lines[i].p = p, 1-p
			r.lines[i].needed, back.lines[i].needed = needed, needed
		}
		if got, want := caseAUC(back), 1-caseAUC(r); !near(got, want) {
			t.Fatalf("AUC of the reversed ranking = %v, want %v for %v", got, want, r.lines)
		}
	}
}

// scorePy holds what labels/score.py of the graded data prints for testdata.
var scorePy = map[string]float64{
	"auc":           0.6118,
	"pooled_auc":    0.6089,
	"ece":           0.1554,
	"recall@drop50": 0.5882,
	"recall@drop70": 0.5743,
	"recall@drop90": 0.3167,
	"hidden@loss1":  0.1022,
	"hidden@loss5":  0.1361,
}

// made runs testdata, whose scores are recorded.
func made(t testing.TB, change func(*Options)) *Report {
	t.Helper()
	open := func(name string) *os.File {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	labels, err := ReadLabels(open("labels.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	scores, err := ReadScores(open("scores.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Judge: "made-up", Labels: labels, Prune: prune.Options{Drop: 0.1, Keep: 0.5}, Seed: 1}
	if change != nil {
		change(&o)
	}
	r, err := Run(t.Context(), Cases(open("cases.jsonl")), Recorded(scores), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAgainstScorePy(t *testing.T) {
	r := made(t, nil)
	if r.All.Cases != 9 || r.All.Lines != 88 {
		t.Errorf("%d cases, %d lines, want 9, 88", r.All.Cases, r.All.Lines)
	}
	got := map[string]Figure{
		"auc": r.All.Ranking.AUC, "pooled_auc": r.All.Ranking.PooledAUC, "ece": r.All.Ranking.ECE,
		"recall@drop50": r.All.Ranking.Recall50, "recall@drop70": r.All.Ranking.Recall70, "recall@drop90": r.All.Ranking.Recall90,
		"hidden@loss1": r.All.Ranking.Hidden1, "hidden@loss5": r.All.Ranking.Hidden5,
	}
	for name, want := range scorePy {
		if f, ok := got[name]; !ok || math.Abs(f.Value-want) > 1e-4 {
			t.Errorf("%s = %v, want %v", name, f.Value, want)
		}
	}
}
