package text

import "strings"

// Margin looks through the line numbers that a file-reading tool prints before
// each line: "12\ttext", "   12→text", "12: text", "00012| text", "12. text".
// It returns the text without them, aligned line by line, and the number of
// each line, 0 for a line that has none (a header above, a reminder below).
//
// The numbers must rise by one and stand in one unbroken block that begins
// within the first few lines; anything else is content, and ok is false. Only
// a tool known to number its lines should be asked about: a table of numbers
// looks just like a margin.
func Margin(d Doc) (stripped Doc, nums []int, ok bool) {
	first, sep := marginStart(d)
	if sep == "" {
		return d, nil, false
	}
	var b strings.Builder
	b.Grow(len(d.Src))
	lines := make([]Span, d.Len())
	nums = make([]int, d.Len())
	next := 0
	for i := range d.Len() {
		line := d.Line(i)
		if i >= first && (i == first || next > 0) {
			n, rest, found := number(line, sep)
			if found && (i == first || n == next) {
				nums[i], line, next = n, rest, n+1
			} else {
				next = 0
			}
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		start := b.Len()
		b.WriteString(line)
		lines[i] = Span{start, b.Len()}
	}
	return Doc{b.String(), lines}, nums, true
}

// marginHead is how many lines of a tool's own header may stand above the
// first numbered line.
const marginHead = 8

// separators in the order tried; a longer text of the same meaning comes first.
var separators = []string{"\t", "→", "| ", "|", ": ", ":", ". "}

// marginStart finds the first numbered line and what separates its number.
// The line after it must carry the next number, so that one line that happens
// to begin with a number is no margin; a file of one line has none after it.
func marginStart(d Doc) (first int, sep string) {
	for i := range min(d.Len(), marginHead+1) {
		for _, s := range separators {
			n, _, ok := number(d.Line(i), s)
			if !ok {
				continue
			}
			if i+1 < d.Len() {
				if m, _, ok := number(d.Line(i+1), s); ok && m == n+1 {
					return i, s
				}
			}
			if i == 0 && (s == "\t" || s == "→") && (d.Len() == 1 || d.Line(1) == "") {
				return i, s
			}
		}
	}
	return 0, ""
}

// number splits "  12<sep>text". An editor may have trimmed the blank of an
// empty line's separator, so "12:" passes for "12: ".
func number(line, sep string) (n int, rest string, ok bool) {
	i := 0
	for i < len(line) && line[i] == ' ' {
		i++
	}
	start := i
	for i < len(line) && line[i] >= '0' && line[i] <= '9' {
		if i-start >= 9 {
			return 0, "", false
		}
		n = n*10 + int(line[i]-'0')
		i++
	}
	if i == start || n == 0 {
		return 0, "", false
	}
	if rest, ok = strings.CutPrefix(line[i:], sep); ok {
		return n, rest, true
	}
	if line[i:] == strings.TrimRight(sep, " ") {
		return n, "", true
	}
	return 0, "", false
}

// Unnumbered takes a Read's margin off each line that has one, whatever stands
// between them: a marker breaks the row of numbers by which [Margin] knows one.
func Unnumbered(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i <= len(s); {
		line, _, more := strings.Cut(s[i:], "\n")
		i += len(line) + 1
		for _, sep := range []string{"\t", "→"} {
			if _, rest, ok := number(line, sep); ok {
				line = rest
				break
			}
		}
		b.WriteString(line)
		if more {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
