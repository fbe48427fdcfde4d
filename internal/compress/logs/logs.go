// Package logs hides what the output of builds, tests and services says over
// and over: tests that passed, progress, lines that differ in a time stamp or an
// id only, blocks that stood before. Whatever is a result stays: failures,
// summaries, the first of each kind, any number that a reader could act upon.
//
// It proposes whole lines and writes nothing ([Editor]). [Screen] is the other
// half: what a terminal would show after carriage returns and colours.
package logs

import (
	"strings"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Editor hides lines of logs.
type Editor struct{}

var _ compress.Editor = Editor{}

// Name names the editor in a decision's chain.
func (Editor) Name() string { return "logs" }

// minLines is the number of lines below which nothing is looked for.
const minLines = 12

// Cuts proposes the lines to hide.
func (Editor) Cuts(in compress.Input) []compress.Cut {
	switch in.Kind {
	case detect.Log, detect.Trace, detect.Unknown:
	default:
		return nil
	}
	d := text.Split(in.Text)
	if d.Len() < minLines {
		return nil
	}
	return newPass(in, d).cuts()
}

// rule says why a line may go.
type rule uint8

const (
	none     rule = iota
	stays         // a passed test that is shown by its name
	success       // a test that passed, and what it printed
	progress      // downloads, compiled units, counters
	setup         // a CI runner's own lines
	repeat        // the line above but for its time
	seen          // part of a block that stood before
	alike         // one of many lines of one form
	form          // of a form that lines above have, too
	frame         // a library's frames deep in a stack
)

// pass is one walk over a text.
type pass struct {
	in    compress.Input
	d     text.Doc
	plain []string // as a screen would show them
	body  []string // plain without time stamps
	rules []rule
	masks []uint64 // the form of each line that alike looked at and that is no result, else 0
	// from is, for repeat and seen, the line that stays in a line's place.
	from []int32
	keep func(i int) bool
	ops  int // lines compared, for the test that says the work is linear
}

func newPass(in compress.Input, d text.Doc) *pass {
	n := d.Len()
	p := &pass{in: in, d: d, plain: make([]string, n), body: make([]string, n), rules: make([]rule, n), masks: make([]uint64, n), from: make([]int32, n)}
	for i := range n {
		p.plain[i] = shown(d.Line(i))
	}
	unstamp(p.plain, p.body)
	names := compress.NamesOf(in, d)
	p.keep = func(i int) bool { return names.In(p.plain[i]) }
	return p
}

func (p *pass) cuts() []compress.Cut {
	p.gaps()
	p.passed()
	p.packages()
	p.progress()
	p.setup()
	p.frames()
	p.repeats()
	p.blocks()
	p.alike()
	p.forms()
	hide := make([]bool, len(p.rules))
	for i, r := range p.rules {
		hide[i] = r > stays && (r == repeat || r == seen || !p.keep(i))
	}
	return compress.CutsOf(hide, p.blank, 2, p.digest)
}

func (p *pass) blank(i int) bool { return strings.TrimSpace(p.plain[i]) == "" }

// shown is what a line looks like on a screen: without escape sequences, and of
// a line that was written over only what came last.
func shown(line string) string {
	line = strings.TrimSuffix(text.Plain(line), "\r")
	if i := strings.LastIndexByte(line, '\r'); i >= 0 {
		line = line[i+1:]
	}
	return line
}
