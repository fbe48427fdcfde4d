package prune

import (
	"strings"

	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// protect marks the lines that stay whatever the judge says.
func protect(in *Input, v *view) []Cause {
	c := make([]Cause, v.doc.Len())
	edges(c, v)
	outside(c, v)
	lines := plainLines(v.doc)
	conflicts(c, lines, v)
	h := lineHints(lines)
	if v.source == detect.None {
		unstamp(lines)
	}
	if v.source == detect.None && v.kind != grepTool && v.kind != globTool {
		diff(c, lines) // before a diff's signs are taken for a prefix
		unprefix(lines, h)
	}
	blocks(c, lines)
	floor(c, lines, h, v)
	if v.source == detect.None {
		summary(c, lines, h, v)
		if v.kind != grepTool && v.kind != globTool {
			warnings(c, h)
		}
	}
	return c
}

// plainLines returns the lines for matching: without escape sequences, and
// without a final carriage return.
func plainLines(d text.Doc) []string {
	lines := make([]string, d.Len())
	for i := range lines {
		lines[i] = strings.TrimSuffix(text.Plain(d.Line(i)), "\r")
	}
	return lines
}

func lineHints(lines []string) []hint {
	h := make([]hint, len(lines))
	for i, l := range lines {
		h[i] = hints(l)
	}
	return h
}

// edges marks the first and last two lines, of the text and of the body.
func edges(c []Cause, v *view) {
	mark := func(i int) {
		if i >= 0 && i < len(c) {
			c[i] |= Edge
		}
	}
	for _, e := range [][2]int{{0, len(c)}, {v.from, v.to}} {
		mark(e[0])
		mark(e[0] + 1)
		mark(e[1] - 1)
		mark(e[1] - 2)
	}
	// A final newline makes an empty last line: two lines of text stay too.
	for i, n := v.to-1, 0; i >= v.from && n < 2; i-- {
		mark(i)
		if strings.TrimSpace(v.doc.Line(i)) != "" {
			n++
		}
	}
}

// outside marks what is no part of the output.
func outside(c []Cause, v *view) {
	for i := range c {
		switch {
		case v.nums != nil && v.nums[i] == 0, i < v.from:
			c[i] |= Outside
		case strings.Contains(v.doc.Line(i), "\uFFFD"):
			c[i] |= Damaged
		}
	}
}

// blocks marks a host's own blocks whole: reminders, and pointers to a saved
// output, whose preview means nothing without its head.
func blocks(c []Cause, lines []string) {
	reminder := block{end: reminderClose, open: len(lines)}
	pointer := block{end: "</persisted-output>", open: 3}
	for i := 0; i < len(lines); i++ {
		switch {
		case opensReminder(lines[i]):
			i = reminder.mark(c, lines, i)
		case strings.HasPrefix(lines[i], "<persisted-output>"):
			i = pointer.mark(c, lines, i)
		}
	}
}

// block marks from an opening line to the line that holds end. Where there is
// none it marks the next open lines, and looks no further the next time.
type block struct {
	end     string
	open    int
	endless bool
}

// mark marks the block that begins at line i and returns its last line.
func (b *block) mark(c []Cause, lines []string, i int) int {
	last := i
	for !b.endless && !strings.Contains(lines[last], b.end) {
		if last++; last == len(lines) {
			b.endless = true
		}
	}
	if b.endless {
		last = min(i+b.open, len(lines)) - 1
	}
	for j := i; j <= last; j++ {
		c[j] |= Reminder
	}
	return last
}

// floor marks failures and notices. Source code speaks of errors all the time
// without reporting any, so there only notices count.
func floor(c []Cause, lines []string, h []hint, v *view) {
	exempt := exemption(lines, v)
	said := shellSays(lines, v)
	for i, l := range lines {
		if h[i]&hintNotice != 0 && isNotice(l, v.source != detect.None) || rest(l) {
			c[i] |= Notice
		}
		if exempt(i) {
			h[i] = 0
			continue
		}
		if h[i]&hintFailure != 0 || strings.HasPrefix(strings.TrimLeft(l, " "), "× ") {
			c[i] |= Word
			h[i] |= hintFailure
		} else if said(i, h[i]) {
			c[i] |= Word
		}
	}
	if v.source == detect.None {
		failureBlocks(c, lines, h)
	}
	if v.kind == shellTool {
		d := diagnostics{c: c, lines: lines, h: h, search: searchOf(v.args.command), python: strings.Contains(v.doc.Src, pythonWarning)}
		d.mark()
	}
}

// exemption returns which lines are exempt from the floor: all lines of a Read
// source file, and the hits of a search in source files. For folds, what git
// prints of files is exempt too, and the hits of a shell's search.
func exemption(lines []string, v *view) func(i int) bool {
	switch {
	case v.source != detect.None, v.lenient && v.kind == shellTool && readsVersions(v.args.command):
		return func(i int) bool { return i >= v.from && i < v.to }
	case v.kind == grepTool, v.lenient && v.kind == shellTool && searchOf(v.args.command) == onlySearch:
		code := detect.Hits(lines, v.args.path)
		return func(i int) bool { return code != nil && code[i] }
	}
	return func(int) bool { return false }
}

// warnings marks warnings where they are few; where they are many they are
// the judge's.
func warnings(c []Cause, h []hint) {
	n := 0
	for i := range h {
		if h[i]&hintWarn != 0 {
			n++
		}
	}
	if n == 0 || n > fewOf(len(h)) {
		return
	}
	for i := range h {
		if h[i]&hintWarn != 0 {
			c[i] |= Warning
		}
	}
}

// fewOf is how many warnings are few among n lines.
func fewOf(n int) int { return max(5, n/50) }
