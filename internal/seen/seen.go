// Package seen knows what one loop of a conversation was already shown, line by
// line, and finds in a new result the runs of lines that still stand there, so
// that a reference can take their place.
//
// A [Ledger] keeps hashes, never text. It is pure: no clock, no file, no
// goroutine; [Book] holds the ledgers of all loops and their files. It never
// guesses: what winnow hid was not shown, what is too far back, too old or
// perhaps no longer in the context is forgotten, and whatever cannot be told
// means that the result stays as it is.
package seen

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
	"time"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// What a reference may be made of.
const (
	// Window is how many lines in a row a run has at least; they are found by
	// the hash of as many.
	Window = 4
	// MinChars is how many characters a run has at least.
	MinChars = 200
	// Neighbours is how many lines beside a changed line of a file stay with it,
	// and RunNeighbours in what a command prints when it runs again.
	Neighbours    = 2
	RunNeighbours = 1
)

// Options set a [Ledger] up. The zero value is the documented default.
type Options struct {
	// Calls is how many calls back a reference may point. 0: 40.
	Calls int
	// Chars is how many characters of results may have been shown since, the
	// share of the window in which a reference may point. 0: [DefaultChars].
	Chars int64
	// Idle is how long a loop may be still before all of it is forgotten: the
	// host may have cleared old results meanwhile. 0: an hour.
	Idle time.Duration
	// Lines bounds the ledger; the oldest results go first. 0: [DefaultLines].
	Lines int
	// Seed goes into every hash: nobody who does not know it can make two lines
	// that count as one.
	Seed [16]byte
}

// Defaults. A line costs some 20 bytes (hash, chain, its share of the table),
// twice that while as many dropped ones wait to be cleared away: a ledger at its
// bound takes under 3 MB; see [Ledger.Bytes].
const (
	DefaultCalls = 40
	DefaultChars = 400_000 // half a window of 200,000 tokens
	DefaultIdle  = time.Hour
	DefaultLines = 1 << 16
)

func (o Options) defaults() Options {
	if o.Calls == 0 {
		o.Calls = DefaultCalls
	}
	if o.Chars == 0 {
		o.Chars = DefaultChars
	}
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	if o.Lines == 0 {
		o.Lines = DefaultLines
	}
	return o
}

// Lines are the hashes of a text's lines. 0 is a line that stands for nothing:
// it holds a marker.
type Lines []uint64

// Lines hashes the lines of d.
func (l *Ledger) Lines(d text.Doc) Lines {
	out := make(Lines, d.Len())
	marked := strings.Contains(d.Src, marker.Open)
	buf := append(make([]byte, 0, 256), l.o.Seed[:]...)
	for i := range out {
		line := d.Line(i)
		if marked && strings.Contains(line, marker.Open) {
			continue
		}
		buf = append(buf[:len(l.o.Seed)], line...)
		sum := sha256.Sum256(buf)
		out[i] = max(binary.LittleEndian.Uint64(sum[:]), 1)
	}
	return out
}

// window mixes the hashes of [Window] lines.
func window(h []uint64) uint64 {
	var w uint64
	for _, x := range h[:Window] {
		w = (w<<23 | w>>41) ^ x
		w *= 0x9e3779b97f4a7c15
	}
	return w ^ w>>29
}

// Source is a result that a loop was shown.
type Source struct {
	// ID is the call's id, Row the row's, where the door knows it.
	ID, Row string
	// Name is how a reference calls it: a file's name, a command. Of is what it is
	// a reading of.
	Name, Of string
}

// Span is a run of lines, both ends included.
type Span struct{ Start, End int }
