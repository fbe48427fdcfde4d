package decisions

import "time"

// Summary is what a log says over a time.
type Summary struct {
	// From and To are the times of the first and the last record; zero: there is none.
	From time.Time `json:"from,omitzero"`
	To   time.Time `json:"to,omitzero"`
	// Sessions counts the sessions, BadLines what is no record.
	Sessions int `json:"sessions"`
	BadLines int `json:"bad_lines"`
	// Reasons counts results by reason ("pruned" is one) and kind of call.
	Reasons map[string]map[string]int `json:"reasons"`
	// Doors counts results by the door they came through, Judges by who judged
	// them; those that were not judged are in none of Judges.
	Doors  map[string]int `json:"doors"`
	Judges map[string]int `json:"judges"`
	// JudgeTime is what judged results waited for the judge, WholeTime what they
	// took in the daemon.
	JudgeTime Times `json:"judge_time"`
	WholeTime Times `json:"whole_time"`
	Shadow    Side  `json:"shadow"`
	Active    Side  `json:"active"`
	// Seen is what loops were shown before, apart from what a judge hid.
	Seen Seen `json:"seen"`
}

// PrunedName stands in [Summary.Reasons] for results of which lines were hidden.
const PrunedName = "pruned"

// Side is one mode's part. In shadow mode everything is what would have been.
// Sizes are in characters.
type Side struct {
	Results int `json:"results"`
	Pruned  int `json:"pruned"`
	// Keys are the distinct hidden texts, Recalled those of them asked for again.
	Keys     int `json:"keys"`
	Recalled int `json:"recalled"`
	// Recalls counts the answers, pages and misses among them.
	Recalls int `json:"recalls"`
	Misses  int `json:"misses"`
	// Again counts the pruned calls that were made once more, or whose file was
	// read once more, within the [Window] next calls of their loop: implicit
	// regret. Where an edit lay between, the repetition has a reason of its own:
	// AgainEdited. What shadow mode has of them is the rate without any hiding.
	Again       int `json:"again"`
	AgainEdited int `json:"again_after_edit"`
	// Hidden is the text behind markers, Markers what the markers cost, Views what
	// views of saved outputs cost over the host's preview, RecallCost what recalls
	// brought into the conversation. Saved is what is left.
	Hidden     int `json:"hidden_chars"`
	Markers    int `json:"marker_chars"`
	Views      int `json:"view_chars"`
	RecallCost int `json:"recall_chars"`
	Saved      int `json:"saved_chars"`
	// Tokens estimates Saved at [CharsPerToken].
	Tokens int `json:"saved_tokens_estimate"`
	// Shown is what the host would have shown of all results.
	Shown int             `json:"shown_chars"`
	Kinds map[string]Kind `json:"kinds"`

	keys map[string]bool
}

// Kind is one kind of call's part of a [Side]; Saved is before recalls.
type Kind struct {
	Results int `json:"results"`
	Pruned  int `json:"pruned"`
	Shown   int `json:"shown_chars"`
	Saved   int `json:"saved_chars"`
}

// CharsPerToken makes the estimate a low one: code and logs have fewer
// characters a token.
const CharsPerToken = 4

// Regret is the share of hidden texts that were recalled, 0 without any.
func (s *Side) Regret() float64 { return share(s.Recalled, s.Keys) }

// Implicit is the share of pruned results that were asked for once more.
func (s *Side) Implicit() float64 { return share(s.Again, s.Pruned) }

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// Tally makes a [Summary] of the records it is given, in the order of the log.
type Tally struct {
	sum      Summary
	seen     seenTally
	judge    []int64
	whole    []int64
	sessions map[string]bool
	recalled map[string]bool
	loops    map[string]*loop
}

// NewTally returns an empty tally.
func NewTally() *Tally {
	t := &Tally{seen: newSeenTally(), sessions: map[string]bool{}, recalled: map[string]bool{}, loops: map[string]*loop{}}
	t.sum.Reasons = map[string]map[string]int{}
	t.sum.Doors, t.sum.Judges = map[string]int{}, map[string]int{}
	for _, s := range []*Side{&t.sum.Shadow, &t.sum.Active} {
		s.Kinds, s.keys = map[string]Kind{}, map[string]bool{}
	}
	return t
}

// Bad counts a line that is no record.
func (t *Tally) Bad() { t.sum.BadLines++ }

// Add counts one record.
func (t *Tally) Add(r Record) {
	if t.sum.From.IsZero() {
		t.sum.From = r.Time
	}
	t.sum.To = r.Time
	if r.Session != "" {
		t.sessions[r.Session] = true
	}
	if r.Event == Recall && !t.seen.recall(r) {
		t.recall(r)
	}
	if r.Event != Result { // what a later release may write
		return
	}
	t.way(r)
	t.result(r)
	t.seen.add(r)
	t.loop(r).add(r, t.side(r.Mode))
}

// way counts how a result came, who judged it, and how long that took.
func (t *Tally) way(r Record) {
	if r.Door != "" {
		t.sum.Doors[r.Door]++
	}
	if r.PFailure == nil { // not judged
		return
	}
	if r.Judge != "" {
		t.sum.Judges[r.Judge]++
	}
	t.judge, t.whole = append(t.judge, r.JudgeUS), append(t.whole, r.WholeUS)
}

// recall counts as active: nothing else can be recalled.
func (t *Tally) recall(r Record) {
	s := &t.sum.Active
	s.Recalls++
	s.RecallCost += r.Out
	if r.Miss {
		s.Misses++
		return
	}
	for _, k := range r.Keys {
		t.recalled[k] = true
	}
}

func (t *Tally) side(mode string) *Side {
	if mode == "active" {
		return &t.sum.Active
	}
	return &t.sum.Shadow
}

func (t *Tally) result(r Record) {
	reason, kind := r.Reason, r.Kind
	if reason == "" {
		reason = PrunedName
	}
	if kind == "" {
		kind = "other"
	}
	if t.sum.Reasons[reason] == nil {
		t.sum.Reasons[reason] = map[string]int{}
	}
	t.sum.Reasons[reason][kind]++
	s := t.side(r.Mode)
	s.Results++
	s.Shown += r.Shown
	k := s.Kinds[kind]
	k.Results++
	k.Shown += r.Shown
	if r.Pruned() {
		k.Pruned++
		k.Saved += r.Shown - r.Out
		s.prune(r)
	}
	s.Kinds[kind] = k
}

func (s *Side) prune(r Record) {
	s.Pruned++
	for _, k := range r.Keys {
		s.keys[k] = true
	}
	if r.Saved {
		s.Views += r.Out - r.Shown
		return
	}
	s.Hidden += r.Hidden
	s.Markers += r.Hidden - (r.Shown - r.Out)
}

// Summary returns the sums so far.
func (t *Tally) Summary() Summary {
	sum := t.sum
	sum.Sessions, sum.Seen = len(t.sessions), t.seen.sum
	sum.JudgeTime, sum.WholeTime = timesOf(t.judge), timesOf(t.whole)
	for _, s := range []*Side{&sum.Shadow, &sum.Active} {
		s.Keys = len(s.keys)
		s.Recalled = 0
		for k := range s.keys {
			if t.recalled[k] && s == &sum.Active {
				s.Recalled++
			}
		}
		s.Saved = s.Hidden - s.Markers - s.Views - s.RecallCost
		s.Tokens = s.Saved / CharsPerToken
	}
	return sum
}
