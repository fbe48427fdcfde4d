package jsonform

import (
	"errors"
	"strings"
)

// maxDepth bounds the nesting that is looked at; deeper texts are refused, so
// that recursion over a tape is bounded.
const maxDepth = 128

// maxSize bounds a text, and what a form may grow to again.
const maxSize = 1 << 26

var (
	errNotJSON = errors.New("not JSON")
	errDeep    = errors.New("nested too deep")
	errStyle   = errors.New("white space of no known style")
	errLonger  = errors.New("not shorter")
)

type kind uint8

const (
	kNull kind = iota
	kBool
	kNumber
	kString
	kArray
	kObject
)

// node is one value, or one key, of a tape. Values stand in the order of the
// text; an object's children are a key and a value in turn.
type node struct {
	start, end uint32 // its bytes, quotes and brackets included
	next       uint32 // the node after this one and all below it
	n          uint32 // elements of an array, members of an object
	kind       kind
}

// tape is a parsed text. Node 0 is the document; for JSON lines it is an array
// that the text does not show, with the lines as elements.
type tape struct {
	src   string
	nodes []node
	lines bool
	depth int // of the deepest container
}

func (t *tape) raw(i uint32) string { return t.src[t.nodes[i].start:t.nodes[i].end] }

// inner returns a string without its quotes, escapes as they are.
func (t *tape) inner(i uint32) string { return t.src[t.nodes[i].start+1 : t.nodes[i].end-1] }

// elems returns the values of an array, or of an object without the keys.
func (t *tape) elems(i uint32) []uint32 {
	out := make([]uint32, 0, t.nodes[i].n)
	step := uint32(0)
	if t.nodes[i].kind == kObject {
		step = 1
	}
	for j, left := i+1+step, t.nodes[i].n; left > 0; left-- {
		out = append(out, j)
		j = t.nodes[j].next + step
	}
	return out
}

var blank = [256]bool{' ': true, '\t': true, '\n': true, '\r': true}

// plain marks the bytes of a string that need no look.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return t
}()

// scanner turns a text into a tape in one pass, without recursion.
type scanner struct {
	src   string
	nodes []node
	open  [maxDepth]uint32 // the containers around the place, outermost first
	depth int
	most  int // the greatest depth so far
}

// bom is what some printers put before a text.
const bom = "\ufeff"

// begin returns where the first value can begin.
func (s *scanner) begin() int {
	if strings.HasPrefix(s.src, bom) {
		return s.skip(len(bom))
	}
	return s.skip(0)
}

// scan reads one value with white space around it, or, with lines, at least
// two values that each stand on a line of their own.
func scan(src string, lines bool) (*tape, error) {
	if len(src) > maxSize {
		return nil, errNotJSON
	}
	s := &scanner{src: src, nodes: make([]node, 0, len(src)/8+4)}
	at := 0
	if !lines {
		at, err := s.value(s.begin())
		if err != nil {
			return nil, err
		}
		if s.skip(at) != len(src) {
			return nil, errNotJSON
		}
		return &tape{src: src, nodes: s.nodes, depth: s.most}, nil
	}
	s.nodes = append(s.nodes, node{end: uint32(len(src)), kind: kArray})
	count, err := uint32(0), error(nil)
	for at = s.begin(); at < len(src); count++ {
		end, err2 := s.value(at)
		if err = err2; err != nil {
			return nil, err
		}
		at = s.skip(end)
		if at < len(src) && !hasNewline(src[end:at]) {
			return nil, errNotJSON
		}
	}
	if count < 2 {
		return nil, errNotJSON
	}
	s.nodes[0].n, s.nodes[0].next = count, uint32(len(s.nodes))
	return &tape{src: src, nodes: s.nodes, lines: true, depth: s.most}, nil
}

func hasNewline(s string) bool {
	for i := range len(s) {
		if s[i] == '\n' {
			return true
		}
	}
	return false
}

func (s *scanner) skip(i int) int {
	for i < len(s.src) && blank[s.src[i]] {
		i++
	}
	return i
}

// value reads the value that begins at i and returns where it ends.
func (s *scanner) value(i int) (int, error) {
	base := s.depth
	for {
		// A value begins at i.
		if i >= len(s.src) {
			return 0, errNotJSON
		}
		end, done := 0, true
		switch c := s.src[i]; c {
		case '{', '[':
			if s.depth == maxDepth {
				return 0, errDeep
			}
			k, closer := kObject, byte('}')
			if c == '[' {
				k, closer = kArray, ']'
			}
			s.open[s.depth] = uint32(len(s.nodes))
			s.depth++
			s.most = max(s.most, s.depth)
			s.nodes = append(s.nodes, node{start: uint32(i), kind: k})
			j := s.skip(i + 1)
			if j < len(s.src) && s.src[j] == closer {
				end = s.close(j)
				break
			}
			done = false
			i = j
		default:
			var err error
			if end, err = s.scalar(i); err != nil {
				return 0, err
			}
		}
		if done {
			var err error
			if i, done, err = s.after(end, base); err != nil || done {
				return i, err
			}
		} else if s.nodes[s.open[s.depth-1]].kind == kObject {
			var err error
			if i, err = s.key(i); err != nil {
				return 0, err
			}
		}
	}
}

// after goes on behind a value: it closes what ends there and returns where the
// next value begins, or that the outermost one is done.
func (s *scanner) after(end, base int) (at int, done bool, err error) {
	for s.depth > base {
		top := &s.nodes[s.open[s.depth-1]]
		top.n++
		i := s.skip(end)
		if i >= len(s.src) {
			return 0, false, errNotJSON
		}
		switch c := s.src[i]; {
		case c == ',':
			i = s.skip(i + 1)
			if top.kind == kObject {
				i, err = s.key(i)
			}
			return i, false, err
		case c == '}' && top.kind == kObject, c == ']' && top.kind == kArray:
			end = s.close(i)
		default:
			return 0, false, errNotJSON
		}
	}
	return end, true, nil
}

// close ends the innermost container at the bracket at i.
func (s *scanner) close(i int) int {
	s.depth--
	top := &s.nodes[s.open[s.depth]]
	top.end, top.next = uint32(i+1), uint32(len(s.nodes))
	return i + 1
}

// key reads a key and its colon and returns where the value begins.
func (s *scanner) key(i int) (int, error) {
	if i >= len(s.src) || s.src[i] != '"' {
		return 0, errNotJSON
	}
	end, err := s.scalar(i)
	if err != nil {
		return 0, err
	}
	i = s.skip(end)
	if i >= len(s.src) || s.src[i] != ':' {
		return 0, errNotJSON
	}
	return s.skip(i + 1), nil
}
