package jsonform

import (
	"strconv"
	"strings"
	"unsafe"

	"winnow/internal/compress/rows"
)

// Decode returns the JSON that form was made of. It is safe on any input.
func Decode(form string) (string, error) { return decode(form, 2*len(form)) }

// decode has room for size bytes from the start.
func decode(form string, size int) (string, error) {
	head, rest, ok := strings.Cut(form, "\n")
	spec, isForm := strings.CutPrefix(head, magic)
	if !ok || !isForm {
		return "", errForm
	}
	spec, _, _ = strings.Cut(spec, " |")
	st, ok := parseSpec(spec)
	if !ok {
		return "", errForm
	}
	d, end, err := read(rest, st, size)
	if err != nil {
		return "", err
	}
	if end != len(rest) {
		return "", errForm
	}
	d.w.out = append(d.w.out, st.tail...)
	return unsafe.String(unsafe.SliceData(d.w.out), len(d.w.out)), nil // nobody else has the bytes
}

// read decodes the entries and the document at the beginning of s and returns
// where it ends.
func read(s string, st style, size int) (*decoder, int, error) {
	d, at, err := entries(s, st, size)
	if err != nil {
		return nil, 0, err
	}
	end, err := d.value(s, at)
	return d, end, err
}

// entries reads the dictionary at the beginning of s and returns where the document begins.
func entries(s string, st style, size int) (*decoder, int, error) {
	d := &decoder{w: newWriter(st, size), open: map[int]bool{}}
	at := 0
	for strings.HasPrefix(s[at:], "&") {
		line, _, ok := strings.Cut(s[at:], "\n")
		val, isEntry := strings.CutPrefix(line, "&"+strconv.Itoa(len(d.entries)+1)+"=")
		if !ok {
			break // the document itself is one entry
		}
		if !isEntry {
			return nil, 0, errForm
		}
		d.entries = append(d.entries, val)
		at += len(line) + 1
	}
	return d, at, nil
}

type decoder struct {
	w       *writer
	entries []string
	open    map[int]bool // entries being written: one that holds itself is none
	work    int          // bytes of entries read
	depth   int          // of calls
}

// value writes the value at s[i:] and returns where it ends.
func (d *decoder) value(s string, i int) (int, error) {
	if d.depth++; d.depth > 3*maxDepth || len(d.w.out) > maxSize {
		return 0, errForm
	}
	defer func() { d.depth-- }()
	if i >= len(s) {
		return 0, errForm
	}
	switch s[i] {
	case '{':
		return d.object(s, i)
	case '[':
		if n, at, ok := tableStart(s, i); ok {
			return d.table(s, at, n)
		}
		return d.array(s, i)
	case '&':
		return d.entry(s, i)
	case '~':
		return d.inside(s, i)
	case '"':
		end := stringEnd(s, i)
		if end == 0 {
			return 0, errForm
		}
		d.w.out = append(d.w.out, s[i:end]...)
		return end, nil
	}
	end := bareEnd(s, i)
	if end == i {
		return 0, errForm
	}
	return end, d.bare(s[i:end])
}

// stops marks the bytes that end a bare cell.
var stops = func() (t [256]bool) {
	for _, c := range []byte(",;{}[]()\"\\\n") {
		t[c] = true
	}
	return t
}()

func bareEnd(s string, i int) int {
	for i < len(s) && !stops[s[i]] {
		i++
	}
	return i
}

// bare writes a cell without quotes: a literal, a number, else a string.
func (d *decoder) bare(s string) error {
	if s == "null" || s == "true" || s == "false" || (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && numberEnd(s, 0) == len(s) {
		d.w.out = append(d.w.out, s...)
		return nil
	}
	if !rows.Bare(s) {
		return errForm
	}
	d.w.str(s)
	return nil
}

func (d *decoder) object(s string, i int) (int, error) {
	d.w.begin(kObject)
	first := true
	for i++; ; first = false {
		if i < len(s) && s[i] == '}' {
			d.w.end(kObject, first)
			return i + 1, nil
		}
		if !first {
			if i >= len(s) || s[i] != ',' && s[i] != '\n' {
				return 0, errForm
			}
			i++
		}
		key, end := readKey(s, i)
		if end == 0 || end >= len(s) || s[end] != ':' {
			return 0, errForm
		}
		d.w.item(kObject, first)
		d.w.key(key)
		d.w.depth++
		var err error
		i, err = d.value(s, end+1)
		if d.w.depth--; err != nil {
			return 0, err
		}
	}
}

// readKey returns the key at s[i:] in quotes and where it ends, 0 where there is none.
func readKey(s string, i int) (string, int) {
	if i < len(s) && s[i] == '"' {
		end := stringEnd(s, i)
		return s[i:max(i, end)], end
	}
	end := i
	for end < len(s) && (s[end] == '_' || s[end] == '-' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' || s[end] >= '0' && s[end] <= '9') {
		end++
	}
	if end == i {
		return "", 0
	}
	return `"` + s[i:end] + `"`, end
}

func (d *decoder) array(s string, i int) (int, error) {
	d.w.begin(kArray)
	first := true
	for i++; ; first = false {
		if i < len(s) && s[i] == ']' {
			d.w.end(kArray, first)
			return i + 1, nil
		}
		if !first {
			if i >= len(s) || s[i] != ',' && s[i] != '\n' {
				return 0, errForm
			}
			i++
		}
		d.w.item(kArray, first)
		d.w.depth++
		var err error
		i, err = d.value(s, i)
		if d.w.depth--; err != nil {
			return 0, err
		}
	}
}

func (d *decoder) entry(s string, i int) (int, error) {
	end := bareEnd(s, i)
	n, err := strconv.Atoi(s[i+1 : end])
	if err != nil || n < 1 || n > len(d.entries) {
		return 0, errForm
	}
	text := d.entries[n-1]
	if d.work += len(text); d.open[n] || d.work > 4*maxSize {
		return 0, errForm
	}
	d.open[n] = true
	at, err := d.value(text, 0)
	delete(d.open, n)
	if err != nil || at != len(text) {
		return 0, errForm
	}
	return end, nil
}

// inside writes a string that holds JSON.
func (d *decoder) inside(s string, i int) (int, error) {
	at := strings.IndexAny(s[i:], "{[")
	if at < 0 {
		return 0, errForm
	}
	st, ok := parseSpec(s[i+1 : i+at])
	if !ok {
		return 0, errForm
	}
	outer := d.w
	d.w = newWriter(st, 0)
	end, err := d.value(s, i+at)
	inner := append(d.w.out, st.tail...)
	d.w = outer
	if err != nil {
		return 0, err
	}
	d.w.out = append(d.w.out, '"')
	d.w.out = appendEscaped(d.w.out, inner)
	d.w.out = append(d.w.out, '"')
	return end, nil
}
