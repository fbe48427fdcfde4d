package jsonform

// Block writes a JSON array of objects, minified, strings among them, as the form's table without
// the header line. Other formats use it for their rows; legend explains the
// signs that were used. ok reports whether it is a table at all.
func Block(array string) (block, legend string, ok bool) {
	t, err := scan(array, false)
	if err != nil || t.nodes[0].kind != kArray {
		return "", "", false
	}
	block, legend = write(t)
	at := 0
	for at < len(block) && block[at] == '&' {
		for block[at] != '\n' {
			at++
		}
		at++
	}
	_, _, ok = tableStart(block, at)
	return block, legend, ok
}

// ReadBlock decodes the block at the beginning of s. It returns the rows as
// they were, each a list of keys and scalars in turn, or one string alone for an
// element that is one, and where the block ends.
func ReadBlock(s string) (list [][]string, end int, err error) {
	d, end, err := read(s, style{})
	if err != nil {
		return nil, 0, err
	}
	t, err := scan(string(d.w.out), false)
	if err != nil || t.nodes[0].kind != kArray {
		return nil, 0, errForm
	}
	for _, e := range t.elems(0) {
		n := t.nodes[e]
		if n.kind == kString {
			list = append(list, []string{t.raw(e)})
			continue
		}
		if n.kind != kObject {
			return nil, 0, errForm
		}
		row := make([]string, 0, 2*n.n)
		for k := e + 1; k < n.next; k = t.nodes[k+1].next {
			row = append(row, t.inner(k), t.raw(k+1))
		}
		list = append(list, row)
	}
	return list, end, nil
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
