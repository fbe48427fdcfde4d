package prune

import "winnow/internal/text"

// Kept says which lines of a tool's text stay whatever anybody proposes to hide:
// failures, notices, summaries, edges, reminders, with their neighbours and the
// headings above them. It holds for every line of s split on "\n".
func Kept(t Tool, s string) []bool {
	in := Input{Tool: t, Text: s}
	v := newView(&in)
	return settle(make([]bool, v.doc.Len()), protect(&in, &v), &v)
}

// KeptOfDiff is Kept for a diff, whose changed lines are its compressor's matter:
// what fails, warns or was cut by others stays, without neighbours.
func KeptOfDiff(t Tool, s string) []bool {
	in := Input{Tool: t, Text: s}
	v := newView(&in)
	keep := make([]bool, v.doc.Len())
	for i, c := range protect(&in, &v) {
		keep[i] = c&^(Changed|Word|Trace|Warning) != 0
	}
	return keep
}

// OwnCall reports whether a call is one of winnow's own: its tools under any
// server's name, or its command in a shell. Their text is never rewritten.
func OwnCall(t Tool) bool {
	return ownTool(t.Name) || kindOf(t.Name) == shellTool && ownCommand(readArgs(t.Input).command)
}

// Subject returns what a call names: a shell's command, a file, a pattern.
func Subject(t Tool) (command, file string) {
	a := readArgs(t.Input)
	return a.command, a.path
}

// Body looks through what a tool puts around its output: a Read's margin, a
// recorded shell's header, reminders at the end. doc is s line for line without
// the margin, nums the margin's numbers (nil without one), and the output itself
// is lines [from, to).
func Body(t Tool, s string) (doc text.Doc, nums []int, from, to int) {
	in := Input{Tool: t, Text: s}
	v := newView(&in)
	return v.doc, v.nums, v.from, v.to
}
