package decisions

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func rec(call, args string) Record {
	return Record{Time: at, Session: "s", Loop: "main", Call: call, Tool: "Bash", Kind: "shell", Mode: "active", Reason: "too-little-saved",
		In: 100, Shown: 100, Out: 100, ArgsHash: args}
}

func cut(call, args string, keys ...string) Record {
	r := rec(call, args)
	r.Reason, r.Out, r.Hidden, r.Keys = "", 40, 80, keys
	return r
}

func TestSummary(t *testing.T) {
	view := cut("c3", "v", "k3")
	view.In, view.Shown, view.Out, view.Hidden, view.Saved = 40000, 2048, 4000, 0, true
	shadow := cut("c4", "w", "k1")
	shadow.Mode, shadow.Kind, shadow.Session = "shadow", "read", "other"
	small := rec("c5", "x")
	small.Reason = "small"
	tally := NewTally()
	for _, r := range []Record{
		cut("c1", "a", "k1", "k2"), cut("c2", "b", "k2"), view, shadow, small,
		{Time: at, Event: Recall, Session: "s", Out: 50, Keys: []string{"k2"}},
		{Time: at, Event: Recall, Session: "s", Out: 30, Keys: []string{"k2"}},
		{Time: at, Event: Recall, Session: "s", Out: 7, Keys: []string{"old"}},
		{Time: at.Add(time.Hour), Event: Recall, Session: "s", Out: 10, Miss: true, Keys: []string{"k1"}},
		{Time: at.Add(time.Hour), Event: "something later"},
	} {
		tally.Add(r)
	}
	tally.Bad()
	want := Summary{
		From: at, To: at.Add(time.Hour), Sessions: 2, BadLines: 1,
		Reasons: map[string]map[string]int{"pruned": {"shell": 3, "read": 1}, "small": {"shell": 1}},
		Doors:   map[string]int{}, Judges: map[string]int{},
		Active: Side{
			Results: 4, Pruned: 3, Keys: 3, Recalled: 1, Recalls: 4, Misses: 1,
			Hidden: 160, Markers: 40, Views: 1952, RecallCost: 97, Saved: 160 - 40 - 1952 - 97, Tokens: (160 - 40 - 1952 - 97) / 4,
			Shown: 2348, Kinds: map[string]Kind{"shell": {Results: 4, Pruned: 3, Shown: 2348, Saved: 120 - 1952}},
		},
		Shadow: Side{
			Results: 1, Pruned: 1, Keys: 1, Hidden: 80, Markers: 20, Saved: 60, Tokens: 15,
			Shown: 100, Kinds: map[string]Kind{"read": {Results: 1, Pruned: 1, Shown: 100, Saved: 60}},
		},
	}
	got := tally.Summary()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Side{})); diff != "" {
		t.Errorf("Summary (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(got, tally.Summary(), cmpopts.IgnoreUnexported(Side{})); diff != "" {
		t.Errorf("a second Summary differs:\n%s", diff)
	}
}

func TestImplicitRegret(t *testing.T) {
	read := func(r Record, path string) Record { r.Tool, r.PathHash = "Read", path; return r }
	prev := func(r Record, ps ...Prev) Record { r.Prev = ps; return r }
	loop := func(r Record, name string) Record { r.Loop = name; return r }
	others := func(n int) (ps []Prev) {
		for i := range n {
			ps = append(ps, Prev{Call: fmt.Sprint("o", i), Args: fmt.Sprint("o", i)})
		}
		return ps
	}
	for _, c := range []struct {
		name          string
		records       []Record
		again, edited int
	}{
		{"nothing follows", []Record{cut("1", "a")}, 0, 0},
		{"the same call", []Record{cut("1", "a"), rec("2", "a")}, 1, 0},
		{"the same call, too small to be heard of", []Record{cut("1", "a"), prev(rec("3", "b"), Prev{Call: "2", Args: "a"})}, 1, 0},
		{"another call", []Record{cut("1", "a"), rec("2", "b")}, 0, 0},
		{"another loop", []Record{cut("1", "a"), loop(rec("2", "a"), "sub")}, 0, 0},
		{"the tenth call", []Record{cut("1", "a"), prev(rec("2", "a"), others(9)...)}, 1, 0},
		{"the eleventh call", []Record{cut("1", "a"), prev(rec("2", "a"), others(10)...)}, 0, 0},
		{"a read of the same file with other arguments", []Record{read(cut("1", "a"), "f"), read(rec("2", "b"), "f")}, 1, 0},
		{"an edit of the same file is no read", []Record{read(cut("1", "a"), "f"), prev(rec("3", "b"), Prev{Call: "2", Args: "c", Path: "f", Edit: true})}, 0, 0},
		{"read again after an edit of it", []Record{read(cut("1", "a"), "f"), prev(read(rec("3", "b"), "f"), Prev{Call: "2", Args: "c", Path: "f", Edit: true})}, 0, 1},
		{"read again after an edit of another", []Record{read(cut("1", "a"), "f"), prev(read(rec("3", "b"), "f"), Prev{Call: "2", Args: "c", Path: "g", Edit: true})}, 1, 0},
		{"tests run again after an edit", []Record{cut("1", "a"), prev(rec("3", "a"), Prev{Call: "2", Args: "c", Path: "g", Edit: true})}, 0, 1},
		{"counted once", []Record{cut("1", "a"), rec("2", "a"), rec("3", "a")}, 1, 0},
		{"a parallel call that was made before the result was seen",
			[]Record{prev(cut("1", "a"), Prev{Call: "2", Args: "a"}), rec("2", "a")}, 0, 0},
		{"two texts of one result", []Record{cut("1", "a"), cut("1", "a"), rec("2", "a")}, 1, 0},
		{"each prune counts", []Record{cut("1", "a"), cut("2", "a"), rec("3", "a")}, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tally := NewTally()
			for _, r := range c.records {
				tally.Add(r)
			}
			s := tally.Summary().Active
			if s.Again != c.again || s.AgainEdited != c.edited {
				t.Errorf("again = %d, after an edit %d, want %d and %d", s.Again, s.AgainEdited, c.again, c.edited)
			}
		})
	}
}
