package prune

import (
	"path"
	"strings"

	"winnow/internal/prune/detect"
)

// hits counts a search's hits by file; of lines around hits it says what
// stands in them.
func (d *digester) hits() string {
	if d.kind == readTool || !d.sample(func(l string) bool { return hitFile(l) != "" }) {
		return ""
	}
	var t, context tally
	for _, l := range d.lines {
		f := hitFile(l)
		switch {
		case f == "":
			continue
		case l[len(f)] == ':':
			t.add(f)
		case d.kind == grepTool:
			context.add(f)
		}
	}
	switch {
	case d.few(t.total + context.total):
		return ""
	case t.total == 0:
		return d.around(context.order)
	case len(t.order) == 1:
		return count(t.total, "hit", "hits") + " in " + baseName(t.order[0])
	}
	var short tally
	for _, f := range t.order {
		short.addN(baseName(f), t.counts[f])
	}
	head := count(t.total, "hit", "hits") + " in " + count(len(t.order), "file", "files") + ": "
	return list(head, short.most(), d.size)
}

// around describes lines around hits: their file, and what they define or say.
func (d *digester) around(files []string) string {
	in := *d
	in.lines = make([]string, 0, len(d.lines))
	for _, l := range d.lines {
		if _, rest, ok := detect.Hit(l); ok && strings.TrimSpace(rest) != "" {
			in.lines = append(in.lines, rest)
		}
	}
	head := count(len(d.lines), "line", "lines") + " of " + baseName(files[0])
	if len(files) > 1 {
		head = count(len(d.lines), "line", "lines") + " of " + count(len(files), "file", "files")
	}
	in.size = max(d.size-len(head)-2, 16)
	if f := detect.Extension(files[0]); f != detect.None && len(in.lines) > 0 {
		return head + ", " + in.symbols(f)
	}
	return head
}

// baseName is path.Base for the paths of either kind of system.
func baseName(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }

// hitFile returns the file of a search's hit, "" for another line.
func hitFile(l string) string {
	f, _, ok := detect.Hit(l[:min(len(l), maxHit)])
	if !ok || !strings.ContainsAny(f, "./") || strings.Contains(f, " ") {
		return ""
	}
	return f
}

// maxHit is how far into a line its place is looked for.
const maxHit = 300
