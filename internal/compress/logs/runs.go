package logs

import "math"

// repeats marks lines that are the line above but for their time stamps.
func (p *pass) repeats() {
	for i := 0; i < len(p.body); {
		j := i + 1
		for j < len(p.body) && p.body[j] == p.body[i] {
			j++
		}
		if !p.blank(i) {
			for k := i + 1; k < j; k++ {
				p.set(k, repeat, i)
			}
		}
		i = j
	}
}

func (p *pass) set(i int, r rule, from int) {
	if p.rules[i] == none {
		p.rules[i], p.from[i] = r, int32(from)
	}
}

// minSeen is how many bytes a block must hold for a reader to be sent to where
// it stood before.
const (
	minSeen      = 100
	minSeenLines = 3
)

// blocks marks runs of lines that stood before in the same order: the first
// occurrence stays. Time stamps may differ.
func (p *pass) blocks() {
	first := make(map[string]int32, len(p.body))
	for i := 0; i < len(p.body); {
		if p.blank(i) || p.rules[i] != none {
			i++
			continue
		}
		j, ok := first[p.body[i]]
		if !ok {
			first[p.body[i]] = int32(i)
			i++
			continue
		}
		k, size := 0, 0
		for i+k < len(p.body) && int(j)+k < i && p.body[int(j)+k] == p.body[i+k] {
			p.ops++
			size += len(p.body[i+k]) + 1
			k++
		}
		if k < minSeenLines || size < minSeen {
			i++
			continue
		}
		for n := range k {
			p.set(i+n, seen, int(j)+n)
		}
		i += k
	}
}

// minAlike is how many lines of one form in a row are worth hiding the middle of.
const minAlike = 5

// alike marks the middle of runs of lines that have one form; the first and the
// last stay. Lines that are hidden already, and blank ones, do not end a run.
func (p *pass) alike() {
	mask := uint64(math.MaxUint64)
	var run []int
	flush := func() {
		if len(run) >= minAlike {
			for _, i := range run[1 : len(run)-1] {
				p.set(i, alike, run[0])
			}
		}
		run = run[:0]
	}
	for i := range p.body {
		if p.rules[i] != none || p.blank(i) {
			continue
		}
		m, result := maskOf(p.body[i])
		if !result {
			p.masks[i] = m
		}
		if m != mask || len(run) == 0 {
			flush()
			mask = m
		}
		run = append(run, i)
	}
	flush()
}

// A form that was seen often enough goes, wherever it stands: services write
// their few kinds of lines in turns.
const (
	formsKept = 3
	minForms  = 3 // lines in a row
)

// forms marks runs of lines each of which has a form that several lines above
// have; the last line of each form stays, since it says how things stand.
func (p *pass) forms() {
	last := map[uint64]int{}
	for i, m := range p.masks {
		if p.rules[i] != none || m == 0 {
			p.masks[i] = 0
			continue
		}
		last[m] = i
	}
	seen := map[uint64]int{}
	var run []int
	flush := func() {
		if len(run) >= minForms {
			for _, i := range run {
				p.set(i, form, i)
			}
		}
		run = run[:0]
	}
	for i, m := range p.masks {
		if p.rules[i] != none || p.blank(i) {
			continue
		}
		if seen[m]++; m == 0 || seen[m] <= formsKept || last[m] == i {
			flush()
			continue
		}
		run = append(run, i)
	}
	flush()
}
