package rows

// Picker says which rows of many must stay when the others are hidden: the ends,
// failures, what stands out, where something changes, and what the task names.
type Picker struct {
	Head, Tail int
	Query      Query
	// JSON says that cells and rows are JSON, strings in their quotes and "" a
	// missing cell.
	JSON bool
}

// Field is a column of what is picked from, with a cell for each row.
type Field struct {
	Name  string
	Cells []string
}

// Why says for which reasons a row must stay; 0: it need not.
type Why uint8

const (
	End   Why = 1 << iota // it is at the head or the tail
	Odd                   // it stands out, or something changes with it
	Fails                 // it reports a failure
	Named                 // the task names it
)

// Pick says for each of n rows why it must stay. row gives a row's text.
func (p Picker) Pick(n int, row func(i int) string, fields []Field) []Why {
	keep := make([]Why, n)
	for i := range n {
		if i < p.Head || i >= n-p.Tail {
			keep[i] = End
		}
	}
	for _, i := range p.Query.Named(n, row, p.JSON) {
		keep[i] |= Named
	}
	for _, f := range fields {
		p.failing(f, keep)
		numeric := p.numbers(f.Cells, keep)
		p.categories(f.Cells, numeric, keep)
	}
	return keep
}

// failing keeps the rows with a failure. A number that counts errors in most
// rows is a measurement, and left to the outliers.
func (p Picker) failing(f Field, keep []Why) {
	var hits []int
	numeric := 0
	for i, c := range f.Cells {
		if c != "" && Failing(f.Name, c) {
			hits = append(hits, i)
			if _, ok := parse(c, p.JSON); ok {
				numeric++
			}
		}
	}
	if numeric > len(f.Cells)/2 {
		return
	}
	for _, i := range hits {
		keep[i] |= Fails
	}
}

const (
	// few is the number of rows under which statistics say nothing.
	few = 8
	// sampled bounds what the medians are taken from, so that the work is linear.
	sampled = 2048
	// far is how many robust deviations from the median make an outlier.
	far = 6
)

const (
	maxClasses = 64
	maxChanges = 4
)

// class is a value that several rows share.
type class struct{ count, first int }

// categories keeps the rows of rare values, of strings unlike the others, and
// those where a value that stays for long gives way to another.
func (p Picker) categories(cells []string, numeric bool, keep []Why) {
	n := len(cells)
	if n < few {
		return
	}
	classes := map[string]*class{}
	of := p.value
	if numeric || !count(cells, of, classes, min(maxClasses, n/3)) {
		clear(classes)
		if of = p.shape; !count(cells, of, classes, maxClasses) {
			return
		}
	}
	if len(classes) < 2 {
		return
	}
	rare := 0
	for _, c := range classes {
		if c.count <= max(1, n/50) {
			rare += c.count
		}
	}
	all := rare <= max(2, n/20)
	changes, last := []int{}, ""
	var buf [shapeLen]byte
	for i, cell := range cells {
		k := of(cell, &buf)
		c := classes[string(k)]
		if all && c.count <= max(1, n/50) || c.first == i && c.count <= n/10 && len(classes) <= few {
			keep[i] |= Odd
		}
		if i > 0 && string(k) != last && len(changes) <= maxChanges {
			changes = append(changes, i)
		}
		if string(k) != last {
			last = string(k)
		}
	}
	if len(changes) <= maxChanges {
		for _, i := range changes {
			keep[i] |= Odd
		}
	}
}

func count(cells []string, of func(string, *[shapeLen]byte) []byte, classes map[string]*class, most int) bool {
	var buf [shapeLen]byte
	for i, cell := range cells {
		k := of(cell, &buf)
		if c := classes[string(k)]; c != nil {
			c.count++
			continue
		}
		if len(classes) == most {
			return false
		}
		classes[string(k)] = &class{1, i}
	}
	return true
}

const shapeLen = 24

// value is what a cell says, as far as classes need to be told apart.
func (p Picker) value(s string, buf *[shapeLen]byte) []byte {
	if p.JSON && s != "" && (s[0] == '{' || s[0] == '[') {
		s = s[:1]
	}
	if len(s) > shapeLen {
		// A long value counts by its ends.
		n := copy(buf[:shapeLen/2], s)
		copy(buf[n:], s[len(s)-shapeLen/2:])
		return buf[:]
	}
	return buf[:copy(buf[:], s)]
}

// shape is how a cell looks: runs of letters and digits as one sign each.
func (p Picker) shape(s string, buf *[shapeLen]byte) []byte {
	if p.JSON && s != "" && (s[0] == '{' || s[0] == '[') {
		s = s[:1]
	}
	n, last := 0, byte(0)
	for i := 0; i < len(s) && n < shapeLen; i++ {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c = '0'
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0x80, c == '_':
			c = 'a'
		}
		if c == last && (c == '0' || c == 'a') {
			continue
		}
		buf[n] = c
		last = c
		n++
	}
	return buf[:n]
}
