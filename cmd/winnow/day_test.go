//go:build unix

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/marker"
	"winnow/internal/recall"
	"winnow/internal/state"
)

// dayClock is a clock that a test moves.
type dayClock struct {
	mu sync.Mutex // guards t
	t  time.Time
}

func (c *dayClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *dayClock) add(d time.Duration) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
	return c.t
}

// dayCalls spread over a day; a tick of idleness comes every 135 s as with the
// default of 45 minutes, upkeep every six hours.
const (
	dayCalls = 1000
	dayStep  = 24 * time.Hour / dayCalls
	dayTick  = 45 * time.Minute / 20
)

// day is a daemon in this process whose clocks a test moves.
type day struct {
	*daemon
	t             *testing.T
	clock         *dayClock
	ticks, rounds chan time.Time
	c             *client.Client
	left          chan error
	sinceTick     time.Duration
}

func startDay(t *testing.T, judge string) *day {
	t.Helper()
	t.Setenv("WINNOW_MODE", "active")
	t.Setenv("WINNOW_JUDGE", judge)
	t.Setenv("WINNOW_PORT", "0")
	home, err := os.MkdirTemp("", "day") // a short path, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	dir := state.Dir(filepath.Join(home, "state"))
	if err := dir.Make(); err != nil {
		t.Fatal(err)
	}
	x := &day{t: t, clock: &dayClock{t: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)},
		ticks: make(chan time.Time), rounds: make(chan time.Time), left: make(chan error, 1)}
	x.fill(dir)
	x.daemon, err = startDaemon(t.Context(), dir, slog.New(slog.DiscardHandler), clocks{now: x.clock.now, ticks: x.ticks, rounds: x.rounds})
	if err != nil {
		t.Fatal(err)
	}
	go func() { x.left <- x.daemon.serve(t.Context()) }()
	if x.c, err = client.New(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.c.Close)
	for {
		st, err := x.c.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if st.JudgeState != "loading" {
			return x
		}
	}
}

// oldText is what an earlier month hid: as random as text gets, so that it fills
// the file.
func oldText(i int) string {
	var b strings.Builder
	for k := range 400 {
		b.WriteString(string(marker.KeyOf(fmt.Sprint(i, k))))
		b.WriteByte('\n')
	}
	return b.String()
}

const oldTexts = 400

// fill leaves a store of a month ago behind.
func (x *day) fill(dir state.Dir) {
	x.t.Helper()
	s, err := recall.Open(dir.Store(), recall.Options{Now: x.clock.now})
	if err != nil {
		x.t.Fatal(err)
	}
	var items []recall.Item
	for i := range oldTexts {
		text := oldText(i)
		items = append(items, recall.Item{Text: text, Issue: recall.Issue{Key: marker.KeyOf(text), First: 1, Last: 400, Session: "old", Loop: "main", ToolUseID: fmt.Sprint(i)}})
	}
	if err := errors.Join(s.Put(items), s.Close()); err != nil {
		x.t.Fatal(err)
	}
	x.clock.add(40 * 24 * time.Hour)
}

// pass lets time go by until the next call.
func (x *day) pass(call int) {
	now := x.clock.add(dayStep)
	for x.sinceTick += dayStep; x.sinceTick >= dayTick; x.sinceTick -= dayTick {
		select {
		case x.ticks <- now:
		case err := <-x.left:
			x.t.Fatalf("left before call %d: %v", call, err)
		}
	}
	if call%(dayCalls/4) == dayCalls/4-1 {
		x.rounds <- now
	}
}

// post hands one of the mixed results in, as winnow bench does; every hour has its
// own session. It reports whether it was cut.
func (x *day) post(call int) bool {
	x.t.Helper()
	session := fmt.Sprint("hour-", call*24/dayCalls)
	if err := x.c.Call(x.t.Context(), api.PathOffer, api.OfferRequest{Session: session, Loop: "main"}, nil); err != nil {
		x.t.Fatal(err)
	}
	size := []int{1 << 10, 2 << 10, 8 << 10, 25 << 10, 64 << 10}[call%5]
	if call%100 == 99 {
		size = 256 << 10
	}
	req := api.ResultRequest{
		Session: session, Loop: "main", ToolUseID: fmt.Sprint("toolu_", call), Tool: "Bash",
		Input: json.RawMessage(fmt.Sprintf(`{"command":"make check-%d"}`, call)), Texts: []string{benchText(call+1, size)},
	}
	if call%3 != 0 {
		req.Rows = []api.Row{{Text: "Why does the session store drop entries after a restart?", Door: "prompt"}}
	}
	var reply api.ResultReply
	if err := x.c.Call(x.t.Context(), api.PathResult, req, &reply); err != nil {
		x.t.Fatal(err)
	}
	if len(reply.Keys) > 0 && call%10 == 1 {
		r, err := x.c.Recall(x.t.Context(), api.RecallRequest{Key: reply.Keys[0], Session: session, Loop: "main"})
		if err != nil || !r.Found {
			x.t.Fatalf("recall = %+v, %v", r, err)
		}
	}
	return len(reply.Keys) > 0
}

func (x *day) fileSize() int64 {
	fi, err := os.Stat(x.dir.Store())
	if err != nil {
		x.t.Fatal(err)
	}
	return fi.Size()
}

// A day of a thousand calls: the daemon stays while it is asked, what is over a
// month old goes, its space is given back, and after the last call it leaves. It
// prints what docs/bench/life.md shows; WINNOW_DAY_JUDGE=onnx asks the real judge,
// which takes minutes.
func TestDay(t *testing.T) {
	judge := os.Getenv("WINNOW_DAY_JUDGE")
	if judge == "" {
		judge = "fake"
	}
	x := startDay(t, judge)
	before, began := x.fileSize(), time.Now()
	t.Logf("judge %s ready: %.0f MB resident, store %.1f MB", judge, residentMB(os.Getpid()), float64(before)/1e6)
	cut := 0
	for call := range dayCalls {
		x.pass(call)
		if x.post(call) {
			cut++
		}
		if call%250 == 249 {
			t.Logf("after %4d calls: %.0f MB resident, store %.1f MB", call+1, residentMB(os.Getpid()), float64(x.fileSize())/1e6)
		}
	}
	x.rounds <- x.clock.now() // taken when the round before is over
	if after := x.fileSize(); judge == "fake" && after >= before {
		t.Errorf("the store has %d bytes, before the old ones went %d", after, before)
	}
	if _, err := x.store.Load().Get(marker.KeyOf(oldText(0))); !errors.Is(err, recall.ErrExpired) {
		t.Errorf("an original of 41 days ago: %v, want it expired", err)
	}
	if st, err := x.c.Status(t.Context()); err != nil || st.Counts["results"] != dayCalls || cut == 0 {
		t.Errorf("%d of %d results, %d cut, %v", st.Counts["results"], dayCalls, cut, err)
	}
	t.Logf("%d results cut; %.0f MB resident; %v of real time", cut, residentMB(os.Getpid()), time.Since(began).Round(time.Second))
	x.leaves()
}

// leaves lets the 45 minutes after the last call go by.
func (x *day) leaves() {
	x.t.Helper()
	for n := 0; ; n++ {
		select {
		case x.ticks <- x.clock.add(dayTick):
		case err := <-x.left:
			if err != nil || n < 20 || n > 22 {
				x.t.Errorf("left after %d ticks: %v, want after 20 or 21 without a fault", n, err)
			}
			return
		}
	}
}
