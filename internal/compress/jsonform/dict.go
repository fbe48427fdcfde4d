package jsonform

// minEntry is the shortest value, in bytes, that may stand in the dictionary.
const minEntry = 16

// measure fills in the size and the hash of every node, from the last to the
// first so that children come before their parent.
func (s *shaper) measure() {
	nodes := s.t.nodes
	s.size = make([]uint32, len(nodes))
	s.hash = make([]uint64, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- {
		n := nodes[i]
		if n.kind < kArray {
			s.size[i] = n.end - n.start
			s.hash[i] = hashOf(s.t.src[n.start:n.end])
			continue
		}
		size, h := uint32(2), uint64(n.kind)*0x9e3779b97f4a7c15
		for j := uint32(i) + 1; j < n.next; j = nodes[j].next {
			size += s.size[j] + 1
			h = mix(h ^ s.hash[j])
		}
		s.size[i], s.hash[i] = size, h
	}
}

func mix(h uint64) uint64 {
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	h ^= h >> 29
	return h * 0x9fb21c651e98df25
}

// hashOf reads eight bytes at a time. Two values with one hash do no harm but
// to the saving: what does not decode to the original is refused.
func hashOf(s string) uint64 {
	h := uint64(len(s)) * 0x9e3779b97f4a7c15
	for ; len(s) >= 8; s = s[8:] {
		h = mix(h ^ (uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56))
	}
	for i := range len(s) {
		h = h*0x100000001b3 ^ uint64(s[i])
	}
	return mix(h)
}

// entry is a value of the dictionary or a candidate for it.
type entry struct {
	node  uint32 // where it stands first
	count int    // how often it would be written
	id    int    // its number in the dictionary, 0: none
}

// dict counts what is written more than once. While it counts, a repeated value
// is not looked into: only its first writing counts what is inside.
type dict struct {
	s       *shaper
	entries map[uint64]*entry
	order   []*entry
}

func newDict(s *shaper) *dict { return &dict{s: s, entries: map[uint64]*entry{}} }

// seen counts node i and reports whether it was there before.
func (d *dict) seen(i uint32) bool {
	if d == nil || d.s.size[i] < minEntry {
		return false
	}
	e := d.entries[d.s.hash[i]]
	if e == nil {
		e = &entry{node: i}
		d.entries[d.s.hash[i]] = e
		d.order = append(d.order, e)
	}
	e.count++
	return e.count > 1
}

// choose numbers the values that a dictionary makes shorter.
func (d *dict) choose() []*entry {
	var out []*entry
	for _, e := range d.order {
		size, ref := int(d.s.size[e.node]), 2+digits(len(out)+1)
		if e.count > 1 && (e.count-1)*size > e.count*ref+ref+8 {
			out = append(out, e)
			e.id = len(out)
		}
	}
	return out
}

func digits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

// of returns the number of node i in the dictionary, 0 where it has none.
func (d *dict) of(i uint32) int {
	if d == nil || d.s.size[i] < minEntry {
		return 0
	}
	if e := d.entries[d.s.hash[i]]; e != nil {
		return e.id
	}
	return 0
}
