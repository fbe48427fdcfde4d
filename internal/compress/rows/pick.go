package rows

import (
	"math"
	"slices"
	"strconv"
)

// Picker says which rows of many must stay when the others are hidden: the ends,
// failures, what stands out, where something changes, and what the task names.
type Picker struct {
	Head, Tail int
	Query      Query
	// JSON says that cells and rows are JSON, strings in their quotes and "" a
	// missing cell.
	JSON bool
}

// Field is a column of what is picked from, with a cell for each row.
type Field struct {
	Name  string
	Cells []string
}

// Why says for which reasons a row must stay; 0: it need not.
type Why uint8

const (
	End   Why = 1 << iota // it is at the head or the tail
	Odd                   // it stands out, or something changes with it
	Fails                 // it reports a failure
	Named                 // the task names it
)

// Pick says for each of n rows why it must stay. row gives a row's text.
func (p Picker) Pick(n int, row func(i int) string, fields []Field) []Why {
	keep := make([]Why, n)
	for i := range n {
		if i < p.Head || i >= n-p.Tail {
			keep[i] = End
		}
	}
	for _, i := range p.Query.Named(n, row, p.JSON) {
		keep[i] |= Named
	}
	for _, f := range fields {
		p.failing(f, keep)
		numeric := p.numbers(f.Cells, keep)
		p.categories(f.Cells, numeric, keep)
	}
	return keep
}

// failing keeps the rows with a failure. A number that counts errors in most
// rows is a measurement, and left to the outliers.
func (p Picker) failing(f Field, keep []Why) {
	var hits []int
	numeric := 0
	for i, c := range f.Cells {
		if c != "" && Failing(f.Name, c) {
			hits = append(hits, i)
			if _, ok := parse(c, p.JSON); ok {
				numeric++
			}
		}
	}
	if numeric > len(f.Cells)/2 {
		return
	}
	for _, i := range hits {
		keep[i] |= Fails
	}
}

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

const (
	// few is the number of rows under which statistics say nothing.
	few = 8
	// sampled bounds what the medians are taken from, so that the work is linear.
	sampled = 2048
	// far is how many robust deviations from the median make an outlier.
	far = 6
)

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

const (
	maxClasses = 64
	maxChanges = 4
)

// class is a value that several rows share.
type class struct{ count, first int }

// categories keeps the rows of rare values, of strings unlike the others, and
// those where a value that stays for long gives way to another.
func (p Picker) categories(cells []string, numeric bool, keep []Why) {
	n := len(cells)
	if n < few {
		return
	}
	classes := map[string]*class{}
	of := p.value
	if numeric || !count(cells, of, classes, min(maxClasses, n/3)) {
		clear(classes)
		if of = p.shape; !count(cells, of, classes, maxClasses) {
			return
		}
	}
	if len(classes) < 2 {
		return
	}
	rare := 0
	for _, c := range classes {
		if c.count <= max(1, n/50) {
			rare += c.count
		}
	}
	all := rare <= max(2, n/20)
	changes, last := []int{}, ""
	var buf [shapeLen]byte
	for i, cell := range cells {
		k := of(cell, &buf)
		c := classes[string(k)]
		if all && c.count <= max(1, n/50) || c.first == i && c.count <= n/10 && len(classes) <= few {
			keep[i] |= Odd
		}
		if i > 0 && string(k) != last && len(changes) <= maxChanges {
			changes = append(changes, i)
		}
		if string(k) != last {
			last = string(k)
		}
	}
	if len(changes) <= maxChanges {
		for _, i := range changes {
			keep[i] |= Odd
		}
	}
}

func count(cells []string, of func(string, *[shapeLen]byte) []byte, classes map[string]*class, most int) bool {
	var buf [shapeLen]byte
	for i, cell := range cells {
		k := of(cell, &buf)
		if c := classes[string(k)]; c != nil {
			c.count++
			continue
		}
		if len(classes) == most {
			return false
		}
		classes[string(k)] = &class{1, i}
	}
	return true
}

const shapeLen = 24

// value is what a cell says, as far as classes need to be told apart.
func (p Picker) value(s string, buf *[shapeLen]byte) []byte {
	if p.JSON && s != "" && (s[0] == '{' || s[0] == '[') {
		s = s[:1]
	}
	if len(s) > shapeLen {
		// A long value counts by its ends.
		n := copy(buf[:shapeLen/2], s)
		copy(buf[n:], s[len(s)-shapeLen/2:])
		return buf[:]
	}
	return buf[:copy(buf[:], s)]
}

// shape is how a cell looks: runs of letters and digits as one sign each.
func (p Picker) shape(s string, buf *[shapeLen]byte) []byte {
	if p.JSON && s != "" && (s[0] == '{' || s[0] == '[') {
		s = s[:1]
	}
	n, last := 0, byte(0)
	for i := 0; i < len(s) && n < shapeLen; i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c = '0'
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80, c == '_':
			c = 'a'
		}
		if c == last && (c == '0' || c == 'a') {
			continue
		}
		buf[n] = c
		last = c
		n++
	}
	return buf[:n]
}
