package eval

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
)

func TestBins(t *testing.T) {
	for p, want := range map[float64]int{-1: 0, 0: 0, 0.0199: 0, 0.02: 1, 0.05: 2, 0.1: 3, 0.2: 4, 0.4999: 4, 0.5: 5, 1: 5, 7: 5} {
		if got := binOf(p); got != want {
			t.Errorf("binOf(%v) = %d, want %d", p, got, want)
		}
	}
	recs := []*record{lines([]float64{0.01, 0.015, 0.03, nan}, 1, 3), lines([]float64{0.005, 0.7}, 1)}
	bins := reliability(recs, draw(2, 0, 1))
	got := make([][3]float64, len(bins))
	for i, b := range bins {
		got[i] = [3]float64{float64(b.Lines), b.Mean.Value, b.Needed.Value}
	}
	want := [][3]float64{{3, 0.01, 1.0 / 3}, {1, 0.03, 0}, {0, nan, nan}, {0, nan, nan}, {0, nan, nan}, {1, 0.7, 1}}
	if diff := cmp.Diff(want, got, cmp.Comparer(near)); diff != "" {
		t.Errorf("lines, mean, needed (-want +got):\n%s", diff)
	}
}

func TestECE(t *testing.T) {
	for _, tc := range []struct {
		name string
		r    *record
		want float64
	}{
		{"true probabilities", lines([]float64{0.5, 0.5}, 0), 0},
		{"wrong by a half", lines([]float64{0.5, 0.5}), 0.5},
		{"bins do not cancel", lines([]float64{0.25, 0.75}, 0), 0.75},
		{"one bin does", lines([]float64{0.41, 0.49}, 0), 0.05},
		{"1 belongs to the last bin", lines([]float64{1, 0.9}, 0, 1), 0.05},
		{"no judgement has no error", lines([]float64{nan, 0.5, 0.5}, 0, 1), 0},
		{"all needed", lines([]float64{0.2, 0.2}, 0, 1), 0.8},
		{"no lines", lines(nil), nan},
	} {
		if got := ece([]*record{tc.r})([]uint16{1}); !near(got, tc.want) {
			t.Errorf("%s: calibration error = %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestPercentile(t *testing.T) {
	for _, tc := range []struct {
		name   string
		sorted []float64
		q      float64
		want   float64
	}{
		{"none", nil, 0.5, nan},
		{"one", []float64{3}, 0.025, 3},
		{"between two", []float64{1, 2}, 0.25, 1.25},
		{"on a value", []float64{1, 2, 5}, 0.5, 2},
		{"the last", []float64{1, 2, 5}, 1, 5},
	} {
		if got := percentile(tc.sorted, tc.q); !near(got, tc.want) {
			t.Errorf("%s: percentile = %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestDraws(t *testing.T) {
	a := draw(20, 300, 7)
	if diff := cmp.Diff(a.drawn, draw(20, 300, 7).drawn); diff != "" {
		t.Errorf("the same seed draws otherwise:\n%s", diff)
	}
	if cmp.Equal(a.drawn, draw(20, 300, 8).drawn) {
		t.Error("another seed draws the same")
	}
	for _, w := range a.drawn {
		n := 0
		for _, times := range w {
			n += int(times)
		}
		if n != 20 {
			t.Fatalf("a draw has %d cases, want 20", n)
		}
	}
}

// TestBounds holds the bounds of a share against what is known of it: of 100
// cases half have it, so the mean of a draw has a deviation of 0.05.
func TestBounds(t *testing.T) {
	var recs []*record
	for i := range 100 {
		r := lines([]float64{0.5})
		r.lines[0].needed = i%2 == 0
		recs = append(recs, r)
	}
	f := draw(100, 4000, 1).figure(ratio(recs,
		func(r *record) float64 { return one(r.lines[0].needed) }, func(*record) float64 { return 1 }))
	if f.Value != 0.5 || math.Abs(f.Low-0.402) > 0.015 || math.Abs(f.High-0.598) > 0.015 {
		t.Errorf("figure = %v, want 0.5 (0.402-0.598)", f)
	}
	undefined := draw(5, 20, 1).figure(func([]uint16) float64 { return nan })
	if !math.IsNaN(undefined.Value) || !math.IsNaN(undefined.Low) || !math.IsNaN(undefined.High) {
		t.Errorf("undefined figure = %v, want NaN", undefined)
	}
}

// TestNoneSeen: no draw shows what no case did, yet the bound is not 0.
func TestNoneSeen(t *testing.T) {
	r := lines([]float64{0.5})
	r.out = []outcome{{reason: prune.Pruned}}
	recs := []*record{r, r, r, r, r, r, r, r, r, r}
	p := pathOf(recs, draw(10, 50, 1), 0, 0.1)
	if p.Pruned != 10 || p.HurtShare.Value != 0 || math.Abs(p.HurtShare.High-0.3085) > 1e-4 {
		t.Errorf("none of %d hurt: %v, want 0 of 10 (0-0.3085, the exact binomial bound)", p.Pruned, p.HurtShare)
	}
	if p = pathOf(recs, draw(10, 0, 1), 0, 0.1); !math.IsNaN(p.HurtShare.High) {
		t.Errorf("without draws the bound is %v, want none", p.HurtShare.High)
	}
}

func TestFigureJSON(t *testing.T) {
	got, err := json.Marshal([]Figure{{0.123456789, 0, 1}, {nan, nan, math.Inf(1)}})
	want := `[{"value":0.123457,"low":0,"high":1},{"value":null,"low":null,"high":null}]`
	if err != nil || string(got) != want {
		t.Errorf("JSON = %s, %v, want %s", got, err, want)
	}
}

// TestParts: parts are disjoint and together the whole, and the report's order
// does not depend on anything but the cases.
func TestParts(t *testing.T) {
	r := made(t, func(o *Options) { o.Parts, o.Resamples = true, 20 })
	for what, parts := range map[string][]Section{"tools": r.Tools, "groups": r.Groups} {
		cases, lines, needed := 0, 0, 0
		for _, s := range parts {
			cases, lines, needed = cases+s.Cases, lines+s.Lines, needed+s.Needed
		}
		if cases != r.All.Cases || lines != r.All.Lines || needed != r.All.Needed {
			t.Errorf("%s: %d cases, %d lines, %d needed; all: %d, %d, %d", what, cases, lines, needed, r.All.Cases, r.All.Lines, r.All.Needed)
		}
	}
	var names []string
	for _, s := range append(r.Tools, r.Groups...) {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"Bash", "Read", "Grep", "other", "one", "three", "two"}, names); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	a, _ := json.Marshal(r)
	b, _ := json.Marshal(made(t, func(o *Options) { o.Parts, o.Resamples = true, 20 }))
	if string(a) != string(b) {
		t.Error("two runs differ")
	}
}

func TestReasons(t *testing.T) {
	left := func(reason prune.Reason, chars int) *record {
		return &record{chars: chars, out: []outcome{{reason: reason}}}
	}
	recs := []*record{left(prune.Small, 10), left(prune.Pruned, 60), left(prune.TooLittle, 15), left(prune.Small, 10), left(prune.JSON, 5)}
	want := []Passed{
		{prune.Small, 2, 20, Figure{0.2, nan, nan}},
		{prune.TooLittle, 1, 15, Figure{0.15, nan, nan}},
		{prune.JSON, 1, 5, Figure{0.05, nan, nan}},
	}
	if diff := cmp.Diff(want, reasons(recs, draw(5, 0, 1)), cmp.Comparer(near)); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
}
