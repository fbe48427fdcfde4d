package seen

// Match is a run of lines of a new text that stands in one earlier result.
type Match struct {
	Span
	// Source is the earlier result, Line its line where the run begins (0-based)
	// and Number the number by which the reader knows that line.
	Source       Source
	Line, Number int
	// Ago is how many calls ago it was shown.
	Ago int

	entry int
	// opens and closes say that the earlier result has no line before or after
	// the run that was shown: what comes next here is more, not a change.
	opens, closes bool
}

// Bounds of a look-up at one line, so that repetitive text takes linear time.
const (
	maxChain = 96 // windows of the chain
	maxTried = 16 // of which hold the same lines and are followed
)

// lazy is the length below which a run may give way to a longer one that begins
// in it: four lines that happen to be the same must not cut the head off a page.
const lazy = 12

// Match finds, from the first line on, the longest run that stands in one
// earlier result, and goes on behind it. id is the call whose result it is; its
// own texts are no earlier result.
func (l *Ledger) Match(id string, x Lines) []Match {
	present := l.number(id)
	if present == 0 || len(l.runs) == 0 {
		return nil
	}
	var out []Match
	before := -1 // the entry of the run before
	for i := 0; i+Window <= len(x); {
		best := l.longest(x[i:], present, before)
		for best.n > 0 && best.n < lazy && i+1+Window <= len(x) {
			next := l.longest(x[i+1:], present, before)
			if next.n <= best.n {
				break
			}
			i, best = i+1, next
		}
		if best.n == 0 {
			i++
			continue
		}
		before = best.run.entry
		out = append(out, l.match(best, i, present))
		i += best.n
	}
	return out
}

// found is a run of n lines from line at of all on.
type found struct {
	run   *run
	at, n int
}

// longest finds the longest run with which x begins; of two, that of the entry
// before, else the newest.
func (l *Ledger) longest(x Lines, present, before int) (best found) {
	g := l.head[window(x)&uint64(len(l.head)-1)]
	for steps, tried := 0, 0; g != 0 && steps < maxChain && tried < maxTried; steps++ {
		l.steps++
		at := int(g) - 1
		g = l.prev[at]
		r := l.runAt(at)
		if r == nil {
			break // all that follow are older, and dropped too
		}
		if e := &l.entries[r.entry]; e.call >= present || !l.reach(e) {
			continue
		}
		n := l.follow(r, at, x)
		if n < Window {
			continue
		}
		tried++
		if n > best.n || n == best.n && r.entry == before && best.run.entry != before {
			best = found{r, at, n}
		}
	}
	return best
}

// follow counts the lines from first on that x begins with.
func (l *Ledger) follow(r *run, first int, x Lines) int {
	h := l.hash[first : r.first+r.lines]
	n := 0
	for n < len(h) && n < len(x) && h[n] == x[n] && x[n] != 0 {
		n++
	}
	l.steps += int64(n)
	return n
}

func (l *Ledger) match(f found, start, present int) Match {
	e, off := &l.entries[f.run.entry], f.at-f.run.first
	return Match{
		Span: Span{start, start + f.n - 1}, Source: e.Source,
		Line: f.run.line + off, Number: f.run.number + off, Ago: present - e.call,
		entry: f.run.entry, opens: off == 0, closes: off+f.n == f.run.lines,
	}
}
