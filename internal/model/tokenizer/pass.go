package tokenizer

import (
	"strings"
	"unicode/utf8"

	"winnow/internal/text"
)

// maxWord is BERT's limit for a word, in characters after normalisation.
const maxWord = 100

// Classes of bytes. lowers holds all ASCII word characters but upper-case
// letters: punctuation stands apart, so they are letters and digits only.
const (
	lowers uint8 = 1 << iota
	uppers
	blanks
	marks
	others  // dropped controls and what begins or continues a longer character
	letters = lowers | uppers
)

var class, lower = func() (class [256]uint8, lower [256]byte) {
	for c := range class {
		lower[c] = byte(c)
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			class[c] = blanks
		case c < ' ' || c >= 0x7f:
			class[c] = others
		case 'A' <= c && c <= 'Z':
			class[c], lower[c] = uppers, byte(c)+'a'-'A'
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			class[c] = lowers
		default:
			class[c] = marks
		}
	}
	return class, lower
}()

// pass is one walk over a text.
type pass struct {
	*Tokenizer
	ids       []int32
	left      int // how many more ids are wanted; below 0: all
	wantSpans bool
	spans     []text.Span
	from      []text.Span // of each byte of a folded word, the bytes it comes from
}

func (p *pass) run(s string) {
	for i := 0; i < len(s) && p.left != 0; {
		switch c := s[i]; class[c] {
		case blanks:
			i++
		case marks:
			i = p.mark(s, i)
		case others:
			i = p.other(s, i)
		default:
			i = p.word(s, i)
		}
	}
}

func (p *pass) emit(id int32, start, end int) {
	if p.left == 0 {
		return
	}
	p.left--
	p.ids = append(p.ids, id)
	if p.wantSpans {
		p.spans = append(p.spans, text.Span{Start: start, End: end})
	}
}

// mark takes ASCII punctuation, or the name of a special token.
func (p *pass) mark(s string, i int) int {
	if s[i] == '[' {
		for k, name := range specials {
			if strings.HasPrefix(s[i:], name) {
				p.emit(p.special[k], i, i+len(name))
				return i + len(name)
			}
		}
	}
	p.emit(p.marks[s[i]], i, i+1)
	return i + 1
}

// word takes a word that begins with an ASCII letter or digit. Most are ASCII
// throughout and are matched where they stand.
func (p *pass) word(s string, i int) int {
	j := i + 1
	for j < len(s) && class[s[j]]&letters != 0 && !p.hump(s, j) {
		j++
	}
	if j < len(s) && class[s[j]] == others {
		return p.folded(s, i)
	}
	if j-i > maxWord {
		p.emit(p.special[unk], i, j)
	} else {
		pieces(p, s[i:j], i, nil)
	}
	return j
}

// hump reports whether a camel-case word ends before s[j].
func (p *pass) hump(s string, j int) bool {
	return p.camel && class[s[j]] == uppers && j > 0 && class[s[j-1]] == lowers
}

// other takes what begins with a control character or is not ASCII.
func (p *pass) other(s string, i int) int {
	r, n := utf8.DecodeRuneInString(s[i:])
	switch f := p.fold.of(r); f.kind {
	case drop, space:
		return i + n
	case punct, han:
		out := f.out
		if out == "" {
			out = s[i : i+n]
		}
		p.alone(out, i, i+n)
		return i + n
	}
	return p.folded(s, i)
}

// alone takes a character that is a word by itself.
func (p *pass) alone(out string, start, end int) {
	p.from = p.from[:0]
	if p.wantSpans {
		for range len(out) {
			p.from = append(p.from, text.Span{Start: start, End: end})
		}
	}
	pieces(p, out, start, p.from)
}

// folded takes a word that begins at i and has characters that are dropped or
// turn into others. Its head goes through a buffer on the stack; more than
// maxWord characters are only counted.
func (p *pass) folded(s string, i int) int {
	var room [(maxWord + 4) * utf8.UTFMax]byte
	buf, chars, start, end := room[:0], 0, i, i
	p.from = p.from[:0]
	for i < len(s) {
		if p.hump(s, i) && i > start {
			break
		}
		had := len(buf)
		var next int
		var in bool
		buf, next, in = p.next(buf, s, i)
		if !in {
			break
		}
		if len(buf) > had {
			if chars == 0 {
				start = i
			}
			end = next
			chars += utf8.RuneCount(buf[had:])
			if p.wantSpans {
				for range len(buf) - had {
					p.from = append(p.from, text.Span{Start: i, End: next})
				}
			}
			if chars > maxWord {
				buf, p.from = buf[:0], p.from[:0]
			}
		}
		i = next
	}
	if chars > maxWord {
		p.emit(p.special[unk], start, end)
	} else {
		pieces(p, buf, start, p.from)
	}
	return i
}

// next appends what the character at s[i] turns into and returns the index
// after it; in is false if it is no part of a word.
func (p *pass) next(buf []byte, s string, i int) (_ []byte, next int, in bool) {
	if c := s[i]; c < utf8.RuneSelf && class[c] != others {
		if class[c]&letters == 0 {
			return buf, i, false
		}
		return append(buf, lower[c]), i + 1, true
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	switch f := p.fold.of(r); {
	case f.kind == drop:
		return buf, i + n, true
	case f.kind == hangul:
		return jamo(buf, r), i + n, true
	case f.kind != keep:
		return buf, i, false
	case f.out != "":
		return append(buf, f.out...), i + n, true
	}
	return append(buf, s[i:i+n]...), i + n, true
}

// pieces cuts w into the longest pieces from left to right, or makes it one
// [UNK] if some part of it cannot be spelled, which is why the rest of a word
// is walked even when no more ids are wanted. w stands at start in the text;
// from, if not empty, says better where its bytes come from.
func pieces[T string | []byte](p *pass, w T, start int, from []text.Span) {
	ids, spans, left := p.ids, p.spans, p.left
	cells, root := p.trie.cells, uint32(wordRoot)
	for i := 0; i < len(w); {
		id, end, at, base := int32(0), i, root, cells[root].base()
		for k := i; k < len(w); k++ {
			next := base ^ uint32(lower[w[k]])
			c := cells[next]
			if c.parent() != at {
				break
			}
			if c.id() >= 0 {
				id, end = c.id(), k+1
			}
			at, base = next, c.base()
		}
		if end == i {
			p.ids, p.spans, p.left = ids, spans, left
			id, i, end = p.special[unk], 0, len(w)
		}
		if len(from) > 0 {
			p.emit(id, from[i].Start, from[end-1].End)
		} else {
			p.emit(id, start+i, start+end)
		}
		i, root = end, innerRoot
	}
}
