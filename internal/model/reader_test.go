//go:build cgo

package model

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/model/window"
	"winnow/internal/prune"
	"winnow/internal/text"
)

func TestChosen(t *testing.T) {
	tests := []struct {
		name    string
		sizes   []int     // tokens of each window
		promise []float32 // of each line; a window has two
		budget  int
		want    []int
	}{
		{"no windows", nil, nil, 10, nil},
		{"all fit", []int{5, 3, 2}, []float32{0, 0, 9, 9, 5, 5}, 10, []int{0, 1, 2}},
		{"the most promising", []int{5, 5, 5}, []float32{1, 1, 3, 3, 2, 2}, 5, []int{1}},
		{"in the order of the text", []int{5, 5, 5}, []float32{2, 2, 1, 1, 3, 3}, 10, []int{0, 2}},
		{"by its best line", []int{5, 5}, []float32{5, 5, -9, 6}, 5, []int{1}},
		{"log odds below 0", []int{5, 5}, []float32{-5, -4, -3, -6}, 5, []int{1}},
		{"the earlier of equals", []int{5, 5, 5}, []float32{1, 1, 1, 1, 1, 1}, 10, []int{0, 1}},
		{"none after the first that does not fit", []int{5, 4, 1}, []float32{3, 3, 2, 2, 1, 1}, 6, []int{0}},
		{"nothing fits", []int{5, 5}, []float32{1, 1, 2, 2}, 4, []int{}},
	}
	for _, tt := range tests {
		var all, want []window.Window
		for i, n := range tt.sizes {
			all = append(all, window.Window{IDs: make([]int64, n), Lines: []window.Line{{N: 2 * i}, {N: 2*i + 1}}})
		}
		for _, i := range tt.want {
			want = append(want, all[i])
		}
		got := chosen(all, tt.promise, tt.budget)
		if len(got) != len(want) || len(got) > 0 && !cmp.Equal(want, got) {
			t.Errorf("%s: chosen = %v, want %v", tt.name, got, want)
		}
	}
}

func TestReadingRows(t *testing.T) {
	row := func(n, width int) []float32 { return slices.Repeat([]float32{float32(n)}, width) }
	var f reading
	for _, n := range []int{1, 4, 5, 9} {
		w := window.Window{Lines: []window.Line{{N: n}}}
		f.add(w, row(n, window.Dim), row(-n, window.Matches))
	}
	tests := []struct {
		name     string
		from, to int
		want     []float32
	}{
		{"from the start", 0, 5, []float32{0, 1, 0, 0, 4}},
		{"from a line that was read", 4, 6, []float32{4, 5}},
		{"to the end", 6, 10, []float32{0, 0, 0, 9}},
		{"none read", 6, 9, []float32{0, 0, 0}},
		{"nothing", 3, 3, nil},
	}
	for _, tt := range tests {
		n := tt.to - tt.from
		vectors, matches := row(7, n*window.Dim), row(7, n*window.Matches) // what the piece before left
		f.rows(tt.from, vectors, matches)
		var wantV, wantM []float32
		for _, v := range tt.want {
			wantV = append(wantV, row(int(v), window.Dim)...)
			wantM = append(wantM, row(-int(v), window.Matches)...)
		}
		if !slices.Equal(wantV, vectors) || !slices.Equal(wantM, matches) {
			t.Errorf("%s: rows of lines %d to %d are not those that were read", tt.name, tt.from, tt.to)
		}
	}
}

func never() error { return nil }

// What is read of a text of any size is bounded, and so is what is kept of it.
func TestReadBounded(t *testing.T) {
	m := open(t, Options{})
	d := text.Split(strings.Repeat("a\n", maxLines))
	promise := make([]float32, d.Len())
	last := d.Len() - 2
	promise[last] = 1
	f, err := m.reader.read(never, query, d, promise)
	if err != nil {
		t.Fatal(err)
	}
	n := len(f.lines)
	if n > budget/2 || n < budget/2-2*window.Tokens || len(f.vectors) != n*window.Dim || len(f.matches) != n*window.Matches {
		t.Errorf("%d lines were read, with %d vectors and %d matches", n, len(f.vectors), len(f.matches))
	}
	if f.lines[0] != 0 || f.lines[n-1] != last || !slices.IsSorted(f.lines) {
		t.Errorf("lines %d to %d were read, want the first ones and line %d", f.lines[0], f.lines[n-1], last)
	}
}

func TestReadStopped(t *testing.T) {
	m := open(t, Options{})
	stopped := errors.New("stopped")
	d := text.Split("one\ntwo")
	for n := range window.Parts + 1 {
		m.reader.recent = recent{}
		left := n
		_, err := m.reader.read(func() error {
			if left--; left < 0 {
				return stopped
			}
			return nil
		}, query, d, make([]float32, d.Len()))
		if !errors.Is(err, stopped) {
			t.Errorf("read that was stopped after %d runs = %v", n, err)
		}
	}
}

// A part that is remembered is what reading it again would give.
func TestPartsRemembered(t *testing.T) {
	m := open(t, Options{})
	for _, q := range []prune.Query{query, {}} {
		first, err := m.reader.parts(never, q)
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.reader.parts(func() error { return errors.New("read again") }, q)
		if err != nil {
			t.Fatal(err)
		}
		m.reader.recent = recent{}
		fresh, err := m.reader.parts(never, q)
		if err != nil {
			t.Fatal(err)
		}
		for i := range first {
			for _, p := range []part{again[i], fresh[i]} {
				if !slices.Equal(first[i].mean, p.mean) || !slices.Equal(first[i].states, p.states) {
					t.Errorf("part %d of %v is not the same again", i, q.Task)
				}
			}
			if want := max(1, len(first[i].ids)-2) * window.Dim; len(first[i].states) != want || len(first[i].mean) != window.Dim {
				t.Errorf("part %d of %v has %d numbers, want %d", i, q.Task, len(first[i].states), want)
			}
		}
	}
}

func TestRecent(t *testing.T) {
	var r recent
	id := func(n int) []int64 { return []int64{int64(n)} }
	for i := range remembered {
		r.put(part{ids: id(i), mean: []float32{float32(i)}})
	}
	r.put(part{ids: id(3)}) // is there already
	if p, ok := r.get(id(0)); !ok || p.mean[0] != 0 {
		t.Errorf("get of the oldest = %v, %v", p, ok)
	}
	r.put(part{ids: id(100)}) // 1 has not been used for longest
	if _, ok := r.get(id(1)); ok {
		t.Error("the part not used for longest is still there")
	}
	for _, i := range []int{0, 2, 3, 15} {
		if p, ok := r.get(id(i)); !ok || p.mean[0] != float32(i) {
			t.Errorf("get(%d) = %v, %v", i, p, ok)
		}
	}
	if len(r.all) != remembered {
		t.Errorf("%d parts are kept, want %d", len(r.all), remembered)
	}
	if _, ok := r.get(nil); ok {
		t.Error("get of no ids found something")
	}
}

func TestRecentConcurrent(t *testing.T) {
	var r recent
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 500 {
				n := int64((g*7 + i*i) % 40)
				if p, ok := r.get([]int64{n}); ok && p.mean[0] != float32(n) {
					t.Errorf("get(%d) = %v", n, p)
				}
				r.put(part{ids: []int64{n}, mean: []float32{float32(n)}})
			}
		})
	}
	wg.Wait()
	seen := map[int64]bool{}
	for _, p := range r.all {
		seen[p.ids[0]] = true
	}
	if len(r.all) != remembered || len(seen) != remembered {
		t.Errorf("%d parts are kept, %d of them different, want %d", len(r.all), len(seen), remembered)
	}
}
