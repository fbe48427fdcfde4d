// Package compress is the contract between the router and its compressors. It
// knows two classes of them and never mixes them up:
//
//   - An [Editor] hides whole lines. What it leaves is byte for byte the
//     original, and each hidden run gets a recall key and a marker from the
//     router, which also takes protected lines (failures, notices, edges) out
//     of the proposal: an editor may propose too much, never write anything.
//   - An [Encoder] writes the text in another form from which Decode makes the
//     original again, every byte. A [Sampler] writes a form from which nothing
//     can be made again, so that the whole original is kept under one recall
//     key, whose tag the form must show.
//
// Compressors are pure: no I/O, no clock, no goroutine, the same answer for the
// same input, work linear in the text's length. They refuse (nil, or false)
// rather than guess, and never see text that already holds a marker.
package compress

import (
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Input is one block of one kind.
type Input struct {
	// Text is the block, without a Read's line-number margin. Any bytes.
	Text string
	Kind detect.Kind
	// Language is a name like "go" or "python" for code, the tool that wrote it
	// ("pytest", "go test", "cargo", …) for logs, "" where unknown.
	Language string
	// Tool and Command say which call printed the text: "Bash" and its command
	// line, "Read" and its file, "Grep" and its pattern; "" where unknown.
	Tool, Command string
	// Query is the task's own words, "" where there is no task: what it names stays.
	Query  string
	Limits Limits
}

// Limits are the knobs of all compressors; the zero value of each means its default.
type Limits struct {
	// MinTokens is the size below which a block is left alone (400).
	MinTokens int
	// HeadItems and TailItems are what a sampled array keeps of its ends (3, 1).
	HeadItems, TailItems int
	// MaxString is the length from which a sampled string is cut, in characters (200).
	MaxString int
}

// Defaults of [Limits].
const (
	MinTokens = 400
	HeadItems = 3
	TailItems = 1
	MaxString = 200
)

// WithDefaults returns l with each zero replaced by its default.
func (l Limits) WithDefaults() Limits {
	return l.Or(Limits{MinTokens, HeadItems, TailItems, MaxString})
}

// Or returns l with each zero replaced by what o says.
func (l Limits) Or(o Limits) Limits {
	set := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	set(&l.MinTokens, o.MinTokens)
	set(&l.HeadItems, o.HeadItems)
	set(&l.TailItems, o.TailItems)
	set(&l.MaxString, o.MaxString)
	return l
}

// Cut is a run of whole lines to hide.
type Cut struct {
	// First and Last are 0-based inclusive lines of text.Split(Input.Text).
	First, Last int
	// Digest says in a few words what was there ("41 passed", "38 times the line
	// above, 09:12:01 to 09:14:40"); the marker shows it. It holds no "\n".
	Digest string
}

// Span returns the bytes that c hides in d: without the "\n" after its last line.
func (c Cut) Span(d text.Doc) text.Span { return d.RunSpan(c.First, c.Last) }

// Editor hides lines. Cuts are in ascending order, do not overlap, and do not
// touch: two runs in a row are one.
type Editor interface {
	Name() string
	Cuts(in Input) []Cut
}

// Encoder writes a text in another form. For every text that it accepts,
// Decode(Encode(text)) is the text, byte for byte: it tries that itself, or
// refuses. It also refuses what does not get shorter, and a text that Decode
// would take for its own form.
type Encoder interface {
	Name() string
	Encode(in Input) (form string, ok bool)
	// Decode fails on what Encode did not write. It is safe on any input.
	Decode(form string) (string, error)
}

// Sampler writes a shorter form that lacks something. tag names the whole
// original and must stand in the form exactly once, as it is (also inside a
// JSON string: it holds nothing that JSON escapes), with what is missing beside it.
type Sampler interface {
	Name() string
	Sample(in Input, tag string) (form string, ok bool)
}
