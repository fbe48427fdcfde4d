package hook

import (
	"bytes"
	"errors"
	"fmt"

	"winnow/internal/text"
)

var (
	errSyntax    = errors.New("broken JSON")
	errTwice     = errors.New("key given twice")
	errNotObject = errors.New("not an object")
)

// member is one "key": value of an object; at is where the key's quote stands.
type member struct {
	key string
	at  int
	val text.Span
}

// scanner walks valid JSON by offset. On anything else it stops with an error;
// it never reads past its end.
type scanner struct {
	b  []byte
	at int
}

// space skips white space and returns the byte that follows, 0 at the end.
func (s *scanner) space() byte {
	for s.at < len(s.b) {
		switch c := s.b[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// eat skips white space and c; it reports whether c was there.
func (s *scanner) eat(c byte) bool {
	if s.space() != c {
		return false
	}
	s.at++
	return true
}

// str skips a string that begins here.
func (s *scanner) str() (text.Span, error) {
	start := s.at
	if !s.eat('"') {
		return text.Span{}, errSyntax
	}
	for {
		n := bytes.IndexByte(s.b[s.at:], '"')
		if n < 0 {
			return text.Span{}, errSyntax
		}
		s.at += n + 1
		if !escaped(s.b[start+1 : s.at-1]) {
			return text.Span{Start: start, End: s.at}, nil
		}
	}
}

// escaped reports whether the byte after b is: an odd run of backslashes ends b.
func escaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}

// value skips one value of any kind. Depth is a counter, not a call stack.
func (s *scanner) value() (text.Span, error) {
	s.space()
	start, depth := s.at, 0
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case '"':
			if _, err := s.str(); err != nil {
				return text.Span{}, err
			}
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ' ', '\t', '\r', '\n', ',', ':':
			s.at++
			continue
		default:
			s.scalar()
		}
		if depth <= 0 {
			return text.Span{Start: start, End: s.at}, nil
		}
	}
	return text.Span{}, errSyntax
}

// scalar skips a number, true, false or null.
func (s *scanner) scalar() {
	if n := bytes.IndexAny(s.b[s.at:], " \t\r\n,]}"); n > 0 {
		s.at += n
		return
	}
	s.at = len(s.b)
}

// members lists the members of the object that raw is. Which of two equal keys
// counts differs between readers, so an object that has them is refused.
func members(raw []byte) ([]member, error) {
	s := scanner{b: raw}
	if !s.eat('{') {
		return nil, errNotObject
	}
	var ms []member
	seen := map[string]bool{}
	for !s.eat('}') {
		if len(ms) > 0 && !s.eat(',') {
			return nil, errSyntax
		}
		s.space()
		k, err := s.str()
		if err != nil {
			return nil, err
		}
		key, err := unquote(raw[k.Start:k.End])
		if err != nil || !s.eat(':') {
			return nil, errSyntax
		}
		v, err := s.value()
		if err != nil {
			return nil, err
		}
		if seen[key] {
			return nil, fmt.Errorf("%q: %w", key, errTwice)
		}
		seen[key] = true
		ms = append(ms, member{key: key, at: k.Start, val: v})
	}
	return ms, nil
}

// elements lists the values of the array that raw is.
func elements(raw []byte) ([]text.Span, error) {
	s := scanner{b: raw}
	if !s.eat('[') {
		return nil, ErrShape
	}
	var els []text.Span
	for !s.eat(']') {
		if len(els) > 0 && !s.eat(',') {
			return nil, ErrShape
		}
		v, err := s.value()
		if err != nil || v.Len() == 0 {
			return nil, ErrShape
		}
		els = append(els, v)
	}
	return els, nil
}

// stringAt returns the string that raw is.
func stringAt(raw []byte) (str, error) {
	s := scanner{b: raw}
	s.space()
	at, err := s.str()
	if err != nil || s.space() != 0 {
		return str{}, ErrShape
	}
	is, err := unquote(raw[at.Start:at.End])
	return str{at, is}, err
}
