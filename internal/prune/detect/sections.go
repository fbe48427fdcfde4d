package detect

import (
	"slices"
	"strings"

	"winnow/internal/text"
)

// Section is a run of whole lines of a mixed text.
type Section struct {
	// First and Last are 0-based inclusive lines.
	First, Last int
	// Fixed lines stay as they are: fences, tags, reminders, separators.
	Fixed bool
	// Kind is set where the section's own form says it, Language is a fence's.
	Kind     Kind
	Language string
	// Quoted says that the section is a JSON string that holds a text of its own.
	Quoted bool
	// Tag says that a host's tag is among the fixed lines.
	Tag bool
}

// Sections cuts a mixed text: fences, embedded JSON, diffs, a host's tags and
// reminders, a shell's separators, and what lies between. The sections cover
// all lines in order. nil: there is nothing to cut.
func Sections(d text.Doc) []Section {
	c := cutter{d: d, budget: 2*len(d.Src) + 1024}
	for i := 0; i < d.Len(); {
		if n := c.block(i); n > i {
			i = n
			continue
		}
		c.plain(i)
		i++
	}
	if len(c.out) == 1 && !c.out[0].Quoted {
		return nil
	}
	return c.out
}

// cutter collects sections. budget bounds the bytes that searches for an end may
// look at in all, so that many openings without an end cost no more than one.
type cutter struct {
	d      text.Doc
	out    []Section
	budget int
	// never remembers ends that are nowhere below.
	never map[string]bool
}

func (c *cutter) plain(i int) {
	if n := len(c.out); n > 0 && !c.out[n-1].Fixed && c.out[n-1].Kind == Unknown && !c.out[n-1].Quoted {
		c.out[n-1].Last = i
		return
	}
	c.add(Section{First: i, Last: i})
}

func (c *cutter) add(s Section) {
	if s.Last >= s.First {
		c.out = append(c.out, s)
	}
}

func (c *cutter) fixed(first, last int) int {
	if n := len(c.out); n > 0 && c.out[n-1].Fixed {
		c.out[n-1].Last = last
	} else {
		c.add(Section{First: first, Last: last, Fixed: true})
	}
	return last + 1
}

// block takes what begins at line i and returns the line after it, i for nothing.
func (c *cutter) block(i int) int {
	t := strings.TrimSpace(c.d.Line(i))
	if t == "" {
		return i
	}
	switch t[0] {
	case '`', '~':
		return c.fence(i, t)
	case '<':
		return c.tag(i, t)
	case '{', '[':
		return c.value(i)
	case '"':
		return c.quoted(i, t)
	case '=', '-':
		if separator(t) {
			return c.fixed(i, i)
		}
	case 'd':
		if strings.HasPrefix(t, "diff --git ") {
			return c.diff(i)
		}
	}
	return i
}

// fence takes a fenced block: its two fences stay, its body is a section.
func (c *cutter) fence(i int, t string) int {
	n := len(t) - len(strings.TrimLeft(t, t[:1]))
	if n < 3 {
		return i
	}
	mark := t[:n]
	end := c.find(i+1, "fence"+mark, func(l string) bool {
		l = strings.TrimSpace(l)
		return strings.HasPrefix(l, mark) && strings.Trim(l, t[:1]) == ""
	})
	if end < 0 {
		return i
	}
	c.add(Section{First: i, Last: i, Fixed: true})
	c.add(Section{First: i + 1, Last: end - 1, Language: strings.ToLower(strings.TrimSpace(t[n:])), Kind: fenceKind(t[n:])})
	c.add(Section{First: end, Last: end, Fixed: true})
	return end + 1
}

// fenceKind says what a fence's info string promises; JSON is looked at anyway.
func fenceKind(info string) Kind {
	switch info = strings.ToLower(strings.TrimSpace(info)); info {
	case "diff", "patch":
		return Diff
	case "yaml", "yml", "toml", "ini":
		return Config
	case "", "json", "jsonl", "text", "txt", "console", "log", "output", "markdown", "md", "html", "xml", "csv", "tsv":
		return Unknown
	}
	return Code
}

// tag keeps a reminder or a pointer to a saved output whole, and the lines of
// any other tag that is no HTML; what such a tag holds is cut as well.
func (c *cutter) tag(i int, t string) int {
	for _, name := range []string{"system-reminder", "persisted-output"} {
		if !strings.HasPrefix(t, "<"+name) {
			continue
		}
		end := c.find(i, name, func(l string) bool { return strings.Contains(l, "</"+name+">") })
		if end < 0 {
			return c.tagged(i, c.d.Len()-1)
		}
		return c.tagged(i, end)
	}
	if t[len(t)-1] != '>' || strings.Count(t, "<") != 1 {
		return i
	}
	name, _, _ := strings.Cut(strings.TrimLeft(t[1:len(t)-1], "/"), " ")
	if name == "" || !letter(name[0]) || !workflow[name] && !strings.ContainsAny(name, "_-") {
		return i
	}
	return c.tagged(i, i)
}

func (c *cutter) tagged(first, last int) int {
	next := c.fixed(first, last)
	c.out[len(c.out)-1].Tag = true
	return next
}

// AtTags joins sections again, but for those that a host's tags keep apart. nil:
// there are no tags. What several sections were joined from has the kind whole.
func AtTags(sections []Section, whole Kind) []Section {
	if !slices.ContainsFunc(sections, func(s Section) bool { return s.Tag }) {
		return nil
	}
	var out []Section
	for _, s := range sections {
		if n := len(out); n > 0 && !out[n-1].Tag && !s.Tag {
			out[n-1] = Section{First: out[n-1].First, Last: s.Last, Kind: whole}
			continue
		}
		if s.Fixed && !s.Tag {
			s = Section{First: s.First, Last: s.Last, Kind: whole}
		}
		out = append(out, s)
	}
	return out
}

// workflow are tags of agents and their hosts that have no "-" or "_" in their names.
var workflow = map[string]bool{
	"output": true, "result": true, "results": true, "stdout": true, "stderr": true, "content": true, "file": true, "path": true, "type": true,
	"entries": true, "task": true, "thinking": true, "example": true, "context": true, "instructions": true, "document": true, "documents": true,
	"error": true, "status": true, "summary": true, "analysis": true, "plan": true, "question": true, "answer": true, "environment": true,
}

// minValue is the size from which a JSON value is a section of its own.
const minValue = 200

// value takes a JSON object or array that begins a line and ends one.
func (c *cutter) value(i int) int {
	start := c.d.Lines[i].Start
	end := c.closing(start)
	if end-start < minValue {
		return i
	}
	last := i
	for c.d.Lines[last].End < end {
		last++
	}
	if strings.TrimSpace(c.d.Src[end:c.d.Lines[last].End]) != "" || !validJSON(c.d.Src[start:end]) {
		return i
	}
	c.add(Section{First: i, Last: last, Kind: JSON})
	return last + 1
}

// closing finds the end of the bracketed value at start, 0 for none.
func (c *cutter) closing(start int) int {
	depth, quoted, s := 0, false, c.d.Src
	for i := start; i < len(s) && c.budget > 0; i++ {
		c.budget--
		switch ch := s[i]; {
		case quoted && ch == '\\':
			i++
		case ch == '"':
			quoted = !quoted
		case quoted:
			if ch == '\n' {
				return 0
			}
		case ch == '{' || ch == '[':
			depth++
		case ch == '}' || ch == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// quoted takes a line that is a JSON string with lines or JSON inside.
func (c *cutter) quoted(i int, t string) int {
	if len(t) < minValue || t[len(t)-1] != '"' || !strings.Contains(t, `\n`) && !strings.Contains(t, `\"`) || !validJSON(t) {
		return i
	}
	c.add(Section{First: i, Last: i, Quoted: true})
	return i + 1
}

// separator reports whether a line is what shells echo between outputs: === name ===.
func separator(t string) bool {
	n := len(t) - len(strings.TrimLeft(t, t[:1]))
	return n >= 3 && n < len(t) && len(t) < 120 && t[n] == ' ' && !strings.HasPrefix(t, "--- a/") && !strings.HasPrefix(t, "--- /") && t[len(t)-1] == t[0]
}

// diff takes a diff's lines.
func (c *cutter) diff(i int) int {
	last, old, new := i, 0, 0
	for j := i + 1; j < c.d.Len(); j++ {
		l := c.d.Line(j)
		switch {
		case strings.HasPrefix(l, "@@ -"):
			old, new = hunk(l)
		case strings.HasPrefix(l, "diff --git "), diffHeader(l) && old+new == 0, strings.HasPrefix(l, "--- ") && old+new == 0, strings.HasPrefix(l, "+++ ") && old+new == 0, strings.HasPrefix(l, `\ No newline`):
		case old+new > 0 && strings.HasPrefix(l, "+"):
			new--
		case old+new > 0 && strings.HasPrefix(l, "-"):
			old--
		case old+new > 0 && (l == "" || l[0] == ' '):
			old, new = old-1, new-1
		default:
			c.add(Section{First: i, Last: last, Kind: Diff})
			return last + 1
		}
		last = j
	}
	c.add(Section{First: i, Last: last, Kind: Diff})
	return last + 1
}

// hunk reads the two line counts of @@ -1,3 +1,4 @@.
func hunk(l string) (old, new int) {
	_, rest, _ := strings.Cut(l, "-")
	a, b, _ := strings.Cut(rest, " +")
	b, _, _ = strings.Cut(b, " ")
	return hunkCount(a), hunkCount(b)
}

func hunkCount(s string) int {
	_, n, ok := strings.Cut(s, ",")
	if !ok {
		return 1
	}
	v := 0
	for i := 0; i < len(n) && digit(n[i]) && v < 1<<20; i++ {
		v = v*10 + int(n[i]-'0')
	}
	return v
}

// find returns the first line from i on that ends a block, -1 for none; what
// was nowhere once is not looked for again.
func (c *cutter) find(i int, what string, is func(string) bool) int {
	if c.never[what] {
		return -1
	}
	for j := i; j < c.d.Len(); j++ {
		if is(c.d.Line(j)) {
			return j
		}
	}
	if c.never == nil {
		c.never = map[string]bool{}
	}
	c.never[what] = true
	return -1
}
