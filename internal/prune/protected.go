package prune

// Protected says for each line of in.Text why it stays, whoever proposes to
// hide it: failures with their tracebacks, notices, summaries, edges. 0 means
// that nothing protects the line. The text may be a block of a longer one.
func Protected(in Input) []Cause {
	v := newView(&in)
	return protect(&in, &v)
}
