package door

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/marker"
	"winnow/internal/price"
	"winnow/internal/prune"
	"winnow/internal/purse"
	"winnow/internal/second"
	"winnow/internal/text"
)

// When the second judge is asked.
const (
	Cascade = "cascade"
	Client  = "client"
)

// Second is what the second judge goes by. The zero Second asks nobody.
type Second struct {
	// Mode is [Cascade] or [Client].
	Mode string
	// Model is asked, at Rate; Prices say what the models cost that read the
	// conversations.
	Model  string
	Rate   price.Rate
	Prices price.Table
	// Priced says that Rate is known: without a price nobody is asked. Why says what
	// is wrong.
	Priced bool
	Why    string
}

// leastWait is what a row must still be able to wait for a question to be worth it.
const leastWait = time.Second

// meetSecond says whether a text's row waits for a question, or goes by its answer.
// The context it gives back is the one to prune with.
func (d *Door) meetSecond(ctx context.Context, cur Current, it *item, req *api.ResultRequest, i int) (context.Context, *api.Question) {
	if !d.mayAsk(cur, it) {
		return ctx, nil
	}
	d.Desk.Purse.Heard(it.session, it.loop, req.Turn)
	r := &waiting{cur: cur, it: *it, turn: req.Turn, main: mainRate(cur.Second, req.Model)}
	key := ticketKey(it)
	if req.Asked { // the mod has done with it
		it.asked = d.Desk.drop(key)
		return ctx, nil
	}
	k := d.Desk.meet(key, r)
	if !k.any {
		release, first := d.Desk.claim(ctx, key)
		if first {
			defer release()
			q := d.question(ctx, cur, it, req, key)
			if q != nil {
				q.Index = i
				d.Desk.meet(key, r)
			}
			return ctx, q
		}
		k = d.Desk.meet(key, r)
	}
	switch {
	case k.ticket != "":
		return ctx, &api.Question{Index: i, Ticket: k.ticket}
	case k.outcome == api.SecondStale:
		d.Count("second."+api.SecondStale, 1)
	case k.said != nil:
		it.second, it.asked, it.paid = &reader{k.t, r}, api.SecondUsed, k.cost
		return withVerdict(ctx, *k.said), nil
	}
	it.asked, it.paid = k.outcome, k.cost
	return ctx, nil
}

// earlySecond asks about a text that comes to its row in a moment.
func (d *Door) earlySecond(ctx context.Context, cur Current, it *item, req *api.ResultRequest, i int) *api.Question {
	if !d.mayAsk(cur, it) {
		return nil
	}
	key := ticketKey(it)
	if d.Desk.meet(key, nil).any {
		return nil
	}
	release, first := d.Desk.claim(ctx, key)
	if !first {
		return nil
	}
	defer release()
	q := d.question(ctx, cur, it, req, key)
	if q != nil {
		q.Index = i
	}
	return q
}

// asks reports whether anybody may be asked at all.
func (d *Door) asks(cur Current) bool {
	return d.Desk != nil && cur.Second.Mode != "" && cur.Second.Priced
}

// Asks is the same by the settings of now.
func (d *Door) Asks() bool { return d.asks(d.Now()) }

func (d *Door) mayAsk(cur Current, it *item) bool {
	return d.asks(cur) && it.in.Saved == nil && cur.For(it.in.Tool) == Active
}

// question makes a text's question where that is worth it, and sets its money aside.
func (d *Door) question(ctx context.Context, cur Current, it *item, req *api.ResultRequest, key [32]byte) *api.Question {
	pl := cur.Pruner.Plan(clocked(ctx, it.judged), it.in)
	q, why := cur.Second.Weigh(cur.Pruner, pl, req.Model)
	if why == Settled {
		return nil
	}
	if why == "" && req.LeftMS > 0 && time.Duration(req.LeftMS)*time.Millisecond < leastWait {
		why = api.NoTime
	}
	var money int64
	if why == "" {
		money, why = d.Desk.Purse.Reserve(cur.Second.Rate.Worst(q.Request.Bytes(), q.Request.MaxTokens))
	}
	if why != "" {
		d.Count("second.not."+why, 1)
		return nil
	}
	t := &ticket{session: it.session, loop: it.loop, key: key, task: taskKey(it), asked: q.Asked, cascade: cur.Second.Mode == Cascade, money: money, rate: cur.Second.Rate}
	d.Desk.issue(t)
	d.Count("second.asked", 1)
	return &api.Question{Ticket: t.id, Request: &q.Request}
}

// Why a text is not worth a question.
const (
	Settled = "settled" // nothing that a reply could change
	Sure    = "sure"    // the local judge leaves too little open
	Cheap   = "cheap"   // it may save too little
)

// Weigh makes the question about a planned text that goes to a conversation of the
// model main; why says for what reason it is not to be asked, "" if it is.
func (s Second) Weigh(p *prune.Pruner, pl prune.Plan, main string) (q second.Question, why string) {
	keep, drop := p.Bands()
	if pl.Reason != prune.Pruned || !(pl.Scores.Failure < keep) || pl.Input.Saved != nil {
		return q, Settled
	}
	q = second.Ask(s.Model, prune.Query{Task: pl.Input.Task, Tool: pl.Input.Tool}, pl.Doc)
	return q, worthwhile(s, second.Weigh(pl, second.Bands{Keep: keep, Drop: drop}, q.Asked), q.Request, mainRate(s, main))
}

func worthwhile(s Second, st second.Stakes, r second.Request, main price.Rate) string {
	if st.Open == 0 {
		return Sure
	}
	if s.Mode == Client {
		return ""
	}
	if !st.Unsure() {
		return Sure
	}
	cost := s.Rate.Of(price.Usage{Input: r.Tokens(), Output: second.ReplyTokens})
	if purse.Worth(st.May(), second.Stay, main) < second.Times*cost {
		return Cheap
	}
	return ""
}

// mainRate is what the conversation's own model costs; of one that is not known,
// the least that any does.
func mainRate(s Second, model string) price.Rate {
	if r, ok := s.Prices.For(model); ok {
		return r
	}
	return s.Prices.Cheapest()
}

// ticketKey names a text of a call: what is asked about it once is not asked again.
func ticketKey(it *item) [32]byte {
	return hashOf(it.session, it.loop, it.id, it.in.Tool.Name, it.in.Text)
}

// taskKey tells tasks apart: a reply is about the one that was asked with.
func taskKey(it *item) [32]byte { return hashOf(it.in.Task.Request, it.in.Task.Intent) }

func hashOf(parts ...string) [32]byte {
	b, err := json.Marshal(parts)
	if err != nil { // strings always can be
		return [32]byte{}
	}
	return sha256.Sum256(b)
}

// Second takes what became of a question and answers the row that waits for it.
func (d *Door) Second(ctx context.Context, req *api.SecondRequest) api.SecondReply {
	cur := d.Now()
	d.Greet(req.Session, time.Now())
	out := api.SecondReply{Mode: cur.Told(), Outcome: api.SecondUnknown}
	if d.Desk == nil {
		return out
	}
	defer d.Desk.Purse.Flush()
	t, r, outcome := d.Desk.hear(req)
	out.Outcome = outcome
	d.Count("second."+outcome, 1)
	if t == nil || r == nil {
		return out
	}
	ctx, cancel := context.WithTimeout(ctx, Budget)
	defer cancel()
	it := r.it
	it.asked, it.paid, out.Settled = outcome, d.Desk.cost(t), true
	if outcome == api.SecondUsed {
		it.second = &reader{t, r}
		ctx = withVerdict(ctx, says{t.verdict, t.cascade})
	}
	d.retract(r.cur, it.session, it.loop, it.id)
	if res, ok := d.run(ctx, r.cur, it); ok {
		out.Text = &res.Text
		for _, k := range keys(hiddenOf(res)) {
			out.Keys = append(out.Keys, string(k))
		}
	}
	return out
}

// hear books what became of a question, and gives back the row that waited for it.
func (k *Desk) hear(req *api.SecondRequest) (*ticket, *waiting, string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sweep()
	t := k.find(req)
	if t == nil {
		return nil, nil, api.SecondUnknown
	}
	if req.Reason == api.NoTime && !req.Answered {
		r := t.row
		if r != nil {
			t.row, t.done = nil, true
		}
		return t, r, api.SecondLocal
	}
	k.pay(t, req)
	if t.replied {
		return t, nil, api.SecondAgain
	}
	t.replied = true
	t.outcome = k.judge(t, req)
	if t.outcome == api.SecondUsed {
		k.Purse.Understood()
	} else {
		k.Purse.Failed()
	}
	r := t.row
	switch {
	case r != nil:
		t.row, t.done = nil, true
	case t.outcome != api.SecondUsed:
	case t.done:
		return t, nil, api.SecondLate // its row is gone
	default:
		return t, nil, api.SecondKept
	}
	return t, r, t.outcome
}

func (k *Desk) cost(t *ticket) price.Nano {
	k.mu.Lock()
	defer k.mu.Unlock()
	return t.cost
}

// judge reads a reply; mu is held.
func (k *Desk) judge(t *ticket, req *api.SecondRequest) string {
	if k.now().Sub(t.born) > replyWithin {
		return api.SecondLate
	}
	if !req.Answered {
		return api.SecondFailed
	}
	v, err := second.Parse(req.Text, t.asked)
	if err != nil {
		return api.SecondRefused
	}
	t.verdict = v
	return api.SecondUsed
}

// pay books what a question cost, once; mu is held. A request that the API turned
// away costs nothing; one that was given up may have been answered and billed.
func (k *Desk) pay(t *ticket, req *api.SecondRequest) {
	if t.paid {
		return
	}
	t.paid = true
	u, ok := usage(req.Usage)
	if !ok || u == (price.Usage{}) && req.Reason != "api-error" {
		t.cost = k.Purse.Unknown(t.money)
		return
	}
	t.cost = k.Purse.Paid(t.money, u, t.rate)
}

// usage reads the client's record of a request; ok is false where it is none.
func usage(raw json.RawMessage) (u price.Usage, ok bool) {
	var v *struct {
		Input      int `json:"input_tokens"`
		Output     int `json:"output_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`
		CacheWrite int `json:"cache_creation_input_tokens"`
	}
	if json.Unmarshal(raw, &v) != nil || v == nil || min(v.Input, v.Output, v.CacheRead, v.CacheWrite) < 0 {
		return price.Usage{}, false
	}
	return price.Usage{Input: v.Input, Output: v.Output, CacheRead: v.CacheRead, CacheWrite: v.CacheWrite}, true
}

// reader is who decided about an item beside the local judge.
type reader struct {
	t *ticket
	r *waiting
}

// readBy books what a reply's cut is worth: what it hides more than the local
// judge alone would have hidden. What was shown before is no part of it.
func (d *Door) readBy(ctx context.Context, it *item, shown prune.Result) {
	s := it.second
	if s == nil {
		return
	}
	in, p := it.in, s.r.cur.Pruner
	with, alone := p.Prune(ctx, in), p.Prune(context.WithValue(ctx, verdictKey{}, nil), in)
	own := map[marker.Key]bool{}
	for _, h := range alone.Hidden {
		own[h.Key] = true
	}
	var cut []marker.Key
	for _, h := range shown.Hidden {
		if !own[h.Key] {
			cut = append(cut, h.Key)
		}
	}
	kept := text.Chars(alone.Text) - text.Chars(with.Text)
	if len(shown.Hidden) == 0 { // it could not be stored, or there was not enough to hide
		kept = text.Chars(alone.Text) - text.Chars(in.Text)
	}
	d.Desk.Purse.Cut(s.t.money, it.session, it.loop, s.r.turn, kept/decisions.CharsPerToken, s.r.main)
	d.Desk.cutFor(cut, cutBy{s.t.money, it.session, it.loop, s.r.main})
}
