package jsonform

import (
	"strconv"
	"strings"

	"winnow/internal/compress/rows"
)

// maxNumber is the length of the longest number that counts.
const maxNumber = 20

// heading is a table's header as the decoder reads it.
type heading struct {
	cols   []*head
	leaves []*head
	// cells is room for a row: a table is never inside its own row.
	cells   []string
	counted []int  // leaves that count
	room    []byte // of their cells in the present row
}

// head is one column.
type head struct {
	key  string  // in quotes
	flat []*head // the members of an object in every row
	sub  *heading
	list bool // sub is of an array
	fold rows.Fold
	leaf int // its place among the leaves
	ref  string
}

// readHeader reads "{a,b=1}" at s[i:].
func readHeader(s string, i int) (*heading, int, error) {
	h := &heading{}
	names := map[string]int{}
	cols, i, err := h.read(s, i, "", names, 0)
	if err != nil {
		return nil, 0, err
	}
	h.cols, h.cells = cols, make([]string, len(h.leaves))
	for j, l := range h.leaves {
		if l.fold.Kind == rows.Count {
			h.counted = append(h.counted, j)
			h.room = make([]byte, 0, len(h.counted)*maxNumber) // never moves: cells point into it
		}
		if l.fold.Kind != rows.Same && l.fold.Kind != rows.Around {
			continue
		}
		at, ok := names[l.ref]
		if k := h.leaves[at].fold.Kind; !ok || k != rows.Plain && k != rows.Count && k != rows.Affix {
			return nil, 0, errForm
		}
		l.fold.Ref = at
	}
	return h, i, nil
}

func (h *heading) read(s string, i int, path string, names map[string]int, depth int) ([]*head, int, error) {
	if depth > maxDepth || i >= len(s) || s[i] != '{' {
		return nil, 0, errForm
	}
	var cols []*head
	for i++; ; i++ {
		key, end := readKey(s, i)
		if end == 0 || end >= len(s) || len(h.leaves) > 1<<16 {
			return nil, 0, errForm
		}
		c := &head{key: key, leaf: -1}
		cols = append(cols, c)
		name := path + key[1:len(key)-1]
		var err error
		if i = end; s[i] == '{' {
			c.flat, i, err = h.read(s, i, name+".", names, depth+1)
		} else {
			c.leaf = len(h.leaves)
			names[name] = c.leaf
			h.leaves = append(h.leaves, c)
			i, err = c.spec(s, i)
		}
		switch {
		case err != nil:
			return nil, 0, err
		case i < len(s) && s[i] == '}':
			return cols, i + 1, nil
		case i >= len(s) || s[i] != ',':
			return nil, 0, errForm
		}
	}
}

// spec reads what follows a leaf's key.
func (c *head) spec(s string, i int) (int, error) {
	var err error
	switch {
	case strings.HasPrefix(s[i:], "?{"):
		c.sub, i, err = readHeader(s, i+1)
		return i, err
	case strings.HasPrefix(s[i:], "[]{"):
		c.list = true
		c.sub, i, err = readHeader(s, i+2)
		return i, err
	case s[i] != '=':
		return i, nil
	}
	end := rows.CellEnd(s, i+1)
	if !c.folded(s[i+1 : end]) {
		return 0, errForm
	}
	return end, nil
}

// folded reads the right side of "key=".
func (c *head) folded(s string) bool {
	if ref, ok := strings.CutPrefix(s, "@"); ok {
		c.fold.Kind, c.ref = rows.Same, ref
		return true
	}
	if s == "" {
		return false
	}
	if s[0] != '"' {
		if first, last, ok := strings.Cut(s, ".."); ok && bareEnd(s, 0) == len(s) {
			return c.counts(first, last)
		}
		c.fold = rows.Fold{Kind: rows.Const, Value: s}
		return true
	}
	end := stringEnd(s, 0)
	if end == 0 {
		return false
	}
	if end == len(s) {
		c.fold = rows.Fold{Kind: rows.Const, Value: s}
		return true
	}
	c.fold.Pre = s[1 : end-1]
	s, ok := strings.CutPrefix(s[end:], "+")
	if !ok {
		return false
	}
	s, c.fold.Suf, ok = cutSuffix(s)
	if ref, is := strings.CutPrefix(s, "@"); is {
		c.fold.Kind, c.ref = rows.Around, ref
		return ok
	}
	c.fold.Kind = rows.Affix
	return ok && s == "*"
}

// cutSuffix splits `name+"suffix"`.
func cutSuffix(s string) (name, suffix string, ok bool) {
	at := strings.IndexByte(s, '+')
	if at < 0 {
		return s, "", true
	}
	q := s[at+1:]
	if len(q) < 2 || stringEnd(q, 0) != len(q) {
		return "", "", false
	}
	return s[:at], q[1 : len(q)-1], true
}

// counts reads "0..10" or "0..10/5".
func (c *head) counts(first, last string) bool {
	last, by, stepped := strings.Cut(last, "/")
	a, err1 := strconv.ParseInt(first, 10, 64)
	b, err2 := strconv.ParseInt(last, 10, 64)
	step, err3 := int64(1), error(nil)
	if stepped {
		step, err3 = strconv.ParseInt(by, 10, 64)
	}
	if b < a {
		step = -step
	}
	c.fold = rows.Fold{Kind: rows.Count, First: a, Step: step}
	return err1 == nil && err2 == nil && err3 == nil
}
