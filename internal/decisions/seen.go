package decisions

// Seen is what a log says of lines that loops were shown before.
type Seen struct {
	Shadow Folded `json:"shadow"`
	Active Folded `json:"active"`
}

// Folded is one mode's part, in shadow mode what would have been. Sizes are in
// characters.
type Folded struct {
	Results int `json:"results"`
	// Keys are the distinct folded texts, Recalled those asked for again.
	Keys     int `json:"keys"`
	Recalled int `json:"recalled"`
	// Recalls counts the answers; RecallCost is what they brought in.
	Recalls int `json:"recalls"`
	// Hidden is the folded text, Markers what the markers cost. Saved is what is
	// left, less what recalls brought in.
	Hidden     int `json:"hidden_chars"`
	Markers    int `json:"marker_chars"`
	RecallCost int `json:"recall_chars"`
	Saved      int `json:"saved_chars"`
}

// Regret is the share of folded texts that were recalled, 0 without any.
func (f *Folded) Regret() float64 { return share(f.Recalled, f.Keys) }

// seenTally makes a [Seen].
type seenTally struct {
	sum                      Seen
	shadow, active, recalled map[string]bool
}

func newSeenTally() seenTally {
	return seenTally{shadow: map[string]bool{}, active: map[string]bool{}, recalled: map[string]bool{}}
}

func (s *seenTally) add(r Record) {
	if r.Fold == nil {
		return
	}
	f, keys := &s.sum.Shadow, s.shadow
	if r.Fold.Mode == "active" {
		f, keys = &s.sum.Active, s.active
	}
	f.Results++
	f.Hidden += r.Fold.Hidden
	f.Markers += r.Fold.Hidden - r.Fold.Saved
	f.Saved += r.Fold.Saved
	for _, k := range r.Fold.Keys {
		keys[k] = true
	}
	f.Keys = len(keys)
}

// recall reports whether a recall asked for what was folded, and counts it then.
func (s *seenTally) recall(r Record) bool {
	if len(r.Keys) == 0 || !s.active[r.Keys[0]] {
		return false
	}
	f := &s.sum.Active
	f.Recalls++
	f.RecallCost += r.Out
	f.Saved -= r.Out
	if k := r.Keys[0]; !r.Miss && !s.recalled[k] {
		s.recalled[k] = true
		f.Recalled++
	}
	return true
}
