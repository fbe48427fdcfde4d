package second

import (
	"context"
	"slices"
	"strings"
	"testing"

	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// local is a local judge whose answer is given: a byte a line, over and over.
type local []byte

func (l local) Score(_ context.Context, _ prune.Query, d text.Doc) (prune.Scores, error) {
	s := prune.Scores{Line: make([]float64, d.Len())}
	for i := range s.Line {
		if len(l) > 0 {
			s.Line[i] = float64(l[i%len(l)]) / 255
		}
	}
	return s, nil
}

// checkReply prunes src as reply says and checks what must hold whatever it is.
func checkReply(t *testing.T, src, reply string, cascade bool, scores ...byte) {
	t.Helper()
	checkProposed(t, src, reply, cascade, nil, scores...)
	checkProposed(t, src, reply, cascade, all, scores...)
}

// all proposes every line as a repeat of another.
func all(_ prune.Input, body text.Doc) []prune.Fold {
	return []prune.Fold{{Start: 0, End: body.Len() - 1}}
}

func checkProposed(t *testing.T, src, reply string, cascade bool, propose prune.Proposer, scores ...byte) {
	t.Helper()
	in := prune.Input{Task: query.Task, Tool: query.Tool, Text: src, CanRecall: true}
	judge := Reply{Text: reply, Bands: Bands{prune.DefaultKeep, prune.DefaultDrop}, Local: local(scores), Cascade: cascade}
	p := prune.New(judge, prune.Options{MinChars: 1, MinSaving: 1e-9, AllowNothing: true, Propose: propose})
	pl := p.Plan(context.Background(), in)
	res := p.Finish(pl, pl.Scores)
	if res.Reason != prune.Pruned {
		if res.Text != src || len(res.Hidden) > 0 {
			t.Fatalf("reason %s, but the text was changed", res.Reason)
		}
		return
	}
	lines := strings.Split(src, "\n")
	hidden := make([]bool, len(lines))
	v, err := Parse(reply, Ask("", query, pl.Doc).Asked)
	for _, h := range res.Hidden {
		for i := h.Start; i <= h.End; i++ {
			hidden[i] = true
			if pl.Protected[i] != 0 {
				t.Errorf("line %d is protected and hidden: %q", i, lines[i])
			}
			if err == nil && !v.hides(i) {
				t.Errorf("line %d is hidden and the reply did not say so", i)
			} else if err != nil && !cascade {
				t.Errorf("line %d is hidden by a reply that is not understood", i)
			}
		}
	}
	back, k := []string{}, 0
	for _, line := range strings.Split(res.Text, "\n") {
		if k < len(res.Hidden) && len(back) == res.Hidden[k].Start && strings.HasPrefix(line, marker.Tag(res.Hidden[k].Key, res.Hidden[k].End-res.Hidden[k].Start+1)) {
			h := res.Hidden[k]
			if marker.KeyOf(h.Text) != h.Key {
				t.Errorf("key %s is not that of its text", h.Key)
			}
			back = append(back, strings.Split(h.Text, "\n")...)
			k++
			continue
		}
		if len(back) >= len(lines) || line != lines[len(back)] || hidden[len(back)] {
			t.Fatalf("line %d of the answer is not one of the text: %q", len(back), line)
		}
		back = append(back, line)
	}
	if k != len(res.Hidden) || strings.Join(back, "\n") != src {
		t.Errorf("%d of %d gaps put back give another text", k, len(res.Hidden))
	}
}

// hides reports whether a reply asks for line i to be hidden.
func (v Verdict) hides(i int) bool {
	return slices.ContainsFunc(v.Hide, func(r Run) bool { return i >= r.First && i <= r.Last })
}

// FuzzReply: whatever the reply, kept lines are exact, protected lines are there,
// only lines that it named are hidden, and text and recalls give the input.
func FuzzReply(f *testing.F) {
	src := strings.Repeat("a line that nobody needs in this test, padded\n", 30) + "error: no such table\n" + strings.Repeat("more of the same here, and more of it again\n", 30)
	f.Add(src, `{"hide":"0-60"}`, false, []byte{9})
	f.Add(src, `{"hide":"3-25,33-50","unsure":"26-28"}`, true, []byte{1, 200, 40})
	f.Add(src, "```json\n{\"hide\":\"3-7,12\",\"unsure\":\"20-25\"}\n```", false, []byte{})
	f.Add(src, `{"hide":"3-7","text":"all is well"}`, true, []byte{0})
	f.Add("a\r\nb\xff\n<<ccr:0123456789abcdef01234567 3_lines_offloaded>>\n"+src, `{"hide":"5-30"}`, false, []byte{0})
	f.Fuzz(func(t *testing.T, src, reply string, cascade bool, scores []byte) {
		checkReply(t, src, reply, cascade, scores...)
	})
}
