package prune

import "strings"

// diagnostics marks what compilers, vets and linters say in a shell's output,
// few words of which name a failure ("missing return", "x redeclared").
// Warnings are left to [warnings].
type diagnostics struct {
	c      []Cause
	lines  []string
	h      []hint
	search searching
	python bool // the text holds warnings of Python
	quiet  bool // set by mark: warnings are so many that they are the judge's
}

func (d *diagnostics) mark() {
	if d.search == onlySearch {
		return
	}
	d.quiet = !d.fewWarnings()
	head := -1 // the last line that is not indented: a linter's table names its file there
	for i, l := range d.lines {
		if l == "" {
			continue
		}
		t := trimIndent(l)
		if t == l {
			head = i
			if d.located(l) && !d.warns(i) {
				d.keep(i, excerptEnd(d.lines, i))
			}
		}
		if t == "" {
			continue
		}
		switch t[0] {
		case '-':
			if strings.HasPrefix(t, "--> ") && place(t) && i > 0 && !d.warns(i-1) {
				d.keep(i-1, arrowEnd(d.lines, i))
			}
		case '^', '~':
			if caretLine(l) && !d.warns(i-1) && !d.warns(i-2) {
				d.keep(i-2, i+1)
			}
		default:
			if head >= 0 && d.h[i]&hintFailure != 0 && rowPlace(l) {
				d.keep(head, head+1)
			}
		}
	}
}

func (d *diagnostics) located(l string) bool {
	column, ok := locatedLine(l)
	return ok && (column || d.search == noSearch)
}

// warns reports whether line i is one of many warnings, and no failure.
func (d *diagnostics) warns(i int) bool {
	return d.quiet && i >= 0 && (d.warning(i) || strings.Contains(d.lines[i], ": note: "))
}

func (d *diagnostics) warning(i int) bool {
	return d.h[i]&(hintWarn|hintFailure) == hintWarn || d.python && strings.Contains(d.lines[i], pythonWarning)
}

const pythonWarning = "Warning: "

func (d *diagnostics) fewWarnings() bool {
	n := 0
	for i := range d.lines {
		if d.warning(i) {
			n++
		}
	}
	return n <= fewOf(len(d.lines))
}

func (d *diagnostics) keep(from, to int) {
	for i := max(from, 0); i < to; i++ {
		d.c[i] |= Trace
	}
}

// excerptEnd returns the line after what belongs to the message at line i: its
// excerpt with the caret, its notes, its deeper lines.
func excerptEnd(lines []string, i int) int {
	in, j := indent(lines[i]), i+1
	for ; j < min(i+maxDiagnostic, len(lines)); j++ {
		l := lines[j]
		if blank(l) {
			if j+1 < len(lines) && excerpt(lines[j+1]) {
				continue
			}
			break
		}
		if indent(l) <= in && !excerpt(l) {
			break
		}
	}
	return j
}

// arrowEnd returns the line after the excerpt under the arrow at line i.
func arrowEnd(lines []string, i int) int {
	j := i + 1
	for ; j < min(i+maxDiagnostic, len(lines)); j++ {
		if !excerpt(lines[j]) && !(blank(lines[j]) && j+1 < len(lines) && excerpt(lines[j+1])) {
			break
		}
	}
	return j
}
