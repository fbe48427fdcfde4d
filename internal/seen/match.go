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
	maxChain = 48 // windows of the chain
	maxTried = 8  // of which hold the same lines and are followed
)

// Match finds, from the first line on, the longest run that stands in one
// earlier result, and goes on behind it. id is the call whose result it is; its
// own texts are no earlier result.
func (l *Ledger) Match(id string, x Lines) []Match {
	var out []Match
	present := l.number(id)
	if present == 0 || len(l.runs) == 0 {
		return nil
	}
	for i := 0; i+Window <= len(x); {
		best, at, n := (*run)(nil), 0, 0
		next := 0 // where the run before goes on, if this is its continuation
		if len(out) > 0 {
			next = out[len(out)-1].entry + 1
		}
		tried := 0
		g := l.head[window(x[i:])&uint64(len(l.head)-1)]
		for steps := 0; g != 0 && steps < maxChain && tried < maxTried; steps++ {
			l.steps++
			first := int(g) - 1
			g = l.prev[first]
			r := l.runAt(first)
			if r == nil {
				break // all that follow are older, and dropped too
			}
			e := &l.entries[r.entry]
			if e.call >= present || !l.reach(e) {
				continue
			}
			length := l.follow(r, first, x[i:])
			if length >= Window {
				tried++
			}
			if length > n || length == n && n > 0 && r.entry+1 == next && best.entry+1 != next {
				best, at, n = r, first, length
			}
		}
		if n < Window {
			i++
			continue
		}
		out = append(out, l.match(best, at, i, n, present))
		i += n
	}
	return out
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

func (l *Ledger) match(r *run, at, start, n, present int) Match {
	e := &l.entries[r.entry]
	off := at - r.first
	return Match{
		Span: Span{start, start + n - 1}, Source: e.Source,
		Line: r.line + off, Number: r.number + off, Ago: present - e.call,
		entry: r.entry, opens: off == 0, closes: off+n == r.lines,
	}
}
