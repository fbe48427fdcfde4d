package door

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/marker"
	"winnow/internal/price"
	"winnow/internal/purse"
	"winnow/internal/second"
	"winnow/internal/text"
)

// Bounds of the desk.
const (
	// replyWithin is when a reply must have come; the client itself gives up after
	// four seconds.
	replyWithin = second.TimeoutMS*time.Millisecond + time.Second
	// heldFor is how long a ticket is known: a row may wait for other calls of its
	// message that run for minutes. A text is held only while its row waits.
	heldFor = 10 * time.Minute
	// rowFor is how long a text waits here for its mod to come back.
	rowFor = 30 * time.Second
	// maxTickets bounds the tickets that are known, maxCutKeys the keys that are
	// remembered to be a reply's.
	maxTickets = 256
	maxCutKeys = 4096
)

// Desk knows which questions are out. All methods may be called at the same time.
type Desk struct {
	Purse *purse.Purse
	// Now is the clock. nil: time.Now.
	Now func() time.Time

	mu     sync.Mutex // guards the fields below
	byID   map[string]*ticket
	byText map[[32]byte]*ticket
	order  []*ticket // oldest first
	// claims are the texts about which somebody makes up his mind; closed when done.
	claims map[[32]byte]chan struct{}
	// cut says whose the keys are that a reply hid.
	cut     map[marker.Key]cutBy
	cutKeys []marker.Key
}

// cutBy is what a recall of a key costs whom.
type cutBy struct {
	money         int64
	session, loop string
	rate          price.Rate
}

// ticket is one question. Its fields are guarded by the desk's mu.
type ticket struct {
	id, session, loop string
	key, task         [32]byte
	born              time.Time
	asked             int
	cascade           bool
	money             int64
	rate              price.Rate // of the model that is asked

	// replied says that what became of it was posted, paid that its cost is booked.
	replied, paid bool
	cost          price.Nano
	// outcome is what is known of it; verdict is set with SecondUsed.
	outcome string
	verdict second.Verdict
	// row is the text that waits, nil while none does; done says that it was answered.
	row  *waiting
	done bool
}

// waiting is a text that waits for its question.
type waiting struct {
	cur  Current
	it   item
	turn int
	main price.Rate // of the model that reads the conversation
	at   time.Time
}

func (k *Desk) now() time.Time {
	if k.Now != nil {
		return k.Now()
	}
	return time.Now()
}

// claim lets one at a time decide whether to ask about a text: it comes early and
// to its row at nearly the same moment. Who is not first waits for the other.
func (k *Desk) claim(ctx context.Context, key [32]byte) (release func(), first bool) {
	k.mu.Lock()
	ch, taken := k.claims[key]
	if !taken && k.byText[key] == nil {
		if k.claims == nil {
			k.claims = map[[32]byte]chan struct{}{}
		}
		mine := make(chan struct{})
		k.claims[key] = mine
		k.mu.Unlock()
		return func() {
			k.mu.Lock()
			delete(k.claims, key)
			k.mu.Unlock()
			close(mine)
		}, true
	}
	k.mu.Unlock()
	if taken {
		select {
		case <-ch:
		case <-ctx.Done():
		}
	}
	return nil, false
}

// issue makes a ticket; its text's earlier one, if any, is forgotten.
func (k *Desk) issue(t *ticket) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sweep()
	if k.byID == nil {
		k.byID, k.byText = map[string]*ticket{}, map[[32]byte]*ticket{}
	}
	t.id, t.born = rand.Text(), k.now()
	k.byID[t.id], k.byText[t.key] = t, t
	k.order = append(k.order, t)
}

// sweep forgets what is too old; mu is held.
func (k *Desk) sweep() {
	now := k.now()
	for _, t := range k.order {
		if t.row != nil && now.Sub(t.row.at) > rowFor {
			t.row, t.done = nil, true
		}
	}
	for len(k.order) > 0 && (len(k.order) >= maxTickets || now.Sub(k.order[0].born) > heldFor) {
		t := k.order[0]
		k.order[0], k.order = nil, k.order[1:]
		if !t.paid {
			k.Purse.Unknown(t.money)
		}
		delete(k.byID, t.id)
		if k.byText[t.key] == t {
			delete(k.byText, t.key)
		}
	}
}

// Sweep forgets what is too old and saves what was booked.
func (k *Desk) Sweep() {
	if k == nil {
		return
	}
	k.mu.Lock()
	k.sweep()
	k.mu.Unlock()
	k.Purse.Flush()
}

// Close saves what was booked. What is out stays booked as the worst case.
func (k *Desk) Close() {
	if k != nil {
		k.Purse.Flush()
	}
}

// known is what the desk says about a text that comes to its row.
type known struct {
	// ticket is set where the row must wait; said where a verdict is there.
	ticket string
	said   *says
	// any says that there was a question, so that there is no other.
	any bool
	// outcome is what became of it, so far as it is known.
	outcome string
	cost    price.Nano
	t       *ticket
}

// meet looks for a text's question. With a row, that row waits for it, or is done
// with it.
func (k *Desk) meet(key [32]byte, r *waiting) known {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sweep()
	t := k.byText[key]
	if t == nil {
		return known{}
	}
	out := known{any: true, t: t, outcome: t.outcome, cost: t.cost}
	switch {
	case r == nil, t.done:
	case t.task != taskKey(&r.it): // somebody asked for something else meanwhile
		t.done, out.outcome = true, api.SecondStale
	case t.outcome == api.SecondUsed:
		t.done = true
		out.said = &says{t.verdict, t.cascade}
	case t.replied || k.now().Sub(t.born) > replyWithin:
		t.done = true
	default:
		r.at = k.now()
		t.row = r
		out.ticket = t.id
	}
	return out
}

// drop says that a text waits no longer, and what is known of its question.
func (k *Desk) drop(key [32]byte) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := k.byText[key]
	if t == nil {
		return ""
	}
	t.row, t.done = nil, true
	return t.outcome
}

// find returns the ticket of a reply, nil where there is none for that loop.
func (k *Desk) find(req *api.SecondRequest) *ticket {
	t := k.byID[req.Ticket]
	if t == nil || t.session != req.Session || t.loop != req.Loop {
		return nil
	}
	return t
}

// cutFor remembers keys that a reply hid.
func (k *Desk) cutFor(keys []marker.Key, by cutBy) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.cut == nil {
		k.cut = map[marker.Key]cutBy{}
	}
	for _, key := range keys {
		if _, ok := k.cut[key]; !ok {
			k.cutKeys = append(k.cutKeys, key)
		}
		k.cut[key] = by
	}
	for len(k.cutKeys) > maxCutKeys {
		delete(k.cut, k.cutKeys[0])
		k.cutKeys = k.cutKeys[1:]
	}
}

// Recalled books what a recall of lines that a reply hid costs.
func (k *Desk) Recalled(req api.RecallRequest, r api.RecallReply) {
	key, ok := marker.Parse(req.Key)
	if k == nil || !ok || !r.Found {
		return
	}
	tokens := text.Chars(r.Text) / decisions.CharsPerToken
	k.mu.Lock()
	by, ok := k.cut[key]
	k.mu.Unlock()
	if ok {
		k.Purse.Recalled(by.money, by.session, by.loop, tokens, by.rate)
	}
}
