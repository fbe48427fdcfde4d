package rows

import (
	"strconv"
	"strings"
)

// FoldKind says how a column is stated once instead of in each row.
type FoldKind uint8

const (
	Plain  FoldKind = iota // not at all: each row shows its cell
	Const                  // every row has the cell Value
	Count                  // whole numbers that begin at First and grow by Step
	Same                   // the cell of column Ref
	Around                 // a string: Pre, the text of column Ref's cell, Suf
	Affix                  // a string: Pre, the row's own cell, Suf
)

// Fold is what a table's header says of one column.
type Fold struct {
	Kind        FoldKind
	Value       string
	First, Step int64
	Ref         int
	Pre, Suf    string
}

// Shown reports whether the rows still have a cell for the column.
func (f Fold) Shown() bool { return f.Kind == Plain || f.Kind == Affix }

// Folder looks for folds in the columns of one table. Every column has as many
// cells as there are rows.
type Folder struct {
	Columns [][]string
	// JSON says that cells are JSON values, strings in their quotes, and that ""
	// is a missing cell. Otherwise every cell is a text, "" as well.
	JSON bool
	// Alone allows only folds that need no other row: no counting.
	Alone bool
	// NoRef and Repeats mark columns that may not be referred to, and those whose
	// long strings repeat so much that another way of folding is better.
	NoRef, Repeats []bool
	// Work counts the bytes compared, so that a test can see that it is linear.
	Work   int
	budget int
}

// Folds returns a fold for each column.
func (f *Folder) Folds() []Fold {
	out := make([]Fold, len(f.Columns))
	size := 0
	for c, cells := range f.Columns {
		for _, s := range cells {
			size += len(s) + 1
		}
		out[c] = f.alone(cells)
	}
	f.budget = f.Work + 8*size
	// What is referred to shall not refer itself: no chains, no circles.
	pinned := make([]bool, len(f.Columns))
	for c := range f.Columns {
		if out[c].Kind != Plain || pinned[c] {
			continue
		}
		if out[c] = f.refer(c, out); out[c].Kind != Plain {
			pinned[out[c].Ref] = true
		}
	}
	for c, cells := range f.Columns {
		if out[c].Kind == Plain && !at(f.Repeats, c) {
			out[c] = f.affix(cells)
		}
	}
	return out
}

func at(list []bool, i int) bool { return i < len(list) && list[i] }

func (f *Folder) alone(cells []string) Fold {
	if len(cells) < 2 || f.JSON && cells[0] == "" {
		return Fold{}
	}
	same := true
	for _, s := range cells[1:] {
		f.Work += min(len(s), 8)
		if s != cells[0] {
			same = false
			break
		}
		f.Work += len(s)
	}
	if same {
		return Fold{Kind: Const, Value: cells[0]}
	}
	if f.Alone || len(cells) < 3 {
		return Fold{}
	}
	return f.count(cells)
}

// count wants whole numbers as a program would print them, one step apart.
func (f *Folder) count(cells []string) Fold {
	var first, last, step int64
	for i, s := range cells {
		n, ok := whole(s)
		f.Work += min(len(s), 20)
		switch {
		case !ok:
			return Fold{}
		case i == 0:
			first = n
		case i == 1:
			step = n - first
		case n-last != step:
			return Fold{}
		}
		last = n
	}
	if step == 0 {
		return Fold{}
	}
	return Fold{Kind: Count, First: first, Step: step}
}

func whole(s string) (int64, bool) {
	if s == "" || len(s) > 16 || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return 0, false
	}
	if d := strings.TrimPrefix(s, "-"); d == "" || d[0] == '0' && s != "0" {
		return 0, false // nobody prints it so
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil
}

// text returns what a cell says, without quotes.
func (f *Folder) text(s string) (inner string, isString bool) {
	if !f.JSON {
		return s, true
	}
	return Inner(s)
}

// Inner returns a JSON scalar without quotes, and whether it had some.
func Inner(s string) (string, bool) {
	if len(s) > 1 && s[0] == '"' {
		return s[1 : len(s)-1], true
	}
	return s, false
}

// refer looks for another column whose text stands inside this one in every row.
func (f *Folder) refer(c int, out []Fold) Fold {
	cells := f.Columns[c]
	if len(cells) < 2 || at(f.Repeats, c) {
		return Fold{}
	}
	for ref := range f.Columns {
		k := out[ref].Kind
		if ref == c || k != Plain && k != Count || at(f.NoRef, ref) || f.budget < f.Work {
			continue
		}
		if fold, ok := f.around(cells, f.Columns[ref]); ok {
			fold.Ref = ref
			return fold
		}
	}
	return Fold{}
}

func (f *Folder) around(cells, ref []string) (Fold, bool) {
	f.Work += 4
	// The row with the longest text tells best where it stands.
	best, size := 0, -1
	for i := range min(len(ref), 8) {
		if n := len(ref[i]); n > size {
			best, size = i, n
		}
	}
	mine, isString := f.text(cells[best])
	other, _ := f.text(ref[best])
	if other == "" || !f.JSON && len(mine) < len(other) {
		return Fold{}, false
	}
	if cells[best] == ref[best] {
		for i := range cells {
			f.Work += min(len(cells[i]), len(ref[i])) + 1
			if cells[i] != ref[i] {
				return Fold{}, false
			}
		}
		return Fold{Kind: Same}, true
	}
	if !isString {
		return Fold{}, false
	}
	f.Work += min(len(mine), 256)
	for _, where := range []int{strings.Index(head(mine), other), strings.LastIndex(tail(mine), other) + len(mine) - len(tail(mine))} {
		if where < 0 || where+len(other) > len(mine) || mine[where:where+len(other)] != other {
			continue
		}
		if where > 0 && mine[where-1] == '\\' {
			continue // inside an escape
		}
		fold := Fold{Kind: Around, Pre: mine[:where], Suf: mine[where+len(other):]}
		if f.fits(fold, cells, ref) {
			return fold, true
		}
	}
	return Fold{}, false
}

func head(s string) string { return s[:min(len(s), 256)] }
func tail(s string) string { return s[max(0, len(s)-256):] }

func (f *Folder) fits(fold Fold, cells, ref []string) bool {
	for i := range cells {
		mine, isString := f.text(cells[i])
		other, otherString := f.text(ref[i])
		f.Work += min(len(mine), len(fold.Pre)+len(other)+len(fold.Suf)) + 1
		if !isString || other == "" || f.JSON && !otherString && !scalar(other) ||
			len(mine) != len(fold.Pre)+len(other)+len(fold.Suf) ||
			!strings.HasPrefix(mine, fold.Pre) || !strings.HasSuffix(mine, fold.Suf) || mine[len(fold.Pre):len(fold.Pre)+len(other)] != other {
			return false
		}
	}
	return true
}

func scalar(s string) bool { return s[0] == '-' || s[0] >= '0' && s[0] <= '9' }
