package seen

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"
)

// magic begins a stored ledger; its last byte is the version of the layout.
const magic = "winnow-seen\x00\x01"

// ErrStored reports bytes that are no ledger of this version: it is then as if
// nothing had been shown.
var ErrStored = errors.New("not a stored ledger")

// MarshalBinary gives the ledger as bytes: eight for each line, and little else.
func (l *Ledger) MarshalBinary() ([]byte, error) {
	dead := l.dead()
	b := append(make([]byte, 0, 8*(len(l.hash)-dead)+4096), magic...)
	b = append(b, l.o.Seed[:]...)
	put := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	text := func(s string) { put(len(s)); b = append(b, s...) }
	last := int64(0)
	if !l.last.IsZero() {
		last = l.last.UnixNano()
	}
	b = binary.AppendVarint(b, last)
	put(l.calls)
	put(int(l.chars))
	ids := l.ids[max(0, len(l.ids)-maxIDs):]
	put(len(ids))
	for _, id := range ids {
		text(id)
	}
	put(len(l.entries))
	for _, e := range l.entries {
		for _, s := range []string{e.ID, e.Row, e.Name, e.Of} {
			text(s)
		}
		put(e.call)
		put(int(e.chars))
		put(e.lines)
	}
	put(len(l.runs))
	for _, r := range l.runs {
		for _, n := range []int{r.lines, r.entry, r.line, r.number} {
			put(n)
		}
	}
	for _, h := range l.hash[dead:] {
		b = binary.LittleEndian.AppendUint64(b, h)
	}
	return sealed(b), nil
}

// sealed appends the checksum.
func sealed(b []byte) []byte { return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b)) }

// Restore reads a stored ledger. o's bounds hold from now on; the seed is the
// stored one.
func Restore(b []byte, o Options) (*Ledger, error) {
	if len(b) < len(magic)+20 || string(b[:len(magic)]) != magic {
		return nil, ErrStored
	}
	body, sum := b[:len(b)-4], binary.LittleEndian.Uint32(b[len(b)-4:])
	if crc32.ChecksumIEEE(body) != sum {
		return nil, fmt.Errorf("checksum: %w", ErrStored)
	}
	r := reader{b: body[len(magic):]}
	copy(o.Seed[:], r.bytes(16))
	l := New(o)
	l.read(&r)
	if r.bad || len(r.b) > 0 || !l.sound() {
		return nil, fmt.Errorf("contents: %w", ErrStored)
	}
	l.reindex()
	l.bound()
	return l, nil
}

func (l *Ledger) read(r *reader) {
	if last := r.int64(); last != 0 {
		l.last = time.Unix(0, last)
	}
	l.calls, l.chars = r.int(), r.int64()
	for range r.count(maxIDs) {
		l.ids = append(l.ids, r.text())
	}
	first := 0
	for range r.count(len(r.b)) {
		e := entry{Source: Source{ID: r.text(), Row: r.text(), Name: r.text(), Of: r.text()}, call: r.int(), chars: r.int64(), first: first, lines: r.int()}
		first += e.lines
		l.entries = append(l.entries, e)
	}
	at := 0
	for range r.count(len(r.b)) {
		n := run{first: at, lines: r.int(), entry: r.int(), line: r.int(), number: r.int()}
		at += n.lines
		l.runs = append(l.runs, n)
	}
	if at < 0 || at*8 != len(r.b) {
		r.bad = true
		return
	}
	l.hash = make([]uint64, at)
	for i := range l.hash {
		l.hash[i] = binary.LittleEndian.Uint64(r.bytes(8))
	}
}

// sound reports whether what was read hangs together.
func (l *Ledger) sound() bool {
	if l.calls < len(l.ids) || l.chars < 0 {
		return false
	}
	held := make([]int, len(l.entries))
	last := 0
	for _, r := range l.runs {
		if r.lines < Window || r.entry < last || r.entry >= len(held) || r.line < 0 || r.number < 0 {
			return false
		}
		last = r.entry
		held[r.entry] += r.lines
	}
	for i, e := range l.entries {
		if e.lines <= 0 || e.lines != held[i] || e.call < 1 || e.call > l.calls || e.chars < 0 || e.chars > l.chars {
			return false
		}
	}
	return true
}

// reader takes values off bytes; bad says that there were too few.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) int64() int64 {
	n, size := binary.Varint(r.b)
	if size <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) int() int {
	n := r.int64()
	if n < -1<<31 || n > 1<<31 {
		r.bad = true
		return 0
	}
	return int(n)
}

// count reads a number of things, each of which takes a byte at least.
func (r *reader) count(most int) int {
	if n := r.int(); n >= 0 && n <= most && !r.bad {
		return n
	}
	r.bad = true
	return 0
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return make([]byte, max(0, min(n, 16)))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) text() string { return string(r.bytes(r.count(len(r.b)))) }
