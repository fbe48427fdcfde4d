package window

import (
	"math"
	"slices"
)

// Dim is the width of the reader's states.
const Dim = 384

// Matches is the number of figures that [Match] gives a line: five a part.
const Matches = 5 * Parts

// Pool returns the mean state of each line of w, in their order, one after the
// other. states is [len(w.IDs), Dim].
func Pool(states []float32, w Window) []float32 {
	out := make([]float32, len(w.Lines)*Dim)
	for i, l := range w.Lines {
		Mean(states[l.From*Dim:l.To*Dim], out[i*Dim:(i+1)*Dim])
	}
	return out
}

// Mean writes the mean of rows, which are as wide as dst.
func Mean(rows, dst []float32) {
	n := len(rows) / len(dst)
	clear(dst)
	for r := range n {
		for j, v := range rows[r*len(dst) : (r+1)*len(dst)] {
			dst[j] += v
		}
	}
	for j := range dst {
		dst[j] /= float32(n)
	}
}

// Match is late interaction: cosines is [len(w.IDs), tokens of the query], the
// parts one after the other with widths tokens each. For each line of w and part
// it returns, from the best cosine of each token of the line, the best, the mean
// and the mean of the best three, and from the best cosine of each token of the
// part, the mean and the mean of the best five.
func Match(cosines []float32, widths [Parts]int, w Window) []float32 {
	width := widths[0] + widths[1] + widths[2]
	out := make([]float32, 0, len(w.Lines)*Matches)
	var ofLine, ofPart []float32
	for _, l := range w.Lines {
		at := 0
		for _, n := range widths {
			ofLine = ofLine[:0]
			ofPart = append(ofPart[:0], cosines[l.From*width+at:l.From*width+at+n]...)
			for t := l.From; t < l.To; t++ {
				row := cosines[t*width+at : t*width+at+n]
				best := float32(math.Inf(-1))
				for j, c := range row {
					best = max(best, c)
					ofPart[j] = max(ofPart[j], c)
				}
				ofLine = append(ofLine, best)
			}
			out = append(out, slices.Max(ofLine), mean(ofLine), top(ofLine, 3), mean(ofPart), top(ofPart, 5))
			at += n
		}
	}
	return out
}

// mean adds in the order given, so that it is the same every time.
func mean(v []float32) float32 {
	var s float32
	for _, x := range v {
		s += x
	}
	return s / float32(len(v))
}

// top returns the mean of the k greatest of v, which it sorts.
func top(v []float32, k int) float32 {
	slices.Sort(v)
	return mean(v[max(0, len(v)-k):])
}

// UnitColumns returns rows [n, Dim], each brought to length one, as columns
// [Dim, n].
func UnitColumns(rows []float32) []float32 {
	n := len(rows) / Dim
	out := make([]float32, len(rows))
	for r := range n {
		row := rows[r*Dim : (r+1)*Dim]
		var s float64
		for _, v := range row {
			s += float64(v) * float64(v)
		}
		scale := float32(1 / (math.Sqrt(s) + 1e-6))
		for j, v := range row {
			out[j*n+r] = v * scale
		}
	}
	return out
}
