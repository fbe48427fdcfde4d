// Package purse holds the second judge's money: what its questions may cost a
// day, what they did cost, and what their cuts were worth. The most that a
// question can cost is set aside before it is asked, for all sessions together,
// and stays booked over restarts, so that a day's budget is never exceeded.
//
// It stops by itself: for ten minutes after three failures in a row, for good when
// its last fifty questions cost more than they saved. It asks nobody and opens no
// file; who owns the file saves what [Options.Save] is given.
package purse

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"winnow/internal/price"
)

// FileName is the ledger in the state folder.
const FileName = "second.json"

// When it stops by itself.
const (
	// Failures in a row pause it for Pause.
	Failures = 3
	Pause    = 10 * time.Minute
	// Window is how many questions must pay for themselves together.
	Window = 50
)

// Why a question is not asked.
const (
	NoBudget = "budget"  // the day's money is spent or set aside
	Paused   = "paused"  // after failures
	Off      = "off"     // it did not pay
	Unsaved  = "unsaved" // what is not on the disk could be spent twice
)

// Options of a [Purse].
type Options struct {
	// Now is the clock. nil: time.Now.
	Now func() time.Time
	// Save keeps the ledger. nil: it is not kept.
	Save func([]byte) error
	Log  *slog.Logger // nil discards
}

// Purse is the ledger. All methods may be called at the same time.
type Purse struct {
	o Options

	mu     sync.Mutex // guards the fields below, and is held while the ledger is saved
	budget price.Nano
	l      ledger
	held   map[int64]hold
	next   int64
	dirty  bool
}

// ledger is the file.
type ledger struct {
	Days map[string]*Day `json:"days"`
	// Recent are the newest questions, at most [Window], oldest first.
	Recent []question `json:"recent,omitempty"`
	// Cuts are those that still stand in a conversation, as far as is known.
	Cuts map[string]*stand `json:"cuts,omitempty"`

	Fails  int       `json:"fails,omitempty"`
	Paused time.Time `json:"paused,omitzero"`
	// Off says since when it is off because it did not pay; Told that somebody was told.
	Off  time.Time `json:"off,omitzero"`
	Told bool      `json:"told,omitempty"`
}

// question is what one question cost and brought so far.
type question struct {
	ID   int64      `json:"id"`
	Cost price.Nano `json:"cost"`
	Gain price.Nano `json:"gain"`
}

// hold is money set aside.
type hold struct {
	day   string
	worst price.Nano
}

// Day is what happened on one day.
type Day struct {
	// Questions were asked; of those Answered were understood and Failed were not, or
	// had no answer in time.
	Questions int         `json:"questions"`
	Answered  int         `json:"answered"`
	Failed    int         `json:"failed"`
	Usage     price.Usage `json:"usage"`
	// Cost is what the questions cost: by their usage, or the worst case where that
	// is not known. Held is set aside for questions without an answer so far.
	Cost price.Nano `json:"cost"`
	Held price.Nano `json:"held,omitempty"`
	// Kept are the tokens kept out of conversations, each once; Reads counts each as
	// often as a request went without it.
	Kept  int64 `json:"kept_tokens"`
	Reads int64 `json:"kept_reads"`
	// Gross is what that was worth so far, RecallCost what was asked back cost.
	Gross      price.Nano `json:"gross"`
	Recalls    int        `json:"recalls"`
	RecallCost price.Nano `json:"recall_cost"`
	// Refused counts questions that were not asked for want of money.
	Refused int `json:"refused,omitempty"`
	// Lost says that the ledger of this day could not be read: nothing is asked then.
	Lost bool `json:"lost,omitempty"`
}

// Net is what is left.
func (d Day) Net() price.Nano { return d.Gross - d.Cost - d.Held - d.RecallCost }

// Open makes a purse of a ledger saved before; nil is a new one. What cannot be
// read may have been a spent budget, so nothing is asked for the rest of the day.
func Open(saved []byte, o Options) *Purse {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Save == nil {
		o.Save = func([]byte) error { return nil }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	p := &Purse{o: o, held: map[int64]hold{}}
	if err := p.read(saved); err != nil {
		o.Log.Error("the second judge's ledger cannot be read: nothing is asked today", "err", err)
		p.l = ledger{}
		p.today().Lost = true
	}
	// Nobody will say what became of the questions of the run before.
	for _, d := range p.l.Days {
		d.Cost, d.Held = d.Cost+d.Held, 0
	}
	for _, q := range p.l.Recent {
		p.next = max(p.next, q.ID)
	}
	for _, s := range p.l.Cuts {
		for _, c := range s.Cuts {
			p.next = max(p.next, c.ID)
		}
	}
	return p
}

func (p *Purse) read(saved []byte) error {
	if len(saved) == 0 {
		return nil
	}
	if err := json.Unmarshal(saved, &p.l); err != nil {
		return err
	}
	for name, d := range p.l.Days {
		if d == nil || d.Cost < 0 || d.Held < 0 {
			return fmt.Errorf("day %q makes no sense", name)
		}
	}
	for k, s := range p.l.Cuts {
		if s == nil {
			delete(p.l.Cuts, k)
		}
	}
	return nil
}

// SetBudget sets what a day may cost.
func (p *Purse) SetBudget(b price.Nano) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.budget = b
}

// maxDays bounds the days that are kept.
const maxDays = 400

// today returns the day's page; mu is held.
func (p *Purse) today() *Day { return p.day(p.o.Now().Format(time.DateOnly)) }

func (p *Purse) day(name string) *Day {
	if p.l.Days == nil {
		p.l.Days = map[string]*Day{}
	}
	d := p.l.Days[name]
	if d == nil {
		d = &Day{}
		p.l.Days[name] = d
		for len(p.l.Days) > maxDays {
			oldest := name
			for n := range p.l.Days {
				oldest = min(oldest, n)
			}
			if oldest == name { // a clock that was set back
				break
			}
			delete(p.l.Days, oldest)
		}
	}
	return d
}

// save writes the ledger; mu is held.
func (p *Purse) save() error {
	b, err := json.Marshal(p.l)
	if err == nil {
		err = p.o.Save(b)
	}
	p.dirty = err != nil
	return err
}

// Flush saves what has changed since.
func (p *Purse) Flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.dirty {
		return
	}
	if err := p.save(); err != nil {
		p.o.Log.Error("the second judge's ledger is not saved", "err", err)
	}
}

// Resume forgets that it did not pay, and its failures: somebody switched it off
// and on.
func (p *Purse) Resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.l.Off.IsZero() && p.l.Paused.IsZero() && p.l.Fails == 0 {
		return
	}
	p.l.Off, p.l.Told, p.l.Paused, p.l.Fails, p.l.Recent = time.Time{}, false, time.Time{}, 0, nil
	p.dirty = true
}

// Notice says, once, that it switched itself off; else "".
func (p *Purse) Notice() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.l.Off.IsZero() || p.l.Told {
		return ""
	}
	p.l.Told, p.dirty = true, true
	return fmt.Sprintf("winnow: the second judge is off: its last %d questions cost more than they saved (`winnow stats`); to try again, set WINNOW_SECOND=off and then on again", Window)
}

// Spent is what of the day's budget is spent or set aside.
func (p *Purse) Spent() (spent, budget price.Nano) {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.today()
	return d.Cost + d.Held, p.budget
}

// State says why nothing would be asked now, "" if something would.
func (p *Purse) State() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if why := p.stopped(1); why != "" || p.today().Refused == 0 {
		return why
	}
	return NoBudget // what is left is less than questions may cost
}

// stopped says why a question of this price is not asked; mu is held.
func (p *Purse) stopped(worst price.Nano) string {
	now := p.o.Now()
	d := p.today()
	switch {
	case !p.l.Off.IsZero():
		return Off
	case now.Before(p.l.Paused) && p.l.Paused.Sub(now) <= Pause: // a clock may have been set back
		return Paused
	case d.Lost || worst <= 0 || d.Cost+d.Held+worst > p.budget:
		return NoBudget
	}
	return ""
}
