package door

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/api"
	"winnow/internal/decisions"
	"winnow/internal/marker"
	"winnow/internal/metrics"
	"winnow/internal/price"
	"winnow/internal/prune"
	"winnow/internal/purse"
	"winnow/internal/recall"
	"winnow/internal/text"
)

// halfSure is a local judge: of each fifty lines the first is needed, those behind
// hide are surely not, the others uncertain.
type halfSure struct{ hide int }

func (h halfSure) Score(_ context.Context, _ prune.Query, d text.Doc) (prune.Scores, error) {
	s := prune.Scores{Line: make([]float64, d.Len())}
	for i := range s.Line {
		switch {
		case i%50 == 0 && i > 0:
			s.Line[i] = 0.9
		case i < h.hide:
			s.Line[i] = 0.01
		default:
			s.Line[i] = 0.3
		}
	}
	return s, nil
}

// asking is a door whose second judge is asked.
type asking struct {
	*Door
	t      *testing.T
	purse  *purse.Purse
	counts *metrics.Counters
	now    time.Time
	log    []decisions.Entry
	second Second
}

func newAsking(t *testing.T, mode string, local prune.Scorer) *asking {
	t.Helper()
	store, err := recall.Open(filepath.Join(t.TempDir(), "recall.db"), recall.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := store.Offer("s", Main); err != nil {
		t.Fatal(err)
	}
	rate, _ := price.BuiltIn().For("haiku")
	a := &asking{t: t, counts: &metrics.Counters{}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		second: Second{Mode: mode, Model: "haiku", Rate: rate, Prices: price.BuiltIn(), Priced: true}}
	clock := func() time.Time { return a.now }
	a.purse = purse.Open(nil, purse.Options{Now: clock})
	a.purse.SetBudget(price.Of(1))
	p := prune.New(Reading(local, prune.DefaultKeep, prune.DefaultDrop), prune.Options{Live: store.Live})
	a.Door = &Door{Store: store, Count: a.counts.Add, Log: slog.New(slog.DiscardHandler),
		Desk:    &Desk{Purse: a.purse, Now: clock},
		Decided: func(e decisions.Entry) { a.log = append(a.log, e) },
		Now:     func() Current { return Current{Mode: Active, Pruner: p, Second: a.second} }}
	return a
}

// output has a failure among lines that are all alike in worth.
func output(n int) string {
	var b strings.Builder
	for i := range n {
		if i == n/2 {
			b.WriteString("error: disk full\n")
			continue
		}
		fmt.Fprintf(&b, "record %04d of the nightly import was read without anything to be said\n", i)
	}
	return b.String()
}

// post is a result of a call.
func post(call string, texts ...string) *api.ResultRequest {
	return &api.ResultRequest{Session: "s", Loop: Main, ToolUseID: call, Tool: "Bash", Input: json.RawMessage(`{"command":"make import"}`),
		Texts: texts, Rows: []api.Row{{Text: "why is the import slow?", Door: "prompt", Origin: "composer"}}, Model: "claude-opus-4-1", Turn: 1}
}

// ask posts a text for which there must be a question.
func (a *asking) ask(req *api.ResultRequest) api.Question {
	a.t.Helper()
	r := a.Result(a.t.Context(), req)
	if len(r.Questions) != 1 || r.Texts[0] != nil {
		a.t.Fatalf("reply = %+v, want one question; counts %v", r, a.counts.Snapshot())
	}
	return r.Questions[0]
}

func (a *asking) reply(q api.Question, change func(*api.SecondRequest)) api.SecondReply {
	a.t.Helper()
	req := &api.SecondRequest{Session: "s", Loop: Main, Ticket: q.Ticket, Answered: true, Text: `{"hide":"11-180"}`,
		Usage: json.RawMessage(`{"input_tokens":6000,"output_tokens":40,"cache_read_input_tokens":0,"cache_creation_input_tokens":0}`)}
	if change != nil {
		change(req)
	}
	return a.Second(a.t.Context(), req)
}

// local is what the local judge alone makes of the text.
func (a *asking) local(req *api.ResultRequest) string {
	a.t.Helper()
	second := a.second
	a.second = Second{}
	defer func() { a.second = second }()
	other := *req
	other.ToolUseID += "-local"
	r := a.Result(a.t.Context(), &other)
	a.log = nil
	if r.Texts[0] == nil {
		return req.Texts[0]
	}
	return *r.Texts[0]
}

func TestQuestionAndReply(t *testing.T) {
	for _, mode := range []string{Cascade, Client} {
		t.Run(mode, func(t *testing.T) {
			a := newAsking(t, mode, halfSure{})
			src := output(200)
			q := a.ask(post("c1", src))
			if q.Request == nil || q.Request.Model != "haiku" || !q.Request.System[0].Cache || !strings.Contains(q.Request.Prompt, "\n100|error: disk full\n") {
				t.Errorf("request = %+v", q.Request)
			}
			if len(a.log) > 0 {
				t.Error("decided before the reply came")
			}
			r := a.reply(q, nil)
			if r.Outcome != api.SecondUsed || !r.Settled || r.Text == nil || len(r.Keys) == 0 {
				t.Fatalf("reply = %+v", r)
			}
			got := *r.Text
			if !strings.Contains(got, "\nerror: disk full\n") || len(got) > len(src)/2 {
				t.Errorf("%d of %d bytes: %s", len(got), len(src), got)
			}
			if mode == Cascade != strings.Contains(got, "record 0150") {
				t.Error("in cascade, and only there, what the local judge is sure of stays")
			}
			for _, k := range r.Keys {
				if !a.Door.Store.(*recall.Store).Live(marker.Key(k)) {
					t.Errorf("%s was answered and not stored", k)
				}
			}
			if len(a.log) != 1 || a.log[0].Second != api.SecondUsed || a.log[0].SecondCost != int64(price.Of(0.0062)) || a.log[0].Reason != "" {
				t.Errorf("decided %+v", a.log)
			}
			if s, _ := a.purse.Spent(); s != price.Of(0.0062) {
				t.Errorf("spent %d", s)
			}
		})
	}
}

// Whatever else comes than a good reply in time, the local result stands, counted.
func TestLocalResultStands(t *testing.T) {
	tests := []struct {
		name    string
		change  func(*asking, *api.SecondRequest)
		outcome string
		settled bool
		spent   price.Nano // -1: the worst case
	}{
		{"malformed", func(_ *asking, r *api.SecondRequest) { r.Text = "I hide everything." }, api.SecondRefused, true, price.Of(0.0062)},
		{"out of range", func(_ *asking, r *api.SecondRequest) { r.Text = `{"hide":"0-999"}` }, api.SecondRefused, true, price.Of(0.0062)},
		{"refused by the API", func(_ *asking, r *api.SecondRequest) {
			r.Answered, r.Reason, r.Usage = false, "api-error", json.RawMessage(`{"input_tokens":0,"output_tokens":0}`)
		}, api.SecondFailed, true, 0},
		{"cut off", func(_ *asking, r *api.SecondRequest) {
			r.Answered, r.Reason, r.Usage = false, "aborted", json.RawMessage(`{"input_tokens":0,"output_tokens":0}`)
		}, api.SecondFailed, true, -1},
		{"no usage", func(_ *asking, r *api.SecondRequest) { r.Answered, r.Usage = false, nil }, api.SecondFailed, true, -1},
		{"negative usage", func(_ *asking, r *api.SecondRequest) {
			r.Answered, r.Usage = false, json.RawMessage(`{"input_tokens":-9000000}`)
		}, api.SecondFailed, true, -1},
		{"after its time", func(a *asking, _ *api.SecondRequest) { a.now = a.now.Add(replyWithin + 1) }, api.SecondLate, true, price.Of(0.0062)},
		{"the row gave up", func(_ *asking, r *api.SecondRequest) { r.Answered, r.Reason = false, api.NoTime }, api.SecondLocal, true, -1},
		{"unknown ticket", func(_ *asking, r *api.SecondRequest) { r.Ticket = "x" }, api.SecondUnknown, false, -1},
		{"another session's", func(_ *asking, r *api.SecondRequest) { r.Session = "other" }, api.SecondUnknown, false, -1},
		{"another loop's", func(_ *asking, r *api.SecondRequest) { r.Loop = "agent" }, api.SecondUnknown, false, -1},
		{"long forgotten", func(a *asking, _ *api.SecondRequest) { a.now = a.now.Add(heldFor + 1) }, api.SecondUnknown, false, -1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAsking(t, Cascade, halfSure{hide: 90})
			req := post("c1", output(200))
			want := a.local(req)
			if want == req.Texts[0] {
				t.Fatal("the local judge hides nothing")
			}
			q := a.ask(req)
			worst, _ := a.purse.Spent()
			r := a.reply(q, func(r *api.SecondRequest) { tt.change(a, r) })
			if r.Outcome != tt.outcome || r.Settled != tt.settled {
				t.Errorf("reply = %+v", r)
			}
			if !r.Settled { // the mod posts the row again
				req.Asked = true
				again := a.Result(t.Context(), req)
				if len(again.Questions) > 0 {
					t.Errorf("asked again: %+v", again)
				}
				r.Text = again.Texts[0]
			}
			if r.Text == nil || *r.Text != want {
				t.Errorf("not the local result: %v", r.Text)
			}
			if n := a.counts.Snapshot()["second."+tt.outcome]; n != 1 {
				t.Errorf("second.%s counted %d times", tt.outcome, n)
			}
			if tt.spent >= 0 {
				worst = tt.spent
			}
			if s, _ := a.purse.Spent(); s != worst {
				t.Errorf("spent %d, want %d", s, worst)
			}
		})
	}
}

func TestSecondReply(t *testing.T) {
	a := newAsking(t, Client, halfSure{})
	q := a.ask(post("c1", output(200)))
	first := a.reply(q, func(r *api.SecondRequest) { r.Text = "no" })
	again := a.reply(q, nil)
	if first.Outcome != api.SecondRefused || again.Outcome != api.SecondAgain || again.Text != nil {
		t.Errorf("first %+v, again %+v", first, again)
	}
	if s, _ := a.purse.Spent(); s != price.Of(0.0062) {
		t.Errorf("spent %d: paid twice", s)
	}
	// A row that gave up does not come back; what its model cost is booked all the same.
	q = a.ask(post("c2", output(200)))
	a.reply(q, func(r *api.SecondRequest) { r.Answered, r.Reason, r.Usage = false, api.NoTime, nil })
	late := a.reply(q, nil)
	if late.Outcome != api.SecondLate || late.Text != nil {
		t.Errorf("late = %+v", late)
	}
	if s, _ := a.purse.Spent(); s != price.Of(0.0124) {
		t.Errorf("spent %d", s)
	}
}

// A text that is handed over early is asked about then, once, and its row finds
// the question, or the answer.
func TestEarlyQuestion(t *testing.T) {
	for _, first := range []string{"the row", "the answer"} {
		t.Run(first+" comes first", func(t *testing.T) {
			a := newAsking(t, Client, halfSure{})
			src := output(200)
			e := a.Early(t.Context(), post("c1", src))
			if len(e.Questions) != 1 || e.Questions[0].Request == nil {
				t.Fatalf("early = %+v", e)
			}
			if again := a.Early(t.Context(), post("c1", src)); len(again.Questions) > 0 {
				t.Error("asked twice")
			}
			q := e.Questions[0]
			var got *string
			if first == "the row" {
				waits := a.ask(post("c1", src))
				if waits.Ticket != q.Ticket || waits.Request != nil {
					t.Fatalf("the row waits for %+v", waits)
				}
				got = a.reply(q, nil).Text
			} else {
				if r := a.reply(q, nil); r.Outcome != api.SecondKept || r.Settled {
					t.Fatalf("reply = %+v", r)
				}
				a.now = a.now.Add(time.Minute) // other calls of the message take long
				r := a.Result(t.Context(), post("c1", src))
				if len(r.Questions) > 0 {
					t.Fatalf("asked again: %+v", r)
				}
				got = r.Texts[0]
			}
			if got == nil || strings.Contains(*got, "record 0150") || !strings.Contains(*got, "error: disk full") {
				t.Errorf("text = %v", got)
			}
			if n := a.counts.Snapshot()["second.asked"]; n != 1 {
				t.Errorf("asked %d times", n)
			}
			if len(a.log) != 1 || a.log[0].Second != api.SecondUsed {
				t.Errorf("decided %d times: %+v", len(a.log), a.log)
			}
		})
	}
}

// gated is a local judge that answers when it is let.
type gated struct {
	halfSure
	came chan struct{}
	let  chan struct{}
}

func (g gated) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	g.came <- struct{}{}
	<-g.let
	return g.halfSure.Score(ctx, q, d)
}

// A row that comes while its early question is still being made up is not asked
// about a second time.
func TestEarlyAndRowTogether(t *testing.T) {
	g := gated{came: make(chan struct{}, 8), let: make(chan struct{})}
	a := newAsking(t, Client, g)
	src := output(200)
	early := make(chan api.EarlyReply, 1)
	rows := make(chan api.ResultReply, 1)
	go func() { early <- a.Early(t.Context(), post("c1", src)) }()
	<-g.came
	go func() { rows <- a.Result(t.Context(), post("c1", src)) }()
	close(g.let)
	e, r := <-early, <-rows
	if len(e.Questions)+len(r.Questions) == 0 || a.counts.Snapshot()["second.asked"] != 1 {
		t.Fatalf("asked %d times: early %+v, row %+v", a.counts.Snapshot()["second.asked"], e, r)
	}
	if len(r.Questions) != 1 || len(e.Questions) == 1 && e.Questions[0].Ticket != r.Questions[0].Ticket {
		t.Errorf("the row waits for %+v, early %+v", r.Questions, e.Questions)
	}
}

func TestWhoIsAsked(t *testing.T) {
	long := output(200)
	tests := []struct {
		name   string
		local  prune.Scorer
		mode   string
		change func(*asking, *api.ResultRequest)
		count  string
	}{
		{"off", halfSure{}, "", nil, ""},
		{"shadow", halfSure{}, Client, func(a *asking, _ *api.ResultRequest) {
			now := a.Door.Now
			a.Door.Now = func() Current { c := now(); c.Mode = Shadow; return c }
		}, ""},
		{"no price", halfSure{}, Client, func(a *asking, _ *api.ResultRequest) { a.second.Priced = false }, ""},
		{"cannot recall", halfSure{}, Client, func(_ *asking, r *api.ResultRequest) { r.Loop = "agent" }, ""},
		{"small", halfSure{}, Client, func(_ *asking, r *api.ResultRequest) { r.Texts[0] = "short" }, ""},
		{"failed tool", halfSure{}, Client, func(_ *asking, r *api.ResultRequest) { r.Failed = true }, ""},
		{"the local judge is sure", halfSure{hide: 1000}, Cascade, nil, "second.not.sure"},
		{"it may save too little", halfSure{}, Cascade, func(_ *asking, r *api.ResultRequest) { r.Model = "claude-haiku-4-5" }, "second.not.cheap"},
		{"the row cannot wait", halfSure{}, Client, func(_ *asking, r *api.ResultRequest) { r.LeftMS = 900 }, "second.not.no-time"},
		{"no money", halfSure{}, Client, func(a *asking, _ *api.ResultRequest) { a.purse.SetBudget(price.Of(0.001)) }, "second.not.budget"},
		{"paused", halfSure{}, Client, func(a *asking, _ *api.ResultRequest) {
			for range purse.Failures {
				a.purse.Failed()
			}
		}, "second.not.paused"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newAsking(t, tt.mode, tt.local)
			req := post("c1", long)
			if tt.change != nil {
				tt.change(a, req)
			}
			if r := a.Result(t.Context(), req); len(r.Questions) > 0 {
				t.Errorf("asked: %+v", r)
			}
			if n := a.counts.Snapshot()[tt.count]; tt.count != "" && n != 1 {
				t.Errorf("%s counted %d times: %v", tt.count, n, a.counts.Snapshot())
			}
			if s, _ := a.purse.Spent(); s != 0 {
				t.Errorf("spent %d", s)
			}
		})
	}
}

// What a reply cut is worth what the conversation went without, and a recall
// takes from it.
func TestMoneyOfACut(t *testing.T) {
	a := newAsking(t, Client, halfSure{})
	var saved []byte
	a.Desk.Purse = purse.Open(nil, purse.Options{Now: a.Desk.Now, Save: func(b []byte) error { saved = b; return nil }})
	a.purse = a.Desk.Purse
	a.purse.SetBudget(price.Of(1))
	r := a.reply(a.ask(post("c1", output(200))), nil)
	next := post("c2", "short")
	next.Turn = 11
	a.Result(t.Context(), next)
	req := api.RecallRequest{Key: r.Keys[0], Session: "s", Loop: Main}
	got := Recall(a.Door.Store.(*recall.Store), req)
	a.Desk.Recalled(req, got)
	a.Desk.Sweep()
	s, err := purse.Read(saved, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	opus, _ := price.BuiltIn().For("claude-opus-4-1")
	if s.Kept < 2000 || s.Reads != 10*s.Kept || s.Gross != opus.Kept(int(s.Kept), 10) || s.Recalls != 1 || s.RecallCost <= 0 {
		t.Errorf("sum = %+v", s)
	}
}
