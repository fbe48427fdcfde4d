package jsonform

import (
	"strconv"
	"strings"

	"winnow/internal/compress/rows"
)

// magic begins every form. No JSON begins with it.
const magic = "#json/1"

const (
	// wide is the size from which an object or array at the outside has a line
	// for each of its parts.
	wide = 100
	// minInside is the shortest string that is looked into for JSON.
	minInside = 40
	// maxInside bounds JSON inside strings inside JSON.
	maxInside = 3
)

// Encode writes JSON or JSON lines with the keys of arrays of objects stated
// once. [Decode] gives back src, byte for byte: Encode tries it, and fails
// rather than return what does not come back or is not shorter.
func Encode(src string) (string, error) {
	form, err := encode(src)
	if err != nil {
		return "", err
	}
	if len(form) >= len(src) {
		return "", errLonger
	}
	back, err := decode(form, len(src))
	if err != nil {
		return "", err
	}
	if back != src {
		return "", errStyle
	}
	return form, nil
}

func encode(src string) (string, error) {
	t, err := parse(src)
	if err != nil {
		return "", err
	}
	st, err := styleOf(t)
	if err != nil {
		return "", err
	}
	body, legend := write(t)
	var b strings.Builder
	b.Grow(len(body) + 256)
	for _, part := range []string{magic, st.spec(), legend, "\n"} {
		b.WriteString(part)
	}
	b.Write(body)
	return b.String(), nil
}

// write returns the document behind its header, and the legend for the header.
func write(t *tape) (body []byte, legend string) {
	e := newEncoder(t, 0)
	e.dict, e.counting = newDict(e.sh), true
	e.value(0, true)
	e.counting = false
	entries := e.dict.choose()
	e.out = make([]byte, 0, len(t.src)/2)
	for _, en := range entries {
		e.put("&", strconv.Itoa(en.id), "=")
		e.body(en.node, false)
		e.put("\n")
	}
	e.value(0, true)
	return e.out, e.legend(len(entries) > 0)
}

// parse reads src as one value, else as JSON lines.
func parse(src string) (*tape, error) {
	t, err := scan(src, false)
	if err == nil || err == errDeep {
		return t, err
	}
	return scan(src, true)
}

// encoder writes a tape. It goes over it twice: once to count what is written
// more than once, then to write.
type encoder struct {
	t        *tape
	sh       *shaper
	dict     *dict // nil inside strings
	counting bool
	tables   map[uint32]*table
	cursor   map[*table]int
	out      []byte
	level    int // of strings around the text
	used     *used
}

// used says which signs a form makes use of.
type used struct{ constant, count, ref, own, missing bool }

func newEncoder(t *tape, level int) *encoder {
	e := &encoder{t: t, sh: &shaper{t: t}, tables: map[uint32]*table{}, cursor: map[*table]int{}, level: level, used: &used{}}
	e.sh.measure()
	return e
}

func (e *encoder) put(parts ...string) {
	if e.counting {
		return
	}
	for _, p := range parts {
		e.out = append(e.out, p...)
	}
}

// legend says in the header what the signs of this form mean.
func (e *encoder) legend(entries bool) string {
	var b strings.Builder
	say := func(on bool, s string) {
		switch {
		case !on:
		case b.Len() == 0:
			b.WriteString(" | " + s)
		default:
			b.WriteString("; " + s)
		}
	}
	say(e.used.constant, "k=v: v in every row")
	say(e.used.count, "a..b: counts")
	say(e.used.ref, "@k: the row's k")
	say(e.used.own, "*: the cell")
	say(e.used.missing, "empty cell: no such key")
	say(entries, "&n: as defined")
	return b.String()
}

// value writes node i, or a reference to the dictionary.
func (e *encoder) value(i uint32, block bool) {
	if e.sh.size[i] < minEntry {
		if !e.counting || e.t.nodes[i].kind >= kArray {
			e.body(i, block)
		}
		return
	}
	if e.counting {
		if e.dict.seen(i) {
			return
		}
	} else if id := e.dict.of(i); id > 0 {
		e.put("&", strconv.Itoa(id))
		return
	}
	e.body(i, block)
}

func (e *encoder) body(i uint32, block bool) {
	switch n := &e.t.nodes[i]; n.kind {
	case kString:
		e.str(i)
	case kArray:
		e.array(i, block)
	case kObject:
		e.object(i, block)
	default:
		if !e.counting {
			e.out = append(e.out, e.t.src[n.start:n.end]...)
		}
	}
}

// separator is between the parts of a container.
func (e *encoder) separator(i uint32, block bool) (string, bool) {
	if block && e.sh.size[i] > wide {
		return "\n", true
	}
	return ",", false
}

func (e *encoder) object(i uint32, block bool) {
	sep, block := e.separator(i, block)
	e.put("{")
	k := i + 1
	for n := e.t.nodes[i].n; n > 0; n-- {
		e.key(k)
		e.put(":")
		e.value(k+1, block)
		if k = e.t.nodes[k+1].next; n > 1 {
			e.put(sep)
		}
	}
	e.put("}")
}

func (e *encoder) key(k uint32) {
	if !e.counting {
		key := e.t.raw(k)
		if name, ok := bareKey(key); ok {
			key = name
		}
		e.out = append(e.out, key...)
	}
}

// bareKey returns a key without quotes where it is a plain name.
func bareKey(raw string) (string, bool) {
	s := raw[1 : len(raw)-1]
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || i > 0 && (c == '-' || c >= '0' && c <= '9')) {
			return "", false
		}
	}
	return s, s != ""
}

func (e *encoder) str(i uint32) {
	if e.counting {
		return
	}
	s := e.t.inner(i)
	if !e.inside(s) {
		e.out = rows.AppendCell(e.out, s)
	}
}

// inside writes a string that holds JSON as that JSON.
func (e *encoder) inside(s string) bool {
	if len(s) < minInside || e.level >= maxInside || s[0] != '{' && s[0] != '[' {
		return false
	}
	text, ok := unescape(s)
	if !ok {
		return false
	}
	t, err := parse(text)
	if err != nil || t.nodes[0].kind < kArray {
		return false
	}
	st, err := styleOf(t)
	if err != nil {
		return false
	}
	sub := newEncoder(t, e.level+1)
	sub.used = e.used
	sub.value(0, false)
	spec := st.spec()
	if len(spec)+len(sub.out) >= len(s) {
		return false
	}
	e.put("~", spec, string(sub.out))
	return true
}
