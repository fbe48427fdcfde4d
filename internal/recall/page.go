package recall

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/internal/text"
)

// MaxPage is the length of a page in characters. A registered tool's result
// over 50,000 would become a preview; this leaves room for two-unit characters.
const MaxPage = 20000

// window is the part of a text that a caller wants, in lines of the text.
type window struct {
	doc text.Doc
	// base is the number that the marker shows for line 0.
	base int
	// from and to are 0-based inclusive lines, off a byte offset in line from.
	from, to, off int
	// clamped says that more was asked for than there is.
	clamped bool
}

// Page returns one page of a hidden text. lines picks from it by the numbers
// that the marker shows: "a-b", "a", or "a+OFFSET-b" as an earlier note said;
// empty means all. max is the page's length in characters, 0 means [MaxPage].
//
// The page is exact bytes, up to the end of a line, its "\n" included when
// more follows; a longer line is cut between two characters. The note then
// says what to ask for next, so that all pages joined in order are the text.
//
// With a pattern (RE2) the page holds the matching lines, each after its
// number, and the note counts them.
//
// Errors are texts for whoever asked: what is wrong and what to do instead.
func Page(s string, is Issue, lines, pattern string, max int) (page, note string, err error) {
	if max <= 0 {
		max = MaxPage
	}
	w := window{doc: text.Split(s), base: is.First}
	if w.base < 1 {
		w.base = 1
	}
	if err := w.choose(lines); err != nil {
		return "", "", err
	}
	if pattern != "" {
		page, note, err = w.grep(pattern, max)
	} else {
		page, note = w.page(max)
	}
	if w.clamped && err == nil {
		// Else lines without numbers of their own would be counted from where the
		// caller believes they begin.
		note = strings.TrimSuffix("this marker hides only "+w.bounds()+"; "+note, "; ")
	}
	return page, note, err
}

// number returns the marker's number of line i.
func (w window) number(i int) int { return w.base + i }

// bounds names all lines there are, for errors and notes.
func (w window) bounds() string {
	if w.doc.Len() == 1 {
		return fmt.Sprintf("line %d", w.base)
	}
	return fmt.Sprintf("lines %d-%d", w.base, w.number(w.doc.Len()-1))
}

// page cuts the head off the window.
func (w window) page(max int) (page, note string) {
	rest := w.doc.Src[w.doc.Lines[w.from].Start+w.off : w.doc.Lines[w.to].End]
	end := prefix(rest, max)
	if end == len(rest) {
		return rest, ""
	}
	if i := strings.LastIndexByte(rest[:end], '\n'); i >= 0 {
		page = rest[:i+1]
		next := w.from + strings.Count(page, "\n")
		return page, fmt.Sprintf("next: lines %d-%d", w.number(next), w.number(w.to))
	}
	return rest[:end], fmt.Sprintf("next: lines %d+%d-%d", w.number(w.from), w.off+end, w.number(w.to))
}

// prefix returns the length in bytes of the first n characters of s. A byte
// that is no UTF-8 counts as a character.
func prefix(s string, n int) int {
	if len(s) <= n {
		return len(s)
	}
	i := 0
	for ; n > 0 && i < len(s); n-- {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// linesRE accepts what a marker or a note prints, and what people make of it.
var linesRE = regexp.MustCompile(`^(\d{1,9})(?:\+(\d{1,9}))?(\s*(?:-|–|\.\.|:|,|to)\s*(\d{1,9})?)?$`)

// choose reads lines into the window.
func (w *window) choose(lines string) error {
	w.from, w.to = 0, w.doc.Len()-1
	asked := strings.ToLower(strings.Trim(strings.TrimSpace(lines), "\"'`"))
	for _, word := range []string{"next:", "lines", "line"} {
		asked = strings.TrimLeft(strings.TrimPrefix(asked, word), " \t")
	}
	asked = strings.ReplaceAll(asked, "l", "") // L12-L40
	if asked == "" || asked == "a" {           // "all"
		return nil
	}
	m := linesRE.FindStringSubmatch(asked)
	if m == nil {
		return fmt.Errorf("lines %q is not a range: write it as a-b, for instance %d-%d; this marker hides %s, and without lines you get all of them",
			clip(lines), w.base, w.number(w.to), w.bounds())
	}
	a, b := atoi(m[1]), w.number(w.to) // "a-": to the end
	switch {
	case m[4] != "":
		b = atoi(m[4])
	case m[3] == "":
		b = a
	}
	if b < w.base || a > w.number(w.to) {
		return fmt.Errorf("lines %s lies outside of what this marker hides, which is %s: ask within that, or leave lines out for all; other lines of this result were not hidden by it", clip(lines), w.bounds())
	}
	if a > b {
		return fmt.Errorf("lines %d-%d runs backwards: write the smaller number first; this marker hides %s", a, b, w.bounds())
	}
	w.clamped = a < w.base || b > w.number(w.to)
	w.from, w.to = max(a-w.base, 0), min(b-w.base, w.to)
	return w.offset(m[2], a)
}

// offset sets the byte offset of a continued line.
func (w *window) offset(off string, a int) error {
	if off == "" || off == "0" {
		return nil
	}
	w.off = atoi(off)
	if a < w.base || w.off > w.doc.Lines[w.from].Len() {
		return fmt.Errorf("line %d has no byte %s: copy lines as the note \"next: lines ...\" printed it, or ask for lines %d-%d from its start",
			a, off, w.number(w.from), w.number(w.to))
	}
	return nil
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s) // at most nine digits, checked by linesRE
	return n
}

// clip shortens what a caller wrote before it is said back.
func clip(s string) string {
	if n := prefix(s, 60); n < len(s) {
		return s[:n] + "..."
	}
	return s
}
