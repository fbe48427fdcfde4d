//go:build e2e

package e2e

import (
	"path/filepath"
	"testing"
	"time"

	"winnow/e2e/lab"
	"winnow/e2e/mockapi"
	"winnow/internal/decisions"
)

// tally sums the session's decision log up, as winnow stats does, when it holds
// n records: the daemon writes behind its answers.
func tally(t *testing.T, l *lab.Lab, n int) decisions.Side {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; {
		sum, seen := decisions.NewTally(), 0
		for r, err := range decisions.All(filepath.Join(l.Winnow, decisions.FileName)) {
			if err != nil {
				t.Fatal(err)
			}
			if r.Door != "mod" && r.Event == decisions.Result {
				t.Errorf("record = %+v, want the mod's door", r)
			}
			sum.Add(r)
			seen++
		}
		if seen >= n {
			return sum.Summary().Active
		}
		if time.Now().After(end) {
			t.Fatalf("%d records, want %d", seen, n)
		}
	}
}

// TestDecisionsOfASession: what the log says of a recall, and of a file that is
// read once more, with an edit between that the daemon never saw, or without.
func TestDecisionsOfASession(t *testing.T) {
	const old = "\treturn t + \"-030\"\n"
	for _, c := range []struct {
		name          string
		edit          bool
		again, edited int
	}{
		{"read again", false, 1, 0},
		{"read again after an edit", true, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := active(t, "fake")
			p := l.Write("names.go", source(60))
			between := bash("echo small")
			if c.edit {
				between = mockapi.Call{Name: "Edit", Input: map[string]any{"file_path": p, "old_string": old, "new_string": "\treturn t + \"=030\"\n"}}
			}
			reqs, _ := play(t, l, lab.Run{Prompt: "Name030 must use an equals sign."},
				mockapi.Use("I read.", read(p)), recallFirst, mockapi.Use("I go on.", between), mockapi.Use("I look again.", read(p)))
			s := tally(t, l, 3)
			if ks := keys(reqs[1].Last().Result()); len(ks) == 0 || s.Keys != len(ks) {
				t.Errorf("%d keys in the log, %d in the conversation", s.Keys, len(ks))
			}
			if s.Pruned != 1 || s.Recalled != 1 || s.Recalls != 1 || s.Again != c.again || s.AgainEdited != c.edited {
				t.Errorf("pruned %d, recalled %d by %d recalls, again %d, after an edit %d; want 1, 1, 1, %d, %d",
					s.Pruned, s.Recalled, s.Recalls, s.Again, s.AgainEdited, c.again, c.edited)
			}
		})
	}
}
