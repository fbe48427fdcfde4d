package lexical

import (
	"bytes"
	"encoding/json"
	"strings"

	"winnow/internal/prune"
)

// The parts of a query, each scored apart.
const (
	partRequest = iota
	partIntent
	partArgs
	parts
)

// maxArgs bounds the bytes of the tool's arguments that are read, and maxTerms
// the terms of a query; a person's request is bounded by prune.
const (
	maxArgs  = 8 << 10
	maxTerms = 1024
)

// query is the terms of a task, numbered in the order they were read.
type query struct {
	id    map[string]int32 // folded term -> number
	in    []uint8          // number -> bit for each part it occurs in
	exact map[string]uint8 // identifiers as written, see [isIdentifier], -> the same bits
}

func newQuery(q prune.Query) *query {
	out := &query{id: map[string]int32{}, exact: map[string]uint8{}}
	out.add(partRequest, q.Task.Request)
	out.add(partIntent, q.Task.Intent)
	out.add(partArgs, arguments(q.Tool.Input))
	return out
}

func (q *query) add(part int, s string) {
	for i := 0; i < len(s); {
		start, end := nextWord(s, i)
		i = end
		if start == end {
			break
		}
		word := s[start:end]
		if isIdentifier(word) {
			q.exact[word] |= 1 << part
		}
		terms(word, func(t string) { q.term(part, t) })
	}
}

func (q *query) term(part int, t string) {
	if len(t) < 2 || stop[t] || isNumber(t) && len(t) < 3 {
		return
	}
	n, ok := q.id[t]
	if !ok {
		if len(q.in) >= maxTerms {
			return
		}
		n = int32(len(q.in))
		q.id[t] = n
		q.in = append(q.in, 0)
	}
	q.in[n] |= 1 << part
}

// isIdentifier reports whether a word can hardly be anything but a name in
// code: it has an "_" inside, a hump, or letters and digits.
func isIdentifier(word string) bool {
	if len(word) < 4 || len(word) > longest {
		return false
	}
	for i := 1; i < len(word); i++ {
		if boundary(word, i) && strings.Trim(word[:i], "_") != "" {
			return !isNumber(word)
		}
	}
	return false
}

func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// arguments returns the strings of a call's arguments in the order they stand,
// one a line. Names of arguments say nothing and are left out.
func arguments(input json.RawMessage) string {
	var b strings.Builder
	dec := json.NewDecoder(bytes.NewReader(input))
	type level struct{ object, name bool }
	var stack []level
	for b.Len() < maxArgs {
		tok, err := dec.Token()
		if err != nil {
			break
		}
		switch v := tok.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				stack = append(stack, level{object: v == '{', name: v == '{'})
				continue
			}
			stack = stack[:len(stack)-1]
		case string:
			if n := len(stack); n > 0 && stack[n-1].name {
				stack[n-1].name = false
				continue
			}
			b.WriteString(v[:min(len(v), maxArgs)])
			b.WriteByte('\n')
		}
		if n := len(stack); n > 0 && stack[n-1].object {
			stack[n-1].name = true
		}
	}
	return b.String()
}
