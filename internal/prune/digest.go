package prune

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// digest says in at most size characters what lines first to last hold: which
// functions, files, tests, how many of what. It is a hint for the decision to
// recall, made from the hidden lines alone, and the same for the same lines.
func digest(v *view, first, last, size int) string {
	d := digester{inDiff: v.inDiff, size: size, source: v.source, name: path.Base(v.args.path), kind: v.kind}
	d.lines = make([]string, 0, last-first+1)
	for i := first; i <= last; i++ {
		if l := strings.TrimRight(text.Plain(v.doc.Line(i)), " \t\r"); strings.TrimSpace(l) != "" {
			d.lines = append(d.lines, l)
		}
	}
	if len(d.lines) == 0 {
		return "blank lines"
	}
	for _, try := range []func() string{d.code, d.hits, d.tests, d.diff, d.commits, d.log, d.listing, d.sections, d.codeBySight, d.alike, d.words} {
		if s := try(); s != "" {
			return s
		}
	}
	return ""
}

type digester struct {
	lines  []string // not blank, plain
	size   int
	source detect.Family
	kind   toolKind
	inDiff bool
	name   string // the file's, where one was read
}

// few reports whether n lines are too small a share to speak for all.
func (d *digester) few(n int) bool { return n == 0 || n*2 < len(d.lines) }

// sampleSize is how many lines, spread evenly, decide whether a description
// is worth trying on all of them.
const sampleSize = 64

// sample reports whether enough lines of a spread sample are of a kind.
func (d *digester) sample(of func(string) bool) bool {
	step := max(1, len(d.lines)/sampleSize)
	n, hits := 0, 0
	for i := 0; i < len(d.lines); i += step {
		n++
		if of(d.lines[i]) {
			hits++
		}
	}
	return hits > 0 && hits*5 >= n*2
}

// code names what a source file's hidden lines define.
func (d *digester) code() string {
	if d.source == detect.None {
		return ""
	}
	return d.symbols(d.source)
}

// codeBySight is code for text that looks like source without being a Read of
// a source file: cat and sed in a shell.
func (d *digester) codeBySight() string {
	f := detect.None
	if d.kind == grepTool { // one file was searched with its context
		f = detect.Extension(d.name)
		for i, l := range d.lines {
			d.lines[i] = detect.Unnumbered(l)
		}
	}
	if f == detect.None {
		f = detect.Sight(d.lines)
	}
	if f == detect.None {
		return ""
	}
	return d.symbols(f)
}

func (d *digester) symbols(f detect.Family) string {
	var names []string
	seen := map[string]bool{}
	for _, l := range d.lines {
		if s := detect.Symbol(f, l); s != "" && !seen[s] {
			seen[s] = true
			names = append(names, s)
		}
	}
	if len(names) > 0 {
		return list("defines ", names, d.size)
	}
	imports, comments := 0, 0
	for _, l := range d.lines {
		switch detect.Line(f, l) {
		case detect.Import:
			imports++
		case detect.Comment:
			comments++
		}
	}
	switch {
	case imports*2 >= len(d.lines):
		return count(imports, "import line", "import lines")
	case comments*2 >= len(d.lines):
		return join("comment: ", d.firstWords(), d.size)
	}
	return join("code: ", d.firstWords(), d.size)
}

// firstWords returns the first line that says something.
func (d *digester) firstWords() string {
	for _, l := range d.lines {
		letters := 0
		for _, r := range l {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		if letters >= 3 {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

// words is the last resort: how the hidden text begins.
func (d *digester) words() string {
	if w := d.firstWords(); w != "" {
		return quote("begins ", w, d.size)
	}
	return ""
}

// alike describes lines of one shape: numbers apart, they are the same.
func (d *digester) alike() string {
	if len(d.lines) < 3 {
		return ""
	}
	var t tally
	first := map[string]string{}
	step := max(1, len(d.lines)/sampleSize)
	for i := 0; i < len(d.lines); i += step {
		s := shape(d.lines[i])
		if t.add(s); t.counts[s] == 1 {
			first[s] = d.lines[i]
		}
	}
	best := t.order[0]
	for _, s := range t.order {
		if t.counts[s] > t.counts[best] {
			best = s
		}
	}
	if t.counts[best]*2 < t.total {
		return ""
	}
	n, buf := 0, []byte(nil)
	for _, l := range d.lines {
		if buf = appendShape(buf[:0], l); string(buf) == best {
			n++
		}
	}
	if d.few(n) {
		return ""
	}
	l := strings.TrimSpace(first[best])
	if !strings.ContainsFunc(l, unicode.IsLetter) {
		l = text.Head(l, 24)
	}
	return quote(count(n, "line like ", "lines like "), l, d.size)
}

// shape is the beginning of a line with its numbers levelled.
func shape(l string) string { return string(appendShape(nil, l)) }

func appendShape(b []byte, l string) []byte {
	const enough = 80
	number := false
	for i := 0; i < len(l) && len(b) < enough; i++ {
		c := l[i]
		if c >= '0' && c <= '9' {
			if !number {
				b = append(b, '0')
			}
			number = true
			continue
		}
		number = false
		b = append(b, c)
	}
	return b
}

// list writes names until size is reached and counts the rest.
func list(head string, names []string, size int) string {
	out := head
	for i, n := range names {
		n = text.Head(n, 60)
		sep := ", "
		if i == 0 {
			sep = ""
		}
		rest := len(names) - i - 1
		tail := 0
		if rest > 0 {
			tail = len(" +9999 more")
		}
		if i > 0 && text.Chars(out)+len(sep)+text.Chars(n)+tail > size {
			return out + " +" + strconv.Itoa(rest+1) + " more"
		}
		out += sep + n
	}
	return out
}

// join puts s behind a head and cuts it, visibly, to size.
func join(head, s string, size int) string {
	if s == "" {
		return strings.TrimSuffix(strings.TrimRight(head, " "), ":")
	}
	room := max(size-text.Chars(head), 8)
	if text.Chars(s) > room {
		s = text.Head(s, room-3) + "..."
	}
	return head + s
}

func quote(head, s string, size int) string { return join(head+`"`, s, size-1) + `"` }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
