package rows

import (
	"math"
	"slices"
	"strconv"
)

// parse reads a number.
func parse(s string, json bool) (float64, bool) {
	if s == "" || len(s) > 400 || s[0] != '-' && s[0] != '+' && s[0] != '.' && (s[0] < '0' || s[0] > '9') {
		return 0, false
	}
	if !json && s[len(s)-1] == '%' {
		s = s[:len(s)-1]
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

type point struct {
	row int
	v   float64
}

// numbers keeps outliers and the place where the level changes. It reports
// whether the column is one of numbers.
func (p Picker) numbers(cells []string, keep []Why) bool {
	points := make([]point, 0, len(cells))
	for i, c := range cells {
		if v, ok := parse(c, p.JSON); ok {
			points = append(points, point{i, v})
		} else if i == few && len(points) == 0 {
			return false
		}
	}
	if len(points)*2 < len(cells) {
		return false
	}
	if len(points) < few {
		return true
	}
	if monotone(points) {
		steps := make([]point, len(points)-1)
		for i := range steps {
			steps[i] = point{points[i+1].row, points[i+1].v - points[i].v}
		}
		outliers(steps, 3, keep)
		return true
	}
	outliers(points, max(3, len(points)/20), keep)
	shift(points, keep)
	return true
}

func monotone(points []point) bool {
	up, down := true, true
	for i := 1; i < len(points); i++ {
		up = up && points[i].v >= points[i-1].v
		down = down && points[i].v <= points[i-1].v
	}
	return up || down
}

// outliers keeps the points that lie far from the median, the farthest if they
// are more than most.
func outliers(points []point, most int, keep []Why) {
	values := sample(points, func(p point) float64 { return p.v })
	mid := median(values)
	dev := 1.4826 * median(sample(points, func(p point) float64 { return math.Abs(p.v - mid) }))
	type far64 struct {
		row  int
		dist float64
	}
	var out []far64
	for _, p := range points {
		d := math.Abs(p.v - mid)
		if d > far*dev || math.IsNaN(d) || math.IsInf(p.v, 0) {
			out = append(out, far64{p.row, d})
		}
	}
	if len(out) > most {
		if dev == 0 && len(out) > len(points)/8 {
			return // half are equal, the rest are simply other values
		}
		slices.SortStableFunc(out, func(a, b far64) int {
			switch {
			case a.dist > b.dist:
				return -1
			case a.dist < b.dist:
				return 1
			}
			return 0
		})
		out = out[:most]
	}
	for _, o := range out {
		keep[o.row] |= Odd
	}
}

func sample(points []point, f func(point) float64) []float64 {
	step := max(1, len(points)/sampled)
	out := make([]float64, 0, sampled+1)
	for i := 0; i < len(points); i += step {
		out = append(out, f(points[i]))
	}
	return out
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// shift keeps the row where the level of a series changes for good: where the
// sum of deviations from the mean turns, if it goes farther than chance takes it.
func shift(points []point, keep []Why) {
	n := len(points)
	if n < 20 {
		return
	}
	sum := 0.0
	for _, p := range points {
		sum += p.v
	}
	mean, square, run, most, at := sum/float64(n), 0.0, 0.0, 0.0, 0
	for i, p := range points {
		d := p.v - mean
		square += d * d
		if run += d; math.Abs(run) > most {
			most, at = math.Abs(run), i
		}
	}
	if sd := math.Sqrt(square / float64(n)); sd > 0 && most > 3*sd*math.Sqrt(float64(n)) && at+1 < n {
		keep[points[at+1].row] |= Odd
	}
}
