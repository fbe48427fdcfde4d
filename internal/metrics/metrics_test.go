package metrics

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCounters(t *testing.T) {
	var c Counters
	if got := c.Snapshot(); got == nil || len(got) != 0 {
		t.Errorf("Snapshot of nothing = %v, want an empty map", got)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				c.Add("pruned", 2)
				c.Add("small", 1)
				c.Snapshot()["pruned"] = -1 // a copy: nobody else sees it
			}
		})
	}
	wg.Wait()
	c.Add("small", -8000)
	want := map[string]int64{"pruned": 16000, "small": 0}
	if diff := cmp.Diff(want, c.Snapshot()); diff != "" {
		t.Errorf("Snapshot (-want +got):\n%s", diff)
	}
}

func TestNilCounters(t *testing.T) {
	var c *Counters
	c.Add("x", 1)
	if got := c.Snapshot(); len(got) != 0 {
		t.Errorf("Snapshot of nil = %v", got)
	}
}
