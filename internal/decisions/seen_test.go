package decisions

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What was folded is booked apart from what a judge hid, its recalls too.
func TestSeen(t *testing.T) {
	tally := NewTally()
	tally.Add(Record{Mode: "active", Reason: "small", In: 1000, Shown: 700, Out: 700, Fold: &Fold{Mode: "active", Hidden: 400, Saved: 300, Keys: []string{"a", "b"}}})
	tally.Add(Record{Mode: "active", In: 1000, Shown: 800, Out: 500, Hidden: 350, Keys: []string{"j"}, Fold: &Fold{Mode: "active", Hidden: 300, Saved: 200, Keys: []string{"a"}}})
	tally.Add(Record{Mode: "shadow", Reason: "small", In: 90, Shown: 90, Out: 90, Fold: &Fold{Mode: "shadow", Hidden: 80, Saved: 20, Keys: []string{"c"}}})
	for _, k := range []string{"a", "a", "j", "unknown"} {
		tally.Add(Record{Event: Recall, Keys: []string{k}, Out: 50})
	}
	tally.Add(Record{Event: Recall, Keys: []string{"b"}, Out: 10, Miss: true})
	sum := tally.Summary()
	want := Seen{
		Active: Folded{Results: 2, Keys: 2, Recalled: 1, Recalls: 3, Hidden: 700, Markers: 200, RecallCost: 110, Saved: 390},
		Shadow: Folded{Results: 1, Keys: 1, Hidden: 80, Markers: 60, Saved: 20},
	}
	if diff := cmp.Diff(want, sum.Seen); diff != "" {
		t.Errorf("Seen (-want +got):\n%s", diff)
	}
	if a := sum.Active; a.Hidden != 350 || a.Markers != 50 || a.Recalls != 2 || a.Recalled != 1 || a.Saved != 200 {
		t.Errorf("the judge's side is %+v", a)
	}
	if got := sum.Seen.Active.Regret(); got != 0.5 {
		t.Errorf("Regret = %v", got)
	}
}
