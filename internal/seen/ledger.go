package seen

import (
	"slices"
	"sort"
	"time"
)

// Ledger is what one loop was shown. It is not safe for use by many at once.
type Ledger struct {
	o Options

	// ids are the loop's newest calls by number: the last one is number calls.
	ids   []string
	calls int
	// chars counts the characters of all results shown.
	chars int64
	// last is the newest sign of life.
	last time.Time

	entries []entry // oldest first
	runs    []run   // by first
	hash    []uint64
	// prev and head chain the windows: head by bucket and prev by line hold the
	// number of a window's first line plus one, newest first.
	prev, head []uint32
	// windows counts what was looked at, for tests of growth.
	steps int64
}

// entry is a result that was shown.
type entry struct {
	Source
	call int
	// chars is what the loop had been shown when this result ended.
	chars int64
	// first and lines say which part of Ledger.hash is this entry's.
	first, lines int
}

// run is a part of an entry without a gap.
type run struct {
	first, lines int // in Ledger.hash
	entry        int
	line         int // the line of the result
	number       int // the number by which the reader knows it
}

// maxIDs is how many calls are remembered by id: more than the 60 that a door
// tells of.
const maxIDs = 128

// New returns an empty ledger.
func New(o Options) *Ledger {
	l := &Ledger{o: o.defaults()}
	l.head = make([]uint32, minHead)
	return l
}

const minHead = 1 << 8

// maxBack is how far a clock may be set back: after more, nobody knows how long
// the loop was still. Calls that run together may be told of in another order.
const maxBack = time.Minute

// Begin takes note of a call whose result is on its way. earlier are the loop's
// earlier calls as far as they are known, oldest first. A loop that was still
// for too long, or that made more calls than are told, starts anew.
func (l *Ledger) Begin(id string, earlier []string, now time.Time) {
	now = now.Round(0) // by the wall: the other clock stands still while a machine sleeps
	if still := now.Sub(l.last); !l.last.IsZero() && (still >= l.o.Idle || still < -maxBack) {
		l.Forget()
		l.last = now
	}
	if now.After(l.last) {
		l.last = now
	}
	known := make(map[string]bool, len(l.ids))
	for _, have := range l.ids {
		known[have] = true
	}
	from := 0
	for i, e := range earlier {
		if known[e] {
			from = i
			break
		}
	}
	if len(l.ids) > 0 && !known[id] && (len(earlier) == 0 || !known[earlier[from]]) {
		l.Forget() // nobody knows how many calls there were in between
	}
	for _, e := range earlier[from:] {
		if !known[e] {
			known[e] = true
			l.call(e)
		}
	}
	if !known[id] {
		l.call(id)
	}
	l.age()
}

func (l *Ledger) call(id string) {
	l.calls++
	l.ids = append(l.ids, id)
	if len(l.ids) > 2*maxIDs {
		l.ids = append(l.ids[:0], l.ids[len(l.ids)-maxIDs:]...)
	}
}

// number is the number of a call, 0 for one that is not known.
func (l *Ledger) number(id string) int {
	for i := len(l.ids) - 1; i >= 0; i-- {
		if l.ids[i] == id {
			return l.calls - (len(l.ids) - 1 - i)
		}
	}
	return 0
}

// Forget drops all that was shown: the context was compacted, cleared, rewound,
// or may have been.
func (l *Ledger) Forget() { l.drop(len(l.entries)) }

// Keep drops each result that no longer stands, and all before it: what is gone
// goes from the front.
func (l *Ledger) Keep(stands func(Source) bool) {
	for i := len(l.entries) - 1; i >= 0; i-- {
		if !stands(l.entries[i].Source) {
			l.drop(i + 1)
			return
		}
	}
}

// Retract takes back what was noted of a call: its result was asked for again,
// and another answer is the one that is shown. Hardly ever, so all is built anew.
func (l *Ledger) Retract(id string) {
	for i := len(l.entries) - 1; i >= 0; i-- {
		if l.entries[i].ID == id {
			l.remove(i)
		}
	}
}

func (l *Ledger) remove(i int) {
	e := l.entries[i]
	l.entries = slices.Delete(l.entries, i, i+1)
	l.runs = slices.DeleteFunc(l.runs, func(r run) bool { return r.entry == i })
	l.hash = slices.Delete(l.hash, e.first, e.first+e.lines)
	for k := range l.runs {
		if l.runs[k].entry > i {
			l.runs[k].entry--
			l.runs[k].first -= e.lines
		}
	}
	for k := range l.entries[i:] {
		l.entries[i+k].first -= e.lines
	}
	l.reindex()
}

// Sources returns what may be referred to, oldest first.
func (l *Ledger) Sources() []Source {
	out := make([]Source, len(l.entries))
	for i, e := range l.entries {
		out[i] = e.Source
	}
	return out
}

// Stands reports whether the result of a call may still be referred to.
func (l *Ledger) Stands(id string) bool {
	for _, e := range l.entries {
		if e.ID == id {
			return true
		}
	}
	return false
}

// age drops what is out of reach.
func (l *Ledger) age() {
	n := 0
	for n < len(l.entries) && !l.reach(&l.entries[n]) {
		n++
	}
	l.drop(n)
}

func (l *Ledger) reach(e *entry) bool {
	return l.calls-e.call <= l.o.Calls && l.chars-e.chars <= l.o.Chars
}

// drop drops the n oldest entries. The lines of the dropped stay in place until
// they are as many as the others, so that all of it takes linear time.
func (l *Ledger) drop(n int) {
	if n == 0 {
		return
	}
	l.entries = slices.Delete(l.entries, 0, n)
	r := 0
	for r < len(l.runs) && l.runs[r].entry < n {
		r++
	}
	l.runs = slices.Delete(l.runs, 0, r)
	for i := range l.runs {
		l.runs[i].entry -= n
	}
	if dead := l.dead(); dead > 0 && dead*2 >= len(l.hash) {
		l.compact(dead)
	}
}

// dead counts the lines at the front that no run holds.
func (l *Ledger) dead() int {
	if len(l.runs) == 0 {
		return len(l.hash)
	}
	return l.runs[0].first
}

func (l *Ledger) compact(dead int) {
	l.hash = append(make([]uint64, 0, len(l.hash)-dead), l.hash[dead:]...)
	for i := range l.runs {
		l.runs[i].first -= dead
	}
	for i := range l.entries {
		l.entries[i].first -= dead
	}
	l.reindex()
}

// reindex builds the chains anew, with a head for each line at least.
func (l *Ledger) reindex() {
	size := minHead
	for size < len(l.hash) {
		size *= 2
	}
	l.head, l.prev = make([]uint32, size), make([]uint32, len(l.hash))
	for _, r := range l.runs {
		l.chain(r)
	}
}

func (l *Ledger) chain(r run) {
	for i := r.first; i+Window <= r.first+r.lines; i++ {
		b := window(l.hash[i:]) & uint64(len(l.head)-1)
		l.prev[i] = l.head[b]
		l.head[b] = uint32(i + 1)
		l.steps++
	}
}

// Show takes note of what a call's result showed: the spans of its lines that
// went to the model as they were, in order. numbers are the numbers by which
// the reader knows the lines, chars the length of what was shown. The call must
// have been begun.
func (l *Ledger) Show(src Source, lines Lines, numbers []int, shown []Span, chars int) {
	call := l.number(src.ID)
	l.chars += int64(chars)
	if call == 0 {
		return
	}
	e := entry{Source: src, call: call, chars: l.chars, first: len(l.hash)}
	at := len(l.entries)
	for _, s := range shown {
		for start := s.Start; start <= s.End; start++ {
			end := start
			for end <= s.End && lines[end] != 0 && (end == start || numbers[end] == numbers[end-1]+1) {
				end++
			}
			if end-start >= Window && e.lines+end-start <= l.o.Lines {
				l.add(run{first: len(l.hash), lines: end - start, entry: at, line: start, number: numbers[start]}, lines[start:end])
				e.lines += end - start
			}
			start = max(start, end-1)
		}
	}
	if e.lines == 0 {
		return
	}
	l.entries = append(l.entries, e)
	l.bound()
}

// bound drops the oldest results while there are too many lines.
func (l *Ledger) bound() {
	n, total := 0, len(l.hash)-l.dead()
	for total > l.o.Lines {
		total -= l.entries[n].lines
		n++
	}
	l.drop(n)
}

func (l *Ledger) add(r run, h Lines) {
	l.hash = append(l.hash, h...)
	l.runs = append(l.runs, r)
	if len(l.hash) > len(l.head) {
		l.reindex()
		return
	}
	l.prev = append(l.prev, make([]uint32, len(h))...)
	l.chain(r)
}

// runAt returns the run that holds line i of all, nil where none does.
func (l *Ledger) runAt(i int) *run {
	n := sort.Search(len(l.runs), func(k int) bool { return l.runs[k].first > i }) - 1
	if n < 0 || i >= l.runs[n].first+l.runs[n].lines {
		return nil
	}
	return &l.runs[n]
}

// Bytes is the memory that the ledger takes, but for the ids and names of at
// most [Options.Calls] results.
func (l *Ledger) Bytes() int { return 8*cap(l.hash) + 4*cap(l.prev) + 4*cap(l.head) + 40*cap(l.runs) }
