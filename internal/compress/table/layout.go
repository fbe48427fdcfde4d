package table

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// layout says how the cells of a table make a line. Every line of a block is
// made by it, or is odd and stands as it is.
type layout interface {
	// cells appends the cells of a line to dst; ok is false where it has not this
	// layout.
	cells(dst []string, line string) (out []string, ok bool)
	// line puts cells together again.
	line(dst []byte, cells []string) []byte
	// spec describes the layout in one word, for [parseLayout].
	spec() string
}

// parseLayout reads what spec wrote.
func parseLayout(s string) (layout, bool) {
	name, args, _ := strings.Cut(s, ":")
	switch name {
	case "csv", "tsv", "ssv":
		return separated(map[string]byte{"csv": ',', "tsv": '\t', "ssv": ';'}[name]), args == ""
	case "md":
		cols, ok := parseColumns(args)
		return markdown(cols), ok
	case "cols", "fixed":
		cols, ok := parseColumns(args)
		return aligned{cols, name == "fixed"}, ok && len(cols) > 0
	}
	return nil, false
}

// separated is CSV and its like. Quotes are a part of the cell.
type separated byte

func (s separated) cells(out []string, line string) ([]string, bool) {
	start, quoted := 0, false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case line[i] == byte(s) && !quoted:
			out = append(out, line[start:i])
			start = i + 1
		}
	}
	return append(out, line[start:]), !quoted
}

func (s separated) line(b []byte, cells []string) []byte {
	for i, c := range cells {
		if i > 0 {
			b = append(b, byte(s))
		}
		b = append(b, c...)
	}
	return b
}

func (s separated) spec() string {
	return map[separated]string{',': "csv", '\t': "tsv", ';': "ssv"}[s]
}

// column is where a padded column stands: for Markdown the width inside its
// blanks, for aligned columns the character at which cells begin or, for those
// flush right, end.
type column struct {
	at    int
	right bool
}

func columnsSpec(cols []column) string {
	var b strings.Builder
	for i, c := range cols {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(c.at))
		if c.right {
			b.WriteByte('r')
		}
	}
	return b.String()
}

func parseColumns(s string) ([]column, bool) {
	var out []column
	for part := range strings.SplitSeq(s, ",") {
		digits, right := strings.CutSuffix(part, "r")
		n, err := strconv.Atoi(digits)
		if err != nil || n < 0 || n > maxWidth {
			return nil, false
		}
		out = append(out, column{n, right})
	}
	return out, len(out) <= maxColumns
}

const (
	maxWidth   = 4096
	maxColumns = 128
)

// markdown is "| a | b |", each cell padded to its column's width.
type markdown []column

func (m markdown) cells(out []string, line string) ([]string, bool) { return pipes(out, line) }

// pipes splits a Markdown row and takes the blanks off its cells.
func pipes(out []string, line string) ([]string, bool) {
	if len(line) < 3 || line[0] != '|' || line[len(line)-1] != '|' {
		return out, false
	}
	start := 1
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			out = append(out, strings.Trim(line[start:i], " "))
			start = i + 1
		}
	}
	return out, start == len(line)
}

func (m markdown) line(b []byte, cells []string) []byte {
	b = append(b, '|')
	for i, c := range cells {
		b = append(b, ' ')
		n := 0
		if i < len(m) {
			n = max(0, m[i].at-utf8.RuneCountInString(c))
		}
		if i < len(m) && m[i].right {
			b = blanks(b, n)
			n = 0
		}
		b = append(b, c...)
		b = append(blanks(b, n), " |"...)
	}
	return b
}

func (m markdown) spec() string { return "md:" + columnsSpec(m) }

const spaces = "                                                                "

func blanks(b []byte, n int) []byte {
	for ; n > len(spaces); n -= len(spaces) {
		b = append(b, spaces...)
	}
	return append(b, spaces[:max(n, 0)]...)
}

// aligned is columns held apart by blanks. fixed says that the last one is
// padded too: then the last column is only the lines' end.
type aligned struct {
	cols  []column
	fixed bool
}

func (a aligned) cells(out []string, line string) ([]string, bool) {
	n := len(out)
	out = splitWide(out, strings.TrimRight(line, " "))
	return out, len(out)-n == a.count()
}

func (a aligned) count() int {
	if a.fixed {
		return len(a.cols) - 1
	}
	return len(a.cols)
}

// splitWide cuts at two blanks or more.
func splitWide(out []string, line string) []string {
	for i := 0; i < len(line); {
		for i < len(line) && line[i] == ' ' {
			i++
		}
		start := i
		for i < len(line) && (line[i] != ' ' || i+1 < len(line) && line[i+1] != ' ') {
			i++
		}
		if i > start {
			out = append(out, line[start:i])
		}
	}
	return out
}

func (a aligned) line(b []byte, cells []string) []byte {
	at := 0
	for i, c := range cells {
		n := utf8.RuneCountInString(c)
		begin := a.cols[i].at
		if a.cols[i].right {
			begin -= n
		}
		b = append(blanks(b, begin-at), c...)
		at = max(at, begin) + n
	}
	if a.fixed {
		b = blanks(b, a.cols[len(a.cols)-1].at-at)
	}
	return b
}

func (a aligned) spec() string {
	if a.fixed {
		return "fixed:" + columnsSpec(a.cols)
	}
	return "cols:" + columnsSpec(a.cols)
}
