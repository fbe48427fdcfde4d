package prune

// Kept says which lines of a tool's text stay whatever anybody proposes to hide:
// failures, notices, summaries, edges, reminders, with their neighbours and the
// headings above them. It holds for every line of s split on "\n".
func Kept(t Tool, s string) []bool {
	in := Input{Tool: t, Text: s}
	v := newView(&in)
	return settle(make([]bool, v.doc.Len()), protect(&in, &v), &v)
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
