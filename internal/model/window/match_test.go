package window

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// near allows for another order of adding.
var near = cmpopts.EquateApprox(0, 1e-5)

// some is a window of three lines, one of a single token.
var some = Window{IDs: make([]int64, 12), Lines: []Line{{N: 3, From: 1, To: 4}, {N: 4, From: 5, To: 6}, {N: 9, From: 7, To: 11}}}

func values(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float32, n)
	for i := range out {
		out[i] = 2*r.Float32() - 1
	}
	return out
}

func TestPool(t *testing.T) {
	states := values(len(some.IDs)*Dim, 1)
	var want []float32
	for _, l := range some.Lines {
		for j := range Dim {
			var sum float64
			for i := l.From; i < l.To; i++ {
				sum += float64(states[i*Dim+j])
			}
			want = append(want, float32(sum/float64(l.To-l.From)))
		}
	}
	if diff := cmp.Diff(want, Pool(states, some), near); diff != "" {
		t.Errorf("Pool differs:\n%s", diff)
	}
}

func TestMean(t *testing.T) {
	got := []float32{7, 7} // what was there does not count
	Mean([]float32{1, 2, 3, 6}, got)
	if diff := cmp.Diff([]float32{2, 4}, got); diff != "" {
		t.Errorf("Mean differs:\n%s", diff)
	}
}

func TestMatch(t *testing.T) {
	for _, widths := range [][Parts]int{{1, 1, 1}, {2, 7, 3}, {40, 1, 6}} {
		width := widths[0] + widths[1] + widths[2]
		cosines := values(len(some.IDs)*width, uint64(width))
		for _, i := range []int{0, 4, 6, 11} { // [CLS] and [SEP] are in no line
			for j := range width {
				cosines[i*width+j] = 9
			}
		}
		var want []float32
		for _, l := range some.Lines {
			at := 0
			for _, n := range widths {
				want = append(want, naive(cosines, width, l, at, at+n)...)
				at += n
			}
		}
		got := Match(cosines, widths, some)
		if diff := cmp.Diff(want, got, near); diff != "" {
			t.Errorf("Match with parts of %v tokens differs:\n%s", widths, diff)
		}
		if len(got) != len(some.Lines)*Matches {
			t.Errorf("Match gives %d figures for %d lines", len(got), len(some.Lines))
		}
	}
}

// naive makes the figures of one line and one part, columns from to to.
func naive(cosines []float32, width int, l Line, from, to int) []float32 {
	at := func(i, j int) float64 { return float64(cosines[i*width+j]) }
	var line, part []float64
	for i := l.From; i < l.To; i++ {
		best := math.Inf(-1)
		for j := from; j < to; j++ {
			best = math.Max(best, at(i, j))
		}
		line = append(line, best)
	}
	for j := from; j < to; j++ {
		best := math.Inf(-1)
		for i := l.From; i < l.To; i++ {
			best = math.Max(best, at(i, j))
		}
		part = append(part, best)
	}
	return []float32{best(line, 1), best(line, len(line)), best(line, 3), best(part, len(part)), best(part, 5)}
}

// best is the mean of the n greatest of v, of all if there are fewer.
func best(v []float64, n int) float32 {
	v = slices.Clone(v)
	slices.Sort(v)
	slices.Reverse(v)
	n = min(n, len(v))
	var sum float64
	for _, x := range v[:n] {
		sum += x
	}
	return float32(sum / float64(n))
}

func TestUnitColumns(t *testing.T) {
	rows := values(3*Dim, 5)
	clear(rows[Dim : 2*Dim]) // nothing to bring to length one
	got := UnitColumns(rows)
	want := make([]float32, len(rows))
	for i := range 3 {
		var sum float64
		for _, v := range rows[i*Dim : (i+1)*Dim] {
			sum += float64(v) * float64(v)
		}
		for j := range Dim {
			if sum > 0 {
				want[j*3+i] = float32(float64(rows[i*Dim+j]) / math.Sqrt(sum))
			}
		}
	}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Errorf("UnitColumns differs:\n%s", diff)
	}
	if got := UnitColumns(nil); len(got) != 0 {
		t.Errorf("UnitColumns of nothing = %v", got)
	}
}
