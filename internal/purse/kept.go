package purse

import (
	"math"
	"time"

	"winnow/internal/price"
)

// MaxStay bounds the requests that a cut is credited for: a conversation is
// compacted at some time, and nobody tells.
const MaxStay = 50

const (
	// maxLoops bounds the conversations that are followed, maxCuts the cuts of one.
	maxLoops, maxCuts = 64, 200
	// silent is how long a conversation is followed after its last word.
	silent = 24 * time.Hour
)

// stand is what stands in one conversation.
type stand struct {
	Turn int       `json:"turn"`
	At   time.Time `json:"at"`
	Cuts []cut     `json:"cuts"`
}

// cut is what one question kept out of a conversation.
type cut struct {
	ID     int64      `json:"id"`
	Tokens int        `json:"tokens"`
	Read   price.Rate `json:"rate"`
	Stay   int        `json:"stay"`
}

func (p *Purse) loop(session, loop string) *stand {
	key := session + " " + loop
	s := p.l.Cuts[key]
	if s == nil {
		if p.l.Cuts == nil {
			p.l.Cuts = map[string]*stand{}
		}
		p.forget()
		s = &stand{}
		p.l.Cuts[key] = s
	}
	s.At = p.o.Now()
	return s
}

// forget makes room for another conversation; mu is held.
func (p *Purse) forget() {
	oldest, when := "", time.Time{}
	for key, s := range p.l.Cuts {
		if p.o.Now().Sub(s.At) > silent {
			delete(p.l.Cuts, key)
			continue
		}
		if oldest == "" || s.At.Before(when) {
			oldest, when = key, s.At
		}
	}
	if len(p.l.Cuts) >= maxLoops {
		delete(p.l.Cuts, oldest)
	}
}

// Cut books that a question's answer kept so many tokens more out of a
// conversation than would have been kept out without it. It is written once (not:
// saved at once) at the rate of the model that reads the conversation.
func (p *Purse) Cut(id int64, session, loop string, turn, tokens int, r price.Rate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if tokens == 0 {
		return
	}
	s := p.loop(session, loop)
	p.turn(s, turn)
	d := p.today()
	worth := r.Kept(tokens, 0)
	d.Kept += int64(tokens)
	d.Gross += worth
	p.gain(id, worth)
	if s.Cuts = append(s.Cuts, cut{ID: id, Tokens: tokens, Read: r}); len(s.Cuts) > maxCuts {
		s.Cuts = s.Cuts[1:]
	}
	p.dirty = true
}

// Heard says that a conversation is at its turn-th request: what was cut before
// was not read once more with each of them.
func (p *Purse) Heard(session, loop string, turn int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if s := p.l.Cuts[session+" "+loop]; s != nil {
		s.At = p.o.Now()
		p.turn(s, turn)
	}
}

// turn credits the requests since the last one heard of; mu is held. A count that
// begins anew, after a reload, is only taken over.
func (p *Purse) turn(s *stand, turn int) {
	n := turn - s.Turn
	s.Turn = turn
	if n <= 0 {
		return
	}
	d := p.today()
	left := s.Cuts[:0]
	for _, c := range s.Cuts {
		k := min(n, MaxStay-c.Stay)
		worth := price.Nano(k) * c.Read.Of(price.Usage{CacheRead: c.Tokens})
		d.Reads += int64(k) * int64(c.Tokens)
		d.Gross += worth
		p.gain(c.ID, worth)
		if c.Stay += k; c.Stay < MaxStay {
			left = append(left, c)
		}
		p.dirty = true
	}
	s.Cuts = left
}

// Recalled books that lines which a question's answer had hidden were asked back:
// they are in the conversation now, and so is the question for them.
func (p *Purse) Recalled(id int64, session, loop string, tokens int, r price.Rate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cost := r.Kept(tokens, 0) + r.Of(price.Usage{Output: recallTokens})
	d := p.today()
	d.Recalls++
	d.RecallCost += cost
	p.gain(id, -cost)
	p.dirty = true
	s := p.l.Cuts[session+" "+loop]
	if s == nil {
		return
	}
	for i := range s.Cuts {
		if s.Cuts[i].ID == id {
			s.Cuts[i].Tokens -= tokens // from now on it is read each time
			return
		}
	}
}

// recallTokens is what a call for hidden lines takes a model to write.
const recallTokens = 100

// Worth says what tokens that an answer may keep out are worth over the stay that
// is to be expected.
func Worth(tokens, stay int, r price.Rate) price.Nano {
	if tokens <= 0 || stay < 0 {
		return 0
	}
	w := float64(r.Kept(tokens, 0)) + float64(stay)*float64(r.Of(price.Usage{CacheRead: tokens}))
	return price.Nano(min(w, math.MaxInt64/2))
}
