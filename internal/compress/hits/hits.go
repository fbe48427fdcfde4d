// Package hits hides of search results what a file repeats: of the hits in one
// file beyond a few, those that have least to do with the task. Every file is
// still named, line numbers stay, and a search that found little stays whole.
package hits

import (
	"strings"

	"winnow/internal/compress"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// Editor hides lines of search results.
type Editor struct{}

var _ compress.Editor = Editor{}

// Name names the editor in a decision's chain.
func (Editor) Name() string { return "hits" }

// Cuts proposes the lines to hide.
func (Editor) Cuts(in compress.Input) []compress.Cut {
	if in.Kind != detect.Search && in.Kind != detect.Unknown {
		return nil
	}
	d := text.Split(in.Text)
	p := read(d)
	if p == nil {
		return nil
	}
	p.names = compress.NamesOf(in, d)
	hide := make([]bool, d.Len())
	for _, g := range p.groups() {
		p.tail(g, hide)
	}
	return compress.CutsOf(hide, func(i int) bool { return strings.TrimSpace(d.Line(i)) == "" }, 2, p.digest)
}

// A search's hits in one file, in the order printed.
type group struct {
	file        string
	first, last int
}

type pass struct {
	d     text.Doc
	file  []string // of each line, "" for a line that is no hit
	hit   []bool   // not only context
	names compress.Names
}

// least are the hits below which nothing is hidden, share how many of the
// lines must be hits.
const (
	least = 30
	share = 0.8
)

func read(d text.Doc) *pass {
	p := &pass{d: d, file: make([]string, d.Len()), hit: make([]bool, d.Len())}
	hits, lines := 0, 0
	for i := range d.Len() {
		l := text.Plain(d.Line(i))
		if strings.TrimSpace(l) == "" || l == "--" {
			continue
		}
		lines++
		file, _, ok := detect.Hit(l[:min(len(l), 400)])
		if !ok || !strings.ContainsAny(file, "./") || strings.Contains(file, " ") {
			continue
		}
		hits++
		p.file[i] = file
		p.hit[i] = l[len(file)] == ':'
	}
	if hits < least || float64(hits) < share*float64(lines) {
		return nil
	}
	return p
}

func (p *pass) groups() []group {
	var all []group
	for i, f := range p.file {
		if f == "" {
			continue
		}
		if n := len(all) - 1; n >= 0 && all[n].file == f {
			all[n].last = i
		} else {
			all = append(all, group{f, i, i})
		}
	}
	return all
}

// keptHits is how many hits of a file stay whatever they say.
const keptHits = 8

// tail marks the hits of a file that go: those behind the first keptHits that
// name nothing of the task.
func (p *pass) tail(g group, hide []bool) {
	n := 0
	for i := g.first; i <= g.last; i++ {
		if p.file[i] == "" {
			continue
		}
		if n++; n > keptHits && !p.names.In(p.d.Line(i)[len(p.file[i]):]) {
			hide[i] = true
		}
	}
}

func (p *pass) digest(first, last int) string { return "hits in " + p.file[first] }
