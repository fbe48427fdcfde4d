// Package hits hides of search results what a file repeats: of the hits in one
// file beyond a few, those that have least to do with the task. Every file is
// still named, line numbers stay, and a search that found little stays whole.
package hits

import (
	"path"
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
	hits  int
	names compress.Names
}

// least are the hits below which nothing is hidden, share how many of the
// lines must be hits.
const (
	least = 24
	share = 0.8
	// minFiles are the files below which a search is a way of reading them.
	minFiles = 2
)

// read finds the hits. It gives up (nil) on little, on what is not nearly all hits,
// and where the search asked for lines around them: that is reading a file.
func read(d text.Doc) *pass {
	p := &pass{d: d, file: make([]string, d.Len())}
	lines, context := 0, 0
	files := map[string]bool{}
	for i := range d.Len() {
		l := text.Plain(d.Line(i))
		switch {
		case strings.TrimSpace(l) == "":
			continue
		case l == "--":
			context++
			continue
		}
		lines++
		if file := hit(l); file != "" {
			p.hits++
			p.file[i] = file
			files[file] = true
		}
	}
	if p.hits < least || float64(p.hits) < share*float64(lines) || context > 0 || len(files) < minFiles {
		return nil
	}
	return p
}

// maxPath is how far into a line its number may stand.
const maxPath = 300

// hit returns the file of "path:12:text" or "path:12" as a tool without texts
// writes it, "" for another line.
func hit(l string) string {
	head := l[:min(len(l), maxPath)]
	for at := 0; ; {
		i := strings.IndexByte(head[at:], ':')
		if i < 0 {
			return ""
		}
		i += at
		j := i + 1
		for j < len(head) && head[j] >= '0' && head[j] <= '9' {
			j++
		}
		if j > i+1 && j < len(l) && l[j] == ':' {
			file := l[:i]
			if !strings.ContainsAny(file, "./") || strings.ContainsAny(file, " \t") {
				return ""
			}
			return file
		}
		at = i + 1
	}
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

// kept is how many hits of a file stay whatever they say: the more a search
// found, the less each single hit is worth.
func (p *pass) kept() int {
	switch {
	case p.hits >= 80:
		return 1
	case p.hits >= 45:
		return 2
	}
	return 6
}

// tail marks the hits of a file that go: those behind the first few that name
// nothing of the task and define nothing.
func (p *pass) tail(g group, hide []bool) {
	n, kept, family := 0, p.kept(), detect.Extension(g.file)
	for i := g.first; i <= g.last; i++ {
		if p.file[i] == "" {
			continue
		}
		rest := p.d.Line(i)[len(p.file[i]):]
		if n++; n <= kept || p.names.In(rest) {
			continue
		}
		if _, code, ok := detect.Hit("x" + rest); ok && family != detect.None && detect.Symbol(family, code) != "" {
			continue
		}
		hide[i] = true
	}
}

func (p *pass) digest(first, last int) string { return "more hits in " + path.Base(p.file[first]) }
