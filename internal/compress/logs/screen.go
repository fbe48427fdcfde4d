package logs

import (
	"strings"
	"unicode/utf8"

	"winnow/internal/compress"
	"winnow/internal/text"
)

// Screen writes what a terminal would show: colours gone, and of a line that was
// written over and over (progress) only its last state. What was written over is
// not in it, so the whole text stays behind one key. A line that speaks of a
// failure is shown although it was written over.
type Screen struct{}

var _ compress.Sampler = Screen{}

// Name names the form in a decision's chain.
func (Screen) Name() string { return "screen" }

// screenNote stands below the text, before the tag.
const screenNote = "[as a terminal shows it, without colours and overwritten progress; all bytes: "

// minScreen is how many characters the form must save, beside its note.
const minScreen = 64

// Sample resolves carriage returns, backspaces and escape sequences.
func (Screen) Sample(in compress.Input, tag string) (string, bool) {
	if tag == "" || strings.Contains(in.Text, tag) || !strings.ContainsAny(in.Text, "\x1b\b") && !overwrites(in.Text) {
		return "", false
	}
	d := text.Split(in.Text)
	var b strings.Builder
	b.Grow(len(in.Text))
	var row row
	for i := range d.Len() {
		if i > 0 {
			b.WriteByte('\n')
		}
		row.show(&b, d.Line(i))
	}
	if !strings.HasSuffix(in.Text, "\n") {
		b.WriteByte('\n')
	}
	b.WriteString(screenNote + tag + "]")
	form := b.String()
	if len(form) > len(in.Text) || text.Chars(form)+minScreen > text.Chars(in.Text) {
		return "", false
	}
	return form, true
}

// overwrites reports whether a carriage return stands anywhere but at a line's end.
func overwrites(s string) bool {
	for {
		i := strings.IndexByte(s, '\r')
		if i < 0 {
			return false
		}
		s = strings.TrimLeft(s[i:], "\r")
		if s != "" && s[0] != '\n' {
			return true
		}
	}
}

// row is one line of a screen. A byte that is no UTF-8 is kept as a negative cell.
type row struct {
	cells []rune
	at    int
	line  string
	from  int // where in line the state that is being written begins
}

// show writes the last state of a line, and before it each state that speaks of
// a failure.
func (r *row) show(b *strings.Builder, line string) {
	line, cr := strings.CutSuffix(line, "\r")
	r.cells, r.at, r.line, r.from = r.cells[:0], 0, line, 0
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case '\r':
			r.over(b, i, i+1)
			i++
		case '\b':
			r.at = max(0, r.at-1)
			i++
		case '\x1b':
			i += r.escape(b, i)
		default:
			cell, n := utf8.DecodeRuneInString(line[i:])
			if cell == utf8.RuneError && n == 1 {
				cell = -rune(c)
			}
			r.put(cell)
			i += n
		}
	}
	for _, c := range r.cells {
		if c < 0 {
			b.WriteByte(byte(-c))
		} else {
			b.WriteRune(c)
		}
	}
	if cr {
		b.WriteByte('\r')
	}
}

func (r *row) put(c rune) {
	if r.at < len(r.cells) {
		r.cells[r.at] = c
	} else {
		r.cells = append(r.cells, c)
	}
	r.at++
}

// over goes back to the line's head: the state that ends at end may be written
// over, the next begins at next. One that speaks of a failure is written now.
func (r *row) over(b *strings.Builder, end, next int) {
	if state := text.Plain(r.line[r.from:end]); failing(state) {
		b.WriteString(strings.ReplaceAll(state, "\b", ""))
		b.WriteByte('\n')
		r.cells = r.cells[:0]
	}
	r.at, r.from = 0, next
}

// escape takes the sequence at i, obeys it where it erases or goes to the line's
// head, and returns its length.
func (r *row) escape(b *strings.Builder, i int) int {
	n := max(1, text.EscapeLen(r.line[i:]))
	switch r.line[i : i+n] {
	case "\x1b[K", "\x1b[0K":
		r.cells = r.cells[:min(r.at, len(r.cells))]
	case "\x1b[2K":
		r.over(b, i, i+n)
		r.cells = r.cells[:0]
	case "\x1b[G", "\x1b[0G", "\x1b[1G":
		r.over(b, i, i+n)
	}
	return n
}

// failing reports whether a line that is about to be written over must be shown.
func failing(l string) bool {
	l = strings.ToLower(l)
	for _, w := range [...]string{"error", "fail", "fatal", "panic", "exception", "traceback", "denied", "warn", "abort", "exit code", "exit status", "not found", "timed out"} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}
