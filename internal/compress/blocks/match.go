package blocks

import "strings"

// block looks among the blocks before line i that begin like the window at i, of
// hash sum, for the longest that the lines from i on repeat, and for how many
// times they do; lines is 0 where there is none. Blank lines around a block stay
// outside: they are what a reader sees it by.
func (e *encoder) block(i int, sum uint64) (r ref, lines int) {
	if e.blank(i) {
		return r, 0
	}
	for _, j := range e.table.get(sum) {
		if j < 0 || int(j) >= i {
			continue
		}
		k := e.common(int(j), i)
		if k == 0 || k <= r.last-r.first && lines > 0 {
			continue
		}
		r = ref{int(j) + 1, int(j) + k, 1}
		lines = k
	}
	if lines == 0 || e.d.RunSpan(i, i+lines-1).Len() < minBlock {
		return r, 0
	}
	for i+lines < e.d.Len() && e.again(r, i+lines) {
		lines += r.last - r.first + 1
		r.n++
	}
	for r.n == 1 && lines > 1 && e.blank(i+lines-1) {
		lines--
		r.last--
	}
	return r, lines
}

func (e *encoder) blank(i int) bool { return strings.TrimSpace(e.d.Line(i)) == "" }

// common returns how many lines from j and from i on are equal; those from j
// on end before i, so that a decoder has them.
func (e *encoder) common(j, i int) int {
	k := 0
	for i+k < e.d.Len() && j+k < i && e.equal(j+k, i+k) {
		k++
	}
	return k
}

// again reports whether all lines of r stand at line i once more.
func (e *encoder) again(r ref, i int) bool {
	n := r.last - r.first + 1
	if i+n > e.d.Len() {
		return false
	}
	for k := range n {
		if !e.equal(r.first-1+k, i+k) {
			return false
		}
	}
	return true
}

// window hashes the shortest run of lines from i on that holds minBlock bytes.
// Every line has a byte, its newline, so that the run is short.
func (e *encoder) window(i int) (sum uint64, ok bool) {
	if e.o.NoBlocks {
		return 0, false
	}
	size := 0
	for j := i; j < e.d.Len(); j++ {
		e.ops++
		sum = mix(sum^e.hash[j], 0x9e3779b97f4a7c15+uint64(j-i))
		if size += e.d.Lines[j].Len() + 1; size > minBlock {
			return sum, true
		}
	}
	return 0, false
}
