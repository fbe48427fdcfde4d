package jsonform

import (
	"strconv"
	"strings"
	"unicode/utf8"

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
	// shortNote is about the length of a note without a tag.
	shortNote = 24
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
	if g.Span.Len() < shortNote+leastSaved {
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

// str cuts a long string. Prose that is no item of a list is what was asked
// for, and stays; so does a rest that reports a failure or that the task names.
func (s *sampler) str(i uint32, listed bool) {
	inner := s.t.inner(i)
	if len(inner) <= s.lim.MaxString || s.inside(i) {
		return
	}
	at := headEnd(inner, s.lim.MaxString)
	rest := inner[at:]
	if len(rest) < 3*leastSaved || !listed && !opaque(rest) || rows.Failure(rest) || s.query.Names(rest, true) {
		return
	}
	start := int(s.t.nodes[i].start) + 1 + at
	s.gaps = append(s.gaps, Gap{Span: text.Span{Start: start, End: start + len(rest)}, Count: chars(rest), form: ofString, level: s.level})
}

// opaque reports whether a text has no words: data in base64, hex, minified.
func opaque(s string) bool {
	return strings.Count(s, " ")+strings.Count(s, `\n`) < len(s)/80
}

// headEnd returns where the first n characters of an escaped string end.
func headEnd(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		i += charLen(s[i:])
	}
	return i
}

func chars(s string) int {
	n := 0
	for i := 0; i < len(s); n++ {
		i += charLen(s[i:])
	}
	return n
}

// charLen is the length of the character or escape that s begins with; a pair
// of surrogates is one.
func charLen(s string) int {
	if s[0] != '\\' || len(s) < 2 {
		_, n := utf8.DecodeRuneInString(s)
		return n
	}
	if s[1] != 'u' {
		return 2
	}
	if len(s) >= 12 && (s[2] == 'd' || s[2] == 'D') && strings.IndexByte("89abAB", s[3]) >= 0 && s[6] == '\\' && s[7] == 'u' {
		return 12
	}
	return min(6, len(s))
}

// inside plans the gaps of JSON inside a string. It reports whether it is JSON.
func (s *sampler) inside(i uint32) bool {
	inner := s.t.inner(i)
	if s.level >= maxInside || len(inner) < 2*minInside || inner[0] != '{' && inner[0] != '[' {
		return false
	}
	plain, offsets, ok := unescapeAt(inner)
	if !ok {
		return false
	}
	t, err := parse(plain)
	if err != nil {
		return false
	}
	sub := &sampler{t: t, lim: s.lim, query: s.query, level: s.level + 1, lists: s.lists}
	sub.walk(0, false)
	s.work += sub.work
	base := int(s.t.nodes[i].start) + 1
	for _, g := range sub.gaps {
		g.Span = text.Span{Start: base + int(offsets[g.Span.Start]), End: base + int(offsets[g.Span.End])}
		s.gaps = append(s.gaps, g)
	}
	return true
}

// unescapeAt returns what an escaped string says and where each byte of it came from.
func unescapeAt(s string) (string, []uint32, bool) {
	out := make([]byte, 0, len(s))
	offsets := make([]uint32, 0, len(s)+1)
	for i := 0; i < len(s); {
		size := 1
		if s[i] != '\\' {
			out = append(out, s[i])
		} else {
			size = charLen(s[i:])
			switch at := strings.IndexByte(`"\/nrtbf`, s[i+1]); {
			case at >= 0:
				out = append(out, "\"\\/\n\r\t\b\f"[at])
			case size == 6 || size == 12:
				r, err := strconv.Unquote(`"` + s[i:i+size] + `"`)
				if err != nil && size == 12 {
					r, err = pair(s[i:])
				}
				if err != nil {
					return "", nil, false
				}
				out = append(out, r...)
			default:
				return "", nil, false
			}
		}
		for len(offsets) < len(out) {
			offsets = append(offsets, uint32(i))
		}
		i += size
	}
	return string(out), append(offsets, uint32(len(s))), true
}

// pair reads two escapes of surrogates.
func pair(s string) (string, error) {
	hi, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return "", err
	}
	lo, err := strconv.ParseUint(s[8:12], 16, 16)
	if err != nil || lo < 0xdc00 || lo > 0xdfff {
		return "", errNotJSON
	}
	return string(rune((hi-0xd800)<<10|(lo-0xdc00)) + 0x10000), nil
}
