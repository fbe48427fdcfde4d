package lexical

// fade is what of a line's weight reaches its neighbour.
const fade = 0.8

// spread lets each line know of the lines around it.
func (t *Table) spread() {
	t.signals.sum()
	var near, err float32
	for i := range t.lines {
		near, err = t.fadeIn(i, near, err)
		t.within(i)
	}
	near, err = 0, 0
	for i := len(t.lines) - 1; i >= 0; i-- {
		near, err = t.fadeIn(i, near, err)
	}
	t.signals.best(t.lines, t.shape.blocks())
}

func (t *Table) fadeIn(i int, near, err float32) (float32, float32) {
	l := &t.lines[i]
	near = max(near*fade, t.rel(i))
	err *= fade
	if l.kind&(kindError|kindFailed) != 0 {
		err = 1
	}
	l.near, l.errNear = max(l.near, near), max(l.errNear, err)
	return near, err
}

// within passes the relevance of the lines that line i stands within down to it.
func (t *Table) within(i int) {
	if at := t.lines[i].within; at >= 0 {
		t.lines[i].headline = max(t.lines[at].headline, t.rel(int(at)))
	}
}

// SettleBlank lowers each blank line's score to that of the nearest lines that
// are not blank, the lesser one: it has nothing to keep by itself, and a hidden
// run should not be broken by it. p holds a score a line.
func (t *Table) SettleBlank(p []float64) {
	for i := 0; i < len(p); {
		if t.lines[i].kind&kindBlank == 0 {
			i++
			continue
		}
		end := i
		for end < len(p) && t.lines[end].kind&kindBlank != 0 {
			end++
		}
		low := 1.0
		if i > 0 {
			low = p[i-1]
		}
		if end < len(p) {
			low = min(low, p[end])
		}
		if i == 0 && end == len(p) {
			low = 0
		}
		for ; i < end; i++ {
			p[i] = min(p[i], low)
		}
	}
}
