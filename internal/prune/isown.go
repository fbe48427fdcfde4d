package prune

// IsOwn reports whether a call is winnow's own: its tool, or its command in a shell.
func IsOwn(t Tool) bool {
	return ownTool(t.Name) || kindOf(t.Name) == shellTool && ownCommand(readArgs(t.Input).command)
}
