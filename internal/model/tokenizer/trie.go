package tokenizer

import (
	"bytes"
	"fmt"
	"slices"
)

// trie is a double array. The child of the node at cell n over byte c is the
// cell at base(n)^c if that cell's parent is n. It has two roots: for pieces
// that begin a word, and for those that continue one, without their "##".
type trie struct {
	cells []cell
}

const (
	wordRoot  = 0
	innerRoot = 1
)

// cell packs base and parent (20 bits each) and id+1 or 0 (24 bits), so that
// a step of a walk costs one load.
type cell uint64

const (
	maxCells = 1<<20 - 1
	maxVocab = 1<<24 - 2
	// vacant has a parent that no cell can be.
	vacant cell = maxCells << 24
)

func newCell(parent uint32, id int32) cell { return cell(parent)<<24 | cell(id+1) }

func (c cell) base() uint32   { return uint32(c >> 44) }
func (c cell) parent() uint32 { return uint32(c>>24) & maxCells }
func (c cell) id() int32      { return int32(c&(1<<24-1)) - 1 } // -1: no piece ends here

// find returns the id of a whole piece, without its "##" below innerRoot.
func (t *trie) find(root uint32, piece string) (id int32, ok bool) {
	at := root
	for i := range len(piece) {
		next := t.cells[at].base() ^ uint32(piece[i])
		if t.cells[next].parent() != at {
			return 0, false
		}
		at = next
	}
	id = t.cells[at].id()
	return id, id >= 0
}

// key is a piece to be placed.
type key struct {
	text []byte
	id   int32
}

func newTrie(pieces [][]byte) (*trie, error) {
	var roots [2][]key
	for i, p := range pieces {
		if rest, ok := bytes.CutPrefix(p, []byte("##")); ok && len(rest) > 0 {
			roots[innerRoot] = append(roots[innerRoot], key{rest, int32(i)})
		} else {
			roots[wordRoot] = append(roots[wordRoot], key{p, int32(i)})
		}
	}
	b := &builder{free: len(roots)}
	b.grow()
	for i, keys := range roots {
		if err := sortKeys(keys); err != nil {
			return nil, err
		}
		b.cells[i] = newCell(maxCells, -1)
		b.taken[i] = true
		b.todo = append(b.todo, node{len(b.keys), len(b.keys) + len(keys), 0, uint32(i)})
		b.keys = append(b.keys, keys...)
	}
	// Breadth first: the nodes with many children come while there is room,
	// the many with one child fill the holes.
	for i := 0; i < len(b.todo); i++ {
		b.set(b.todo[i])
	}
	if len(b.cells) > maxCells {
		return nil, fmt.Errorf("vocabulary needs %d trie cells, over %d", len(b.cells), maxCells)
	}
	return &trie{b.cells}, nil
}

func sortKeys(keys []key) error {
	slices.SortFunc(keys, func(x, y key) int { return bytes.Compare(x.text, y.text) })
	for i := 1; i < len(keys); i++ {
		if a, b := keys[i-1], keys[i]; bytes.Equal(a.text, b.text) {
			return fmt.Errorf("vocabulary lines %d and %d are both %q", min(a.id, b.id)+1, max(a.id, b.id)+1, a.text)
		}
	}
	return nil
}

// node is a range of the keys, with a common head of depth bytes.
type node struct {
	lo, hi int
	depth  int
	at     uint32
}

type builder struct {
	cells []cell
	taken []bool
	free  int // no cell below is free
	keys  []key
	todo  []node
	// kids and labels are the children of the node being set.
	kids   []node
	labels []byte
}

// set finds room for the children of n and queues them.
func (b *builder) set(n node) {
	b.split(n)
	if len(b.kids) == 0 {
		return
	}
	base := b.base()
	b.cells[n.at] |= cell(base) << 44
	for i, kid := range b.kids {
		id := int32(-1)
		if first := b.keys[kid.lo]; len(first.text) == kid.depth {
			id = first.id
			kid.lo++
		}
		kid.at = base ^ uint32(b.labels[i])
		b.taken[kid.at] = true
		b.cells[kid.at] = newCell(n.at, id)
		if kid.lo < kid.hi {
			b.todo = append(b.todo, kid)
		}
	}
}

// split groups the keys of n by their next byte.
func (b *builder) split(n node) {
	b.kids, b.labels = b.kids[:0], b.labels[:0]
	for i := n.lo; i < n.hi; {
		c, j := b.keys[i].text[n.depth], i+1
		for j < n.hi && b.keys[j].text[n.depth] == c {
			j++
		}
		b.kids = append(b.kids, node{lo: i, hi: j, depth: n.depth + 1})
		b.labels = append(b.labels, c)
		i = j
	}
}

// window is how many of the last cells are searched for room for several
// children; what is free before is left to single ones, so that building
// stays fast.
const window = 512

// base finds one that puts every label on a free cell. A base and the cells
// it leads to lie in one block of 256.
func (b *builder) base() uint32 {
	for b.free < len(b.taken) && b.taken[b.free] {
		b.free++
	}
	at := b.free
	if len(b.labels) > 1 {
		at = max(at, len(b.taken)-window)
	}
	for ; ; at++ {
		if at == len(b.taken) {
			b.grow()
		}
		if base := uint32(at) ^ uint32(b.labels[0]); b.fits(base) {
			return base
		}
	}
}

func (b *builder) fits(base uint32) bool {
	for _, c := range b.labels {
		if b.taken[base^uint32(c)] {
			return false
		}
	}
	return true
}

func (b *builder) grow() {
	b.taken = append(b.taken, make([]bool, 256)...)
	for range 256 {
		b.cells = append(b.cells, vacant)
	}
}
