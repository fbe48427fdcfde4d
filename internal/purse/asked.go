package purse

import (
	"time"

	"winnow/internal/price"
)

// Reserve sets the most that a question can cost aside and gives it a number.
// Where it is not to be asked, why says the reason.
func (p *Purse) Reserve(worst price.Nano) (id int64, why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if why := p.stopped(worst); why != "" {
		if why == NoBudget {
			p.today().Refused++
			p.dirty = true
		}
		return 0, why
	}
	day := p.o.Now().Format(time.DateOnly)
	d := p.day(day)
	d.Questions++
	d.Held += worst
	if err := p.save(); err != nil {
		d.Questions--
		d.Held -= worst
		p.o.Log.Error("the second judge's ledger is not saved: nothing is asked", "err", err)
		return 0, Unsaved
	}
	p.next++
	p.held[p.next] = hold{day, worst}
	return p.next, ""
}

// Paid books what a question cost in place of what was set aside. A second call
// changes nothing.
func (p *Purse) Paid(id int64, u price.Usage, r price.Rate) price.Nano {
	return p.pay(id, func(d *Day, _ price.Nano) price.Nano {
		d.Usage = d.Usage.Plus(u)
		return r.Of(u)
	})
}

// Unknown books the worst case: the question may have been answered and billed
// when nobody waited any more.
func (p *Purse) Unknown(id int64) price.Nano {
	return p.pay(id, func(_ *Day, worst price.Nano) price.Nano { return worst })
}

func (p *Purse) pay(id int64, cost func(d *Day, worst price.Nano) price.Nano) price.Nano {
	p.mu.Lock()
	defer p.mu.Unlock()
	h, ok := p.held[id]
	if !ok {
		return 0
	}
	delete(p.held, id)
	d := p.day(h.day)
	d.Held -= h.worst
	c := cost(d, h.worst)
	d.Cost += c
	p.dirty = true
	p.note(question{ID: id, Cost: c})
	return c
}

// note keeps the newest questions, and looks whether those before paid; mu is held.
func (p *Purse) note(q question) {
	if len(p.l.Recent) == Window {
		if p.l.Off.IsZero() && p.net() < 0 {
			p.l.Off, p.l.Told = p.o.Now(), false
			p.o.Log.Warn("the second judge does not pay: off", "questions", Window, "net_usd", p.net().Dollars())
		}
		p.l.Recent = append(p.l.Recent[:0], p.l.Recent[1:]...)
	}
	p.l.Recent = append(p.l.Recent, q)
}

// net is what the recent questions brought; mu is held.
func (p *Purse) net() (sum price.Nano) {
	for _, q := range p.l.Recent {
		sum += q.Gain - q.Cost
	}
	return sum
}

// gain books what a question's cut brought, or with less than 0 cost; mu is held.
func (p *Purse) gain(id int64, n price.Nano) {
	for i := range p.l.Recent {
		if p.l.Recent[i].ID == id {
			p.l.Recent[i].Gain += n
		}
	}
}

// Understood counts an answer that could be used.
func (p *Purse) Understood() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.today().Answered++
	p.l.Fails, p.dirty = 0, true
}

// Failed counts a question without an answer that could be used, and reports
// whether it is now paused for it.
func (p *Purse) Failed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.today().Failed++
	p.dirty = true
	if p.l.Fails++; p.l.Fails < Failures {
		return false
	}
	p.l.Fails, p.l.Paused = 0, p.o.Now().Add(Pause)
	return true
}
