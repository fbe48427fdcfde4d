package decisions

// Window is how many calls after a pruned one are looked at for a repetition.
const Window = 10

// loop follows the calls of one loop.
type loop struct {
	known map[string]bool
	open  []*pending
}

// pending is a pruned call whose next calls are still to come.
type pending struct {
	call, args, path string
	side             *Side
	left             int
	edited           bool
}

func (t *Tally) loop(r Record) *loop {
	key := r.Session + "\x00" + r.Loop
	l := t.loops[key]
	if l == nil {
		l = &loop{known: map[string]bool{}}
		t.loops[key] = l
	}
	return l
}

// add takes a record's calls in their order. A call that a sibling's record has
// named before was made before the sibling's result was seen: it repeats nothing.
func (l *loop) add(r Record, side *Side) {
	for _, p := range r.Prev {
		l.meet(p)
	}
	l.meet(Prev{Call: r.Call, Args: r.ArgsHash, Path: r.PathHash, Edit: edits(r.Tool)})
	if !r.Pruned() || r.ArgsHash == "" {
		return
	}
	for _, p := range l.open {
		if r.Call != "" && p.call == r.Call { // another text of the same result
			return
		}
	}
	l.open = append(l.open, &pending{call: r.Call, args: r.ArgsHash, path: r.PathHash, side: side, left: Window})
}

func (l *loop) meet(c Prev) {
	if c.Call != "" && l.known[c.Call] {
		return
	}
	l.known[c.Call] = true
	still := l.open[:0]
	for _, p := range l.open {
		if p.met(c) {
			continue
		}
		if p.left--; p.left > 0 {
			still = append(still, p)
		}
	}
	l.open = still
}

// met reports whether c repeats p, and counts it.
func (p *pending) met(c Prev) bool {
	again := c.Args == p.args || p.path != "" && c.Path == p.path && !c.Edit
	switch {
	case !again:
		// An edit elsewhere changes what a command prints, not what a file holds.
		p.edited = p.edited || c.Edit && (p.path == "" || c.Path == p.path)
	case p.edited:
		p.side.AgainEdited++
	default:
		p.side.Again++
	}
	return again
}
