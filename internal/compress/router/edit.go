package router

import (
	"winnow/internal/compress"
	"winnow/internal/marker"
	"winnow/internal/text"
)

// run is lines to hide and the marker that stands for them.
type run struct {
	Hidden
	first, last int // of the part
	note        string
}

// minGain is the least number of characters that a marker must save.
const minGain = 32

// runsOf makes runs of an editor's cuts: protected lines are taken out of them,
// and what a marker would not pay for stays. ok is false for cuts against the
// contract.
func (p *part) runsOf(cuts []compress.Cut, hint string) (runs []run, ok bool) {
	d := text.Split(p.raw)
	next := 0
	for _, c := range cuts {
		if c.First < next || c.Last < c.First || c.Last >= d.Len() {
			return nil, false
		}
		next = c.Last + 1
		for i := c.First; i <= c.Last; i++ {
			if p.keep[i] {
				continue
			}
			end := i
			for end < c.Last && !p.keep[end+1] {
				end++
			}
			digest := c.Digest
			if i != c.First || end != c.Last {
				digest = "part of: " + digest
			}
			if r, pays := p.run(d, i, end, digest, hint); pays {
				runs = append(runs, r)
				hint = ""
			}
			i = end
		}
	}
	return runs, true
}

func (p *part) run(d text.Doc, first, last int, digest, hint string) (run, bool) {
	src := d.Run(first, last)
	chars := text.Chars(src)
	if chars < 2*marker.KeyLen { // no need to hash what cannot pay
		return run{}, false
	}
	h := Hidden{Key: marker.KeyOf(src), Text: src, First: p.number(first), Last: p.number(last)}
	note := marker.Line(h.Key, last-first+1, h.First, h.Last, digest, hint)
	return run{h, first, last, note}, chars-text.Chars(note) >= minGain
}

// number is what the reader calls line i of the part.
func (p *part) number(i int) int {
	if p.nums != nil && p.nums[i] > 0 {
		return p.nums[i]
	}
	return p.base + i + 1
}
