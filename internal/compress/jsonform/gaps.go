package jsonform

import (
	"winnow/internal/compress"
	"winnow/internal/compress/rows"
	"winnow/internal/text"
)

// Gap is a run of items, or the rest of a string, that a sample leaves out.
type Gap struct {
	// Span is where the hidden bytes stand in the text.
	Span text.Span
	// Count is the number of hidden elements, members or characters.
	Count int
	// Keys is the union of the keys of hidden objects, escaped as in the text.
	Keys []string

	form  form
	level int // strings around it whose escapes its note needs
}

type form uint8

const (
	ofElements form = iota
	ofMembers
	ofString
)

const (
	// leastSaved is what a gap must save beyond its note, in bytes.
	leastSaved = 24
	// leastRun is the shortest run of items that is hidden, in bytes: a few short
	// ones are not worth a reader's doubt.
	leastRun = 120
	// Objects are maps, of which only some members need to be seen, from so many
	// members on: of objects and arrays, or of scalars.
	mapOfObjects = 12
	mapOfScalars = 64
	// maxLists bounds lists in lists, since each looks at all that is below it.
	maxLists = 8
)

// sampler plans the gaps of one text.
type sampler struct {
	t     *tape
	lim   compress.Limits
	query rows.Query
	gaps  []Gap
	level int
	lists int // around the place
	work  int // nodes looked at, so that a test can see that it is linear
}

// walk plans the gaps of node i and what is below it. listed says that it is
// one of several items of an array.
func (s *sampler) walk(i uint32, listed bool) {
	s.work++
	n := s.t.nodes[i]
	switch {
	case n.kind == kString:
		s.str(i, listed)
	case n.kind == kArray:
		s.items(i, s.t.elems(i), s.t.elems(i), listed || n.n > 1)
	case n.kind == kObject:
		vals := s.t.elems(i)
		starts := make([]uint32, len(vals))
		for k, v := range vals {
			starts[k] = v - 1 // a key is one node
		}
		if s.isMap(vals) {
			s.items(i, starts, vals, true)
			return
		}
		for _, v := range vals {
			s.walk(v, listed)
		}
	}
}

// isMap reports whether an object is a collection and no record: its members
// are many and alike.
func (s *sampler) isMap(vals []uint32) bool {
	objects := 0
	for _, v := range vals {
		if s.t.nodes[v].kind == kObject {
			objects++
		}
	}
	return len(vals) >= mapOfObjects && objects == len(vals) || len(vals) >= mapOfScalars && (objects == 0 || objects == len(vals))
}

// items hides what of an array's elements or a map's members need not stay.
func (s *sampler) items(i uint32, starts, vals []uint32, listed bool) {
	n := len(vals)
	keep := make([]rows.Why, n)
	if size := s.t.nodes[i].end - s.t.nodes[i].start; n > s.lim.HeadItems+s.lim.TailItems+1 && size > 256 && s.lists < maxLists {
		f := fieldsOf(s.t, vals)
		s.work += int(s.t.nodes[i].next - i)
		p := rows.Picker{Head: s.lim.HeadItems, Tail: s.lim.TailItems, Query: s.query, JSON: true}
		keep = p.Pick(n, func(k int) string { return s.t.src[s.t.nodes[starts[k]].start:s.t.nodes[vals[k]].end] }, f.all)
		for k, fails := range f.fails {
			if fails {
				keep[k] |= rows.Fails
			}
		}
	} else {
		for k := range keep {
			keep[k] = rows.End
		}
	}
	s.lists++
	defer func() { s.lists-- }()
	for k := 0; k < n; k++ {
		if keep[k] != 0 {
			if keep[k]&(rows.Fails|rows.Named) == 0 {
				s.walk(vals[k], listed)
			}
			continue
		}
		first := k
		for k+1 < n && keep[k+1] == 0 {
			k++
		}
		s.run(starts[first:k+1], vals[first:k+1])
	}
}

func (s *sampler) run(starts, vals []uint32) {
	g := Gap{Span: text.Span{Start: int(s.t.nodes[starts[0]].start), End: int(s.t.nodes[vals[len(vals)-1]].end)}, Count: len(vals), level: s.level}
	if starts[0] != vals[0] {
		g.form = ofMembers
	}
	if g.Span.Len() < leastRun {
		return
	}
	seen := map[string]bool{}
	for _, v := range vals {
		if n := s.t.nodes[v]; n.kind == kObject {
			for k := v + 1; k < n.next; k = s.t.nodes[k+1].next {
				if key := s.t.inner(k); !seen[key] {
					seen[key] = true
					g.Keys = append(g.Keys, key)
				}
			}
		}
	}
	s.gaps = append(s.gaps, g)
}
