package table

import (
	"strings"
	"unicode/utf8"

	"winnow/internal/text"
)

// block is a run of lines that are one table.
type block struct {
	first, last int // lines
	layout      layout
	names       []string   // of the columns, "" where the table has none
	head        int        // lines before the rows: header and rule
	rows        [][]string // cells of lines first+head to last; nil for an odd line
}

const (
	// leastRows is what a table has at least.
	leastRows = 3
	// leastRegular is the share of lines, in percent, that must fit a layout.
	leastRegular = 80
)

// find returns the tables of a text in order.
func find(d text.Doc) []block {
	if b, ok := findSeparated(d); ok {
		return []block{b}
	}
	var out []block
	tries, until := 0, 0
	for i := 0; i < d.Len(); {
		b, ok := findMarkdown(d, i)
		if !ok && b.last <= i {
			b, ok = findAligned(d, i)
		}
		if ok {
			out, i, tries = append(out, b), b.last+1, 0
			continue
		}
		// What looked like a table may begin a line or two later, below its title; to
		// try at every line of a long run would take the square of its length.
		if b.last > until {
			tries, until = 0, b.last
		}
		if tries++; tries > maxTries && i < until {
			i, tries = until, 0
		}
		i++
	}
	return out
}

// maxTries is how many lines of a run a table is looked for at.
const maxTries = 4

func line(d text.Doc, i int) string { return strings.TrimSuffix(d.Line(i), "\r") }

// findSeparated wants the whole text to be CSV, TSV or with semicolons.
func findSeparated(d text.Doc) (block, bool) {
	last := d.Len() - 1
	for last >= 0 && line(d, last) == "" {
		last--
	}
	if last < leastRows {
		return block{}, false
	}
	for _, s := range []separated{'\t', ',', ';'} {
		want, ok := s.cells(nil, line(d, 0))
		least := 3
		if s == '\t' {
			least = 2
		}
		if !ok || len(want) < least || len(want) > maxColumns {
			continue
		}
		b := block{first: 0, last: last, layout: s}
		if b.fill(d, 0, len(want)) {
			b.header(want)
			return b, true
		}
	}
	return block{}, false
}

// fill reads the rows from line first+head on; too many that do not fit, and it
// is no table.
func (b *block) fill(d text.Doc, head, columns int) bool {
	b.head = head
	odd := 0
	n := b.last - b.first - head + 1
	b.rows = make([][]string, 0, n)
	all := make([]string, 0, n*columns) // one room for the cells of all rows
	var again []byte
	for i := b.first + head; i <= b.last; i++ {
		l, start := line(d, i), len(all)
		var ok bool
		if all, ok = b.layout.cells(all, l); ok && len(all)-start == columns {
			again = b.layout.line(again[:0], all[start:])
			ok = string(again) == l
		} else {
			ok = false
		}
		if ok {
			b.rows = append(b.rows, all[start:len(all):len(all)])
			continue
		}
		all = all[:start]
		b.rows = append(b.rows, nil)
		if odd++; odd*100 > (100-leastRegular)*(b.last-b.first+1) {
			return false
		}
	}
	return len(b.rows)-odd >= leastRows
}

// header takes the first row for names, if they can be names: words, each another.
func (b *block) header(cells []string) {
	if b.rows[0] == nil || !named(cells) {
		return
	}
	b.names, b.head, b.rows = cells, 1, b.rows[1:]
}

func named(cells []string) bool {
	seen := map[string]bool{}
	for _, c := range cells {
		if c == "" || c[0] >= '0' && c[0] <= '9' || c[0] == '-' && len(c) > 1 || seen[c] || len(c) > 64 {
			return false
		}
		seen[c] = true
	}
	return true
}

// findMarkdown reads a table with a rule below its header that begins at line i.
func findMarkdown(d text.Doc, i int) (block, bool) {
	if i+1+leastRows >= d.Len() || !strings.HasPrefix(line(d, i), "|") || !isRule(line(d, i+1)) {
		return block{}, false
	}
	names, ok := pipes(nil, line(d, i))
	if !ok || len(names) > maxColumns {
		return block{}, false
	}
	last := i + 1
	for last+1 < d.Len() && strings.HasPrefix(line(d, last+1), "|") {
		last++
	}
	b := block{first: i, last: last}
	b.layout = markdownOf(d, i+2, last, len(names))
	if !b.fill(d, 2, len(names)) {
		return block{last: last}, false
	}
	if named(names) {
		b.names = names
	}
	return b, true
}

func isRule(s string) bool {
	return strings.Contains(s, "--") && strings.Trim(s, "|-: +") == ""
}

// markdownOf measures the columns: padded if all cells of one are equally wide.
func markdownOf(d text.Doc, first, last, columns int) layout {
	width := make([]int, columns)
	right := make([]bool, columns)
	padded := make([]bool, columns)
	for i := first; i <= last; i++ {
		l := line(d, i)
		start, c := 1, 0
		for j := 1; j < len(l) && c < columns; j++ {
			if l[j] == '\\' {
				j++
				continue
			}
			if l[j] != '|' {
				continue
			}
			w := utf8.RuneCountInString(l[start:j]) - 2
			if strings.HasPrefix(l[start:j], "  ") && !strings.HasSuffix(l[start:j], "  ") {
				right[c] = true
			}
			if i == first {
				width[c], padded[c] = w, true
			}
			padded[c] = padded[c] && width[c] == w && w > 0
			start, c = j+1, c+1
		}
	}
	cols := make([]column, columns)
	for c := range cols {
		if padded[c] {
			cols[c] = column{width[c], right[c]}
		}
	}
	return markdown(cols)
}

// findAligned reads lines from i on that have the same number of cells, two
// blanks or more apart, at the same places.
func findAligned(d text.Doc, i int) (block, bool) {
	want := len(splitWide(nil, line(d, i)))
	if want < 2 || want > maxColumns || strings.ContainsRune(line(d, i), '\t') {
		return block{}, false
	}
	last, odd := i, 0
	var room []string
	for j := i + 1; j < d.Len(); j++ {
		room = splitWide(room[:0], line(d, j))
		if n := len(room); n == want {
			last, odd = j, 0
		} else if odd++; n < 2 || odd > 2 {
			break
		}
	}
	if last-i < leastRows {
		return block{}, false
	}
	// A run that is given up is passed as a whole.
	a, ok := alignedOf(d, i, last, want)
	b := block{first: i, last: last, layout: a}
	if !ok || !b.fill(d, 0, want) || b.rows[0] == nil {
		return block{last: last}, false
	}
	b.header(b.rows[0])
	return b, true
}

// alignedOf finds for each column the side on which most of its cells are flush.
func alignedOf(d text.Doc, first, last, columns int) (aligned, bool) {
	starts, ends := make([]map[int]int, columns), make([]map[int]int, columns)
	for c := range columns {
		starts[c], ends[c] = map[int]int{}, map[int]int{}
	}
	lengths, trailing := map[int]int{}, 0
	var cells []string
	for i := first; i <= last; i++ {
		l := line(d, i)
		cells = splitWide(cells[:0], strings.TrimRight(l, " "))
		if len(cells) != columns {
			continue
		}
		at, pos := 0, 0
		for c, cell := range cells {
			skip := strings.Index(l[at:], cell)
			pos += utf8.RuneCountInString(l[at : at+skip])
			starts[c][pos]++
			pos += utf8.RuneCountInString(cell)
			ends[c][pos]++
			at += skip + len(cell)
		}
		lengths[utf8.RuneCountInString(l)]++
		if strings.HasSuffix(l, " ") {
			trailing++
		}
	}
	a := aligned{}
	for c := range columns {
		s, ns := most(starts[c])
		e, ne := most(ends[c])
		col := column{s, false}
		if ne > ns {
			col = column{e, true}
		}
		if max(ns, ne)*100 < leastRegular*(last-first+1) || col.at > maxWidth {
			return a, false
		}
		a.cols = append(a.cols, col)
	}
	if n, k := most(lengths); trailing > 0 && k*100 >= leastRegular*(last-first+1) && n <= maxWidth {
		a.cols, a.fixed = append(a.cols, column{n, false}), true
	}
	return a, true
}

// most returns the key with the highest count, the least of equals.
func most(m map[int]int) (key, count int) {
	for k, n := range m {
		if n > count || n == count && k < key {
			key, count = k, n
		}
	}
	return key, count
}
