package blocks

import (
	"encoding/binary"
	"math/bits"
)

// table maps the hash of a window to where it stood first and last.
type table struct {
	keys  []uint64
	where [][2]int32
	mask  uint64
	free  int
}

func newTable(lines int) *table {
	size := 16
	for size < lines*2 {
		size *= 2
	}
	t := &table{keys: make([]uint64, size), where: make([][2]int32, size), mask: uint64(size - 1), free: size - size/4}
	return t
}

// probes bounds the slots that are looked at, so that no text can make a
// lookup slow; a window that finds no slot is not remembered.
const probes = 8

func (t *table) slot(sum uint64) (int, bool) {
	sum |= 1 // 0 is an empty slot
	for i := range uint64(probes) {
		at := (sum>>1 + i) & t.mask
		if t.keys[at] == sum || t.keys[at] == 0 {
			return int(at), t.keys[at] == sum
		}
	}
	return -1, false
}

// get returns the first and the last place, -1 where there is none.
func (t *table) get(sum uint64) [2]int32 {
	if at, ok := t.slot(sum); ok {
		w := t.where[at]
		if w[0] == w[1] {
			w[1] = -1
		}
		return w
	}
	return [2]int32{-1, -1}
}

func (t *table) put(sum uint64, line int32) {
	at, ok := t.slot(sum)
	switch {
	case at < 0:
	case ok:
		t.where[at][1] = line
	default:
		t.keys[at] = sum | 1
		t.where[at] = [2]int32{line, line}
	}
}

// hashOf hashes a line eight bytes at a time. It is the same in every run:
// what is folded must not depend on a seed.
func hashOf(s string) uint64 {
	h := uint64(len(s)) * 0xa0761d6478bd642f
	for len(s) >= 8 {
		h = mix(h^word(s), 0xe7037ed1a0b428db)
		s = s[8:]
	}
	var tail [8]byte
	copy(tail[:], s)
	return mix(h^binary.LittleEndian.Uint64(tail[:]), 0x8ebc6af09c88c6e3)
}

func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x589965cc75374cc3, b)
	return hi ^ lo
}
