package lexical

// templates counts lines that differ in digits and surrounding space only.
type templates struct {
	at   map[uint64]int32 // hash -> place in n
	n    []int32
	line []int32 // line -> place in n, -1 for blank lines
}

func newTemplates() *templates { return &templates{at: map[uint64]int32{}} }

func (t *templates) add(i int, s string, l *line) {
	if l.kind&kindBlank != 0 {
		t.line = append(t.line, -1)
		return
	}
	h := templateHash(s)
	at, ok := t.at[h]
	if !ok {
		at = int32(len(t.n))
		t.at[h] = at
		t.n = append(t.n, 0)
		l.first = true
	}
	t.n[at]++
	t.line = append(t.line, at)
}

func (t *templates) finish(lines []line) {
	for i := range lines {
		if at := t.line[i]; at >= 0 {
			lines[i].same = t.n[at]
		}
	}
}

// templateHash is FNV-1a over s with each run of digits as one "0" and without
// space at the start. Two templates with one hash would only share a count.
func templateHash(s string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	h := uint64(offset)
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	digit := false
	for ; i < len(s); i++ {
		c := s[i]
		if isDigit(c) {
			if digit {
				continue
			}
			c, digit = '0', true
		} else {
			digit = false
		}
		h = (h ^ uint64(c)) * prime
	}
	return h
}
