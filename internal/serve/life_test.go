package serve

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/api"
	"winnow/internal/door"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/text"
)

// ask gets the status over a connection of its own.
func (r *rig) ask(t *testing.T) api.Status {
	t.Helper()
	req, _ := http.NewRequest("GET", r.url+api.PathStatus, nil)
	req.Header.Set(api.TokenHeader, token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var st api.Status
	if err := json.NewDecoder(resp.Body).Decode(&st); err != nil {
		t.Fatal(err)
	}
	return st
}

// waits is a judge that says when it is asked and answers when it may.
type waits struct{ asked, may chan struct{} }

func (w waits) Score(ctx context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	w.asked <- struct{}{}
	<-w.may
	return prune.Fake{}.Score(ctx, q, d)
}

// A daemon that is asked to leave answers pings and finishes what it answers.
func TestLeavingFinishes(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	w := waits{make(chan struct{}), make(chan struct{})}
	r.SetPruner(prune.New(w, prune.Options{AllowNothing: true}), "slow", "ready")
	var body string
	var wg sync.WaitGroup
	wg.Go(func() { _, body = r.post(t, api.PathResult, request(t, nil)) })
	<-w.asked
	if code, _ := r.post(t, api.PathStop, `{}`); code != 200 {
		t.Errorf("stop = %d", code)
	}
	for !r.ask(t).Leaving { // it hears of the stop in a moment
	}
	close(w.may)
	wg.Wait()
	if !strings.Contains(body, "_lines_offloaded") {
		t.Errorf("what was in flight was answered with %.200q, want it cut", body)
	}
	http.DefaultClient.CloseIdleConnections()
	err := <-r.done
	r.done <- err // for the cleanup
	if err != nil {
		t.Errorf("Serve = %v", err)
	}
}

// The clock of idleness is ticks: their times may jump as they like.
func TestIdleNeedsNoClock(t *testing.T) {
	ticks := make(chan time.Time)
	r := start(t, func(o *Options) { o.Idle, o.Ticks = 45*time.Minute, ticks })
	now := time.Now()
	jumps := []time.Duration{0, 10 * time.Hour, -20 * time.Hour, 0, 400 * 24 * time.Hour, -time.Nanosecond}
	tick := func(n int) {
		t.Helper()
		for i := range n {
			select {
			case ticks <- now.Add(jumps[i%len(jumps)]):
			case err := <-r.done:
				r.done <- err
				t.Fatalf("left after %d of %d ticks", i, n)
			}
		}
	}
	for range 3 { // a request in time keeps it
		tick(idleTicks - 1)
		r.ask(t)
	}
	tick(1) // sees that somebody asked
	tick(idleTicks)
	err := <-r.done // and leaves by itself
	r.done <- err
	if err != nil {
		t.Errorf("Serve = %v", err)
	}
}

// While the store is not open yet, results pass, a recall waits, and a loop that
// says that it can recall is not forgotten.
func TestStoreOpensBehind(t *testing.T) {
	var store *recall.Store
	r := start(t, func(o *Options) { store, o.Store, o.Opening = o.Store, nil, true })
	r.offer(t)
	if _, body := r.post(t, api.PathResult, request(t, nil)); strings.Contains(body, "_lines_offloaded") {
		t.Errorf("cut without a store: %.200s", body)
	}
	if st := r.ask(t); !st.StoreOpening || st.StoreError != "" {
		t.Errorf("status says opening %v, error %q", st.StoreOpening, st.StoreError)
	}
	if _, body := r.post(t, api.PathLive, `{"keys":[]}`); body != `{"live":null}` {
		t.Errorf("live = %s, want null: nobody knows yet", body)
	}
	const hidden = "hidden\nlines"
	put(t, store, hidden)
	var body string
	var wg sync.WaitGroup
	wg.Go(func() { _, body = r.post(t, api.PathRecall, `{"key":"`+string(key(hidden))+`"}`) })
	for r.active.Load() == 0 && r.asked.Load() < 5 {
	}
	r.SetStore(store, "")
	wg.Wait()
	if !strings.Contains(body, `"text":"hidden\nlines"`) {
		t.Errorf("recall = %s, want the hidden lines", body)
	}
	if _, body := r.post(t, api.PathResult, request(t, nil)); !strings.Contains(body, "_lines_offloaded") {
		t.Errorf("not cut although the loop said that it can recall: %.200s", body)
	}
	if st := r.ask(t); st.StoreOpening || st.StoreError != "" {
		t.Errorf("status says opening %v, error %q", st.StoreOpening, st.StoreError)
	}
}

// Without a store nothing waits, everything passes, and it is said; one that comes
// later is used.
func TestStoreComesBack(t *testing.T) {
	var store *recall.Store
	r := start(t, func(o *Options) { store, o.Store, o.Opening = o.Store, nil, true })
	r.SetStore(nil, "no space left on device")
	r.offer(t)
	_, body := r.post(t, api.PathResult, request(t, nil))
	if !strings.Contains(body, "without its store nothing is hidden: no space left on device; `winnow doctor` says what to do") {
		t.Errorf("result = %.300s, want the notice", body)
	}
	if _, body := r.post(t, api.PathRecall, `{"key":"0123456789abcdef01234567"}`); !strings.Contains(body, door.NoStoreNote) {
		t.Errorf("recall = %s", body)
	}
	if st := r.ask(t); st.StoreOpening || st.StoreError != "no space left on device" {
		t.Errorf("status says opening %v, error %q", st.StoreOpening, st.StoreError)
	}
	r.SetStore(store, "")
	if _, body := r.post(t, api.PathResult, request(t, nil)); !strings.Contains(body, "_lines_offloaded") || strings.Contains(body, "notice") {
		t.Errorf("not cut with the store: %.200s", body)
	}
}

// A write that fails shows until one works, also one that only tries.
func TestTroubleGoes(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	_ = r.shelf.wrote(recall.ErrClosed)
	if st := r.ask(t); st.StoreError != "cannot be written: store is closed" {
		t.Errorf("store error = %q", st.StoreError)
	}
	_ = r.shelf.wrote(recall.ErrTooLarge) // the text's own fault changes nothing
	r.Mend()
	if st := r.ask(t); st.StoreError != "" {
		t.Errorf("store error = %q after it can be written again", st.StoreError)
	}
	r.store.Close()
	_ = r.shelf.wrote(recall.ErrClosed)
	r.Mend()
	if st := r.ask(t); st.StoreError == "" {
		t.Error("no store error although nothing can be written")
	}
}

func TestDoors(t *testing.T) {
	r := start(t, nil)
	if st := r.ask(t); st.Doors == nil || len(st.Doors) != 0 {
		t.Errorf("doors = %v, want none yet", st.Doors)
	}
	r.offer(t)
	r.post(t, api.PathResult, request(t, nil))
	r.post(t, api.PathHook, `{}`)
	r.post(t, api.PathHook, `{}`, api.TokenHeader, "wrong")
	got := map[string]int64{}
	for _, d := range r.ask(t).Doors {
		got[d.Name] = d.Requests
	}
	if d := cmp.Diff(map[string]int64{"mod": 2, "hook": 1}, got); d != "" {
		t.Errorf("doors (-want +got):\n%s", d)
	}
}

func key(s string) marker.Key { return marker.KeyOf(s) }

func put(t *testing.T, s *recall.Store, hidden string) {
	t.Helper()
	if err := s.Put([]recall.Item{{Text: hidden, Issue: recall.Issue{Key: key(hidden), First: 1, Last: 2, Session: "s", Loop: "main", ToolUseID: "x"}}}); err != nil {
		t.Fatal(err)
	}
}

// Of large bodies one at a time is worked on; who would wait too long for its turn
// passes. A small one is not in their way.
func TestLargeBodiesTakeTurns(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	w := waits{make(chan struct{}), make(chan struct{})}
	r.SetPruner(prune.New(w, prune.Options{AllowNothing: true}), "slow", "ready")
	big := request(t, func(q *api.ResultRequest) { q.Texts = []string{strings.Repeat(listing(1000), 48)} })
	if len(big) < large {
		t.Fatalf("%d bytes are not large", len(big))
	}
	var first string
	var wg sync.WaitGroup
	wg.Go(func() { _, first = r.post(t, api.PathResult, big) })
	<-w.asked
	if _, body := r.post(t, api.PathResult, big); body != "" {
		t.Errorf("a second large one = %.200q, want nothing", body)
	}
	if n := r.counts.Snapshot()["refused.busy"]; n != 1 {
		t.Errorf("refused.busy = %d, want 1", n)
	}
	if st := r.ask(t); st.Leaving {
		t.Error("leaving?")
	}
	close(w.may)
	wg.Wait()
	if first == "" {
		t.Error("the first large one was not answered")
	}
	if n := r.bodies.total.Load(); n != 0 {
		t.Errorf("%d bytes in flight after all", n)
	}
	<-drained(w.asked, func() { r.post(t, api.PathResult, big) })
	if n := r.counts.Snapshot()["refused.busy"]; n != 1 {
		t.Errorf("refused.busy = %d after the turn was free, want 1", n)
	}
}

// drained does work whose judge is asked once more.
func drained(asked <-chan struct{}, work func()) <-chan struct{} {
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	<-asked
	return done
}

// A large body that comes in slowly is given up, as it is in others' way.
func TestLargeBodyThatStalls(t *testing.T) {
	r := start(t, nil)
	c, err := net.Dial("unix", r.sock)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	head := "POST " + api.PathResult + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + api.TokenHeader + ": " + token + "\r\nContent-Length: 16000000\r\n\r\n"
	if _, err := c.Write([]byte(head + strings.Repeat(" ", large+1<<16))); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 15)
	if _, err := c.Read(answer); err != nil || string(answer) != "HTTP/1.1 200 OK" {
		t.Errorf("stalled: %q, %v, want an empty 200", answer, err)
	}
	if n := r.counts.Snapshot()["refused.body"]; n != 1 {
		t.Errorf("refused.body = %d, want 1", n)
	}
}

// Large saved outputs take the same turn: the door reads them whole.
func TestLargeSavedOutputsTakeTurns(t *testing.T) {
	r := start(t, nil)
	r.offer(t)
	results := filepath.Join(t.TempDir(), "s", "tool-results")
	if err := os.MkdirAll(results, 0o700); err != nil {
		t.Fatal(err)
	}
	wide := strings.ReplaceAll(listing(9000), "\n", strings.Repeat(" wide", 50)+"\n") // few lines: a busy machine must not miss the budget
	for name, s := range map[string]string{"small.txt": listing(1000), "large.txt": wide} {
		if err := os.WriteFile(filepath.Join(results, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	saved := func(name string) string {
		return request(t, func(q *api.ResultRequest) {
			q.Texts = []string{"<persisted-output>\nOutput too large (2.7MB). Full output saved to: " + filepath.Join(results, name) +
				"\n\nPreview (first 2KB):\n" + listing(40) + "...\n</persisted-output>"}
		})
	}
	r.bodies.turn <- struct{}{}
	if _, body := r.post(t, api.PathResult, saved("large.txt")); strings.Contains(body, "Selected lines") {
		t.Errorf("read out of turn: %.200s", body)
	}
	if n := r.counts.Snapshot()["refused.busy"]; n != 1 {
		t.Errorf("refused.busy = %d, want 1", n)
	}
	if _, body := r.post(t, api.PathResult, saved("small.txt")); !strings.Contains(body, "Selected lines") {
		t.Errorf("a small one waited, too: %.200s", body)
	}
	<-r.bodies.turn
	if _, body := r.post(t, api.PathResult, saved("large.txt")); !strings.Contains(body, "Selected lines") {
		t.Errorf("in its turn: %.200s, want a view", body)
	}
	if len(r.bodies.turn) != 0 {
		t.Error("the turn was not given back")
	}
}
