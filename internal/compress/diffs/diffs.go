// Package diffs hides of unified diffs what places a change without being one:
// context beyond the line next to it, and the hunks of lock files and generated
// files. Commit messages, headers and the changed lines themselves stay, and
// nothing else may be hidden of a diff afterwards: what is left still says
// exactly what changes where.
package diffs

import (
	"strconv"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Editor hides lines of diffs.
type Editor struct{}

var _ compress.Editor = Editor{}

// Name names the editor in a decision's chain.
func (Editor) Name() string { return "diffs" }

// Cuts proposes the lines to hide.
func (Editor) Cuts(in compress.Input) []compress.Cut {
	if in.Kind != detect.Diff && in.Kind != detect.Unknown || wantsContext(in.Command) {
		return nil
	}
	d := text.Split(in.Text)
	p := &pass{d: d, rules: make([]rule, d.Len())}
	if !p.read() {
		return nil
	}
	names := compress.NamesOf(in, d)
	hide := make([]bool, len(p.rules))
	for i, r := range p.rules {
		hide[i] = r != stays && !(r == context && names.In(d.Line(i)))
	}
	return compress.CutsOf(hide, func(int) bool { return false }, minCut, p.digest)
}

// minCut is how many lines a gap must have: for the two lines that git shows beside
// the nearest one, a marker does not pay.
const minCut = 3

// wantsContext reports whether the command asked for more context than usual.
func wantsContext(command string) bool {
	for _, w := range strings.Fields(command) {
		if n, ok := strings.CutPrefix(w, "-U"); ok && number(n) > 3 {
			return true
		}
		if n, ok := strings.CutPrefix(w, "--unified="); ok && number(n) > 3 {
			return true
		}
		if w == "-W" || w == "--function-context" {
			return true
		}
	}
	return false
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

type rule uint8

const (
	stays   rule = iota
	context      // unchanged lines away from a change
	made         // a hunk of a file that a tool wrote
)

type pass struct {
	d     text.Doc
	rules []rule
	file  string // of the hunks that follow
}

// near is how many unchanged lines stay on each side of a change.
const near = 1

// read walks over the hunks; it reports whether there was one.
func (p *pass) read() bool {
	found := false
	for i := 0; i < p.d.Len(); {
		l := p.line(i)
		switch {
		case strings.HasPrefix(l, "diff "):
			p.file = lastWord(l)
		case strings.HasPrefix(l, "+++ "):
			if f := upTo(l[4:], "\t"); f != "/dev/null" {
				p.file = f
			}
		case strings.HasPrefix(l, "--- "):
			if f := upTo(l[4:], "\t"); p.file == "" {
				p.file = f
			}
		case strings.HasPrefix(l, "@@ -"):
			if before, after, ok := sizes(l); ok {
				found = true
				i = p.hunk(i+1, before, after)
				continue
			}
		}
		i++
	}
	return found
}

func (p *pass) line(i int) string { return strings.TrimSuffix(text.Plain(p.d.Line(i)), "\r") }

// hunk reads the body of a hunk, which begins at line i, and returns the line
// after it.
func (p *pass) hunk(i, before, after int) int {
	start := i
	gone := generated(p.file)
	last := start - 1 - near // the last changed line
	for ; i < p.d.Len() && (before > 0 || after > 0); i++ {
		sign := byte(' ')
		if l := p.line(i); l != "" {
			sign = l[0]
		}
		switch sign {
		case '+':
			after--
		case '-':
			before--
		case ' ', '\r':
			before, after = before-1, after-1
		case '\\':
			continue
		default: // cut short by whoever printed it
			return i
		}
		switch {
		case gone:
			p.rules[i] = made
		case sign == ' ' || sign == '\r':
			if i-last > near || last < start {
				p.rules[i] = context
			}
		default:
			for j := max(start, i-near); j < i; j++ {
				if p.rules[j] == context {
					p.rules[j] = stays
				}
			}
			last = i
		}
	}
	return i
}

// sizes reads "@@ -1,52 +1,52 @@"; a count that is left out is one.
func sizes(l string) (before, after int, ok bool) {
	f := strings.Fields(l)
	if len(f) < 4 || f[3] != "@@" || !strings.HasPrefix(f[2], "+") {
		return 0, 0, false
	}
	return size(f[1]), size(f[2]), true
}

func size(s string) int {
	_, n, ok := strings.Cut(s, ",")
	if !ok {
		return 1
	}
	return number(n)
}

func (p *pass) digest(first, last int) string {
	if p.rules[first] == made {
		return strconv.Itoa(last-first+1) + " lines of a generated file"
	}
	return "unchanged"
}

func lastWord(l string) string { return l[strings.LastIndexByte(l, ' ')+1:] }

func upTo(s, sep string) string {
	before, _, _ := strings.Cut(s, sep)
	return before
}
