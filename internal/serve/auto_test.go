package serve

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/api"
	"winnow/internal/door"
	"winnow/internal/prune"
)

// With auto, calls whose losses are known are pruned, others only counted.
func TestAuto(t *testing.T) {
	of := func(name string) Proven {
		return Proven{Names: []string{name}, For: func(t prune.Tool) bool { return t.Name == name }}
	}
	for _, c := range []struct {
		name    string
		proven  Proven
		told    string
		changed bool
		count   string
		active  []string
	}{
		{"proven for this tool", of("Bash"), door.Active, true, "active.pruned", []string{"Bash"}},
		{"proven for another", of("Grep"), door.Active, false, "shadow.pruned", []string{"Grep"}},
		{"proven for none", Proven{}, door.Shadow, false, "shadow.pruned", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := start(t, nil)
			r.SetMode(door.Auto, c.proven)
			r.store.Offer("s", "main")
			_, body := r.post(t, api.PathResult, request(t, nil))
			var reply api.ResultReply
			if err := json.Unmarshal([]byte(body), &reply); err != nil {
				t.Fatalf("%v in %q", err, body)
			}
			if changed := len(reply.Texts) == 1 && reply.Texts[0] != nil; changed != c.changed || reply.Mode != c.told {
				t.Errorf("changed = %v, mode %q, want %v, %q", changed, reply.Mode, c.changed, c.told)
			}
			st := r.status()
			if st.Counts[c.count] != 1 || st.Mode != c.told || st.Setting != door.Auto {
				t.Errorf("status = %+v, want one %s", st, c.count)
			}
			if diff := cmp.Diff(c.active, st.ActiveFor); diff != "" {
				t.Errorf("active for: %s", diff)
			}
		})
	}
}
