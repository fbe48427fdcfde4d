package jsonform

import "strings"

// Block writes a JSON array of objects, minified, strings among them, as the form's table without
// the header line. Other formats use it for their rows; legend explains the
// signs that were used. ok reports whether it is a table at all.
func Block(array string) (block, legend string, ok bool) {
	t, err := scan(array, false)
	if err != nil || t.nodes[0].kind != kArray {
		return "", "", false
	}
	body, legend := write(t)
	block = string(body)
	at := 0
	for at < len(block) && block[at] == '&' {
		at += strings.IndexByte(block[at:], '\n') + 1
	}
	_, _, ok = tableStart(block, at)
	return block, legend, ok
}

// ReadBlock decodes the block at the beginning of s and returns where it ends.
// It gives each row to f as a list of keys and scalars in turn, or one string
// alone for an element that is one; f must not keep the list.
func ReadBlock(s string, f func(row []string) error) (end int, err error) {
	d, end, err := read(s, style{}, 2*len(s))
	if err != nil {
		return 0, err
	}
	t, err := scan(string(d.w.out), false)
	if err != nil || t.nodes[0].kind != kArray {
		return 0, errForm
	}
	var row []string
	for e := uint32(1); e < uint32(len(t.nodes)); e = t.nodes[e].next {
		row = row[:0]
		switch n := t.nodes[e]; n.kind {
		case kString:
			row = append(row, t.raw(e))
		case kObject:
			for k := e + 1; k < n.next; k = t.nodes[k+1].next {
				row = append(row, t.inner(k), t.raw(k+1))
			}
		default:
			return 0, errForm
		}
		if err := f(row); err != nil {
			return 0, err
		}
	}
	return end, nil
}

// Scalar reports whether s is a number or a literal of JSON as it stands.
func Scalar(s string) bool {
	switch s {
	case "":
		return false
	case "true", "false", "null":
		return true
	}
	return (s[0] == '-' || s[0] >= '0' && s[0] <= '9') && numberEnd(s, 0) == len(s)
}
