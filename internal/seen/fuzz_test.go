package seen_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/seen"
	"winnow/internal/text"
)

// told is what a loop was really shown, kept by the test as text: the model of
// what a ledger must not go beyond.
type told struct {
	ledger *seen.Ledger
	calls  []prune.Call
	shown  map[string]*page
	n      int
}

// page is a result as the loop saw it.
type page struct {
	doc    text.Doc
	hidden []bool
	stands bool
}

func newTold() *told {
	return &told{ledger: seen.New(seen.Options{Calls: 12}), shown: map[string]*page{}}
}

// gone says that nothing shown so far stands any more.
func (l *told) gone() {
	for _, p := range l.shown {
		p.stands = false
	}
}

var (
	pruner = prune.New(prune.Fake{}, prune.Options{})
	tools  = []prune.Tool{
		{Name: "Read", Input: json.RawMessage(`{"file_path":"/p/a.go"}`)}, {Name: "Read", Input: json.RawMessage(`{"file_path":"/p/b.txt","offset":3}`)},
		{Name: "Bash", Input: json.RawMessage(`{"command":"make test"}`)}, {Name: "Bash", Input: json.RawMessage(`{"command":"cat /p/a.go"}`)},
		{Name: "Edit", Input: json.RawMessage(`{"file_path":"/p/a.go"}`)},
	}
)

// compose makes a result out of blocks that come again and again.
func compose(b []byte, tool prune.Tool) string {
	var out []string
	for _, x := range b {
		for i := range int(x>>5) + 1 {
			switch {
			case x&31 == 31:
				out = append(out, "error: it failed here")
			case x&31 == 30:
				out = append(out, "")
			default:
				out = append(out, fmt.Sprintf("block %d says on its line %d what it always says, at some length", x&31, i))
			}
		}
	}
	if tool.Name == "Read" {
		for i := range out {
			out[i] = fmt.Sprintf("%d\t%s", i+1, out[i])
		}
	}
	return strings.Join(out, "\n")
}

// result carries a result the way that a door does, and checks every fold
// against what the test knows. recall also shows what was folded once more.
func (l *told) result(t *testing.T, tool prune.Tool, s string, now time.Time, recall bool) {
	l.n++
	id := fmt.Sprintf("call%d", l.n)
	in := prune.Input{Tool: tool, Text: s, Calls: l.calls, CanRecall: true, Args: fmt.Sprint(string(tool.Input), l.n)}
	ids := make([]string, len(l.calls))
	for i, c := range l.calls {
		ids[i] = c.ID
	}
	l.ledger.Begin(id, ids, now)
	turn := l.ledger.Take(pruner, in, id)
	in.Folds = turn.Given()
	res := pruner.Fold(in)
	p := &page{doc: prune.Judged(tool, s), stands: true}
	if strings.HasPrefix(tool.Name, "mcp__winnow__") { // a Read's lines come back with their numbers
		p.doc = text.Split(text.Unnumbered(s))
	}
	p.hidden = make([]bool, p.doc.Len())
	for _, h := range res.Folded {
		for _, f := range turn.Folds {
			if f.Start == h.Start {
				l.check(t, id, p, f, h)
			}
		}
	}
	if text.Chars(res.Text) > text.Chars(s) {
		t.Errorf("%s: %d characters became %d", id, text.Chars(s), text.Chars(res.Text))
	}
	l.ledger.Took(turn, seen.Source{ID: id}, res.Folded, text.Chars(res.Text))
	l.shown[id] = p
	l.calls = append(l.calls, prune.Call{ID: id, Tool: tool.Name, Args: in.Args})
	if recall && len(res.Folded) > 0 {
		l.result(t, prune.Tool{Name: "mcp__winnow__recall", Input: json.RawMessage("{}")}, res.Folded[0].Text, now, false)
	}
}

func (l *told) check(t *testing.T, id string, p *page, f seen.Fold, h prune.Hidden) {
	ref := l.shown[f.Source.ID]
	if ref == nil || !ref.stands || f.Source.ID == id {
		t.Fatalf("%s: lines %d-%d refer to %s, which is not there", id, f.Start, f.End, f.Source.ID)
	}
	if strings.Contains(h.Text, marker.Open) || marker.KeyOf(h.Text) != h.Key {
		t.Errorf("%s: key %s stands for %q", id, h.Key, h.Text)
	}
	for i := f.Start; i <= f.End; i++ {
		r := f.Line + i - f.Start
		switch {
		case r >= ref.doc.Len() || ref.doc.Line(r) != p.doc.Line(i):
			t.Fatalf("%s: line %d is not line %d of %s", id, i, r, f.Source.ID)
		case ref.hidden[r]:
			t.Fatalf("%s: line %d refers to line %d of %s, which was hidden there", id, i, r, f.Source.ID)
		case strings.HasPrefix(p.doc.Line(i), "error:"):
			t.Errorf("%s: a failure line is folded", id)
		}
		p.hidden[i] = true
	}
}

// FuzzSeen: whatever comes, in whatever loop, with whatever restarts, no
// reference to what was not shown or no longer stands, none across loops, none
// to a reference.
func FuzzSeen(f *testing.F) {
	f.Add([]byte{0, 4, 0xe1, 0xe2, 0xe3, 0xe4, 0, 4, 0xe1, 0xe2, 0xe3, 0xe4, 64, 0, 4, 0xe1, 0xe2, 0xe3, 0xe4})
	f.Add([]byte{2, 5, 0xe1, 0xff, 0xe2, 0xe3, 0xe4, 1, 4, 0xe2, 0xe3, 0xe4, 0xe1, 128, 2, 5, 0xe1, 0xff, 0xe2, 0xe3, 0xe4, 65, 66, 67, 68})
	f.Add([]byte{8, 3, 0xe1, 0xe2, 0xe3, 16, 3, 0xe1, 0xe2, 0xe3, 24, 3, 0xe1, 0xe2, 0xe3, 0, 6, 0xe9, 0xe1, 0xe2, 0xe3, 0xe8, 0xe7})
	f.Add([]byte{0, 4, 0xe1, 0xe2, 0xe3, 0xe4, 0, 4, 0xe5, 0xe6, 0xe7, 0xe8, 241, 64, 2, 9, 0xe9, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8})
	f.Add([]byte("0Ab1AbA00b")) // a Read's lines, recalled and read again
	f.Fuzz(func(t *testing.T, ops []byte) {
		loops := []*told{newTold(), newTold(), newTold()}
		now := time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)
		for len(ops) > 0 {
			op := ops[0]
			ops = ops[1:]
			l := loops[int(op>>3)%len(loops)]
			switch {
			case op < 64: // a result: tool, loop; then its length and blocks
				n := 0
				if len(ops) > 0 {
					n = min(int(ops[0]%32), len(ops)-1)
					ops = ops[1:]
				}
				tool := tools[int(op&7)%len(tools)]
				l.result(t, tool, compose(ops[:n], tool), now, op&1 == 1)
				ops = ops[n:]
			case op < 128 && op&3 == 0: // a restart
				raw, err := l.ledger.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				if l.ledger, err = seen.Restore(raw, seen.Options{Calls: 12}); err != nil {
					t.Fatal(err)
				}
			case op < 128 && op&3 == 1: // compacted, cleared
				l.ledger.Forget()
				l.gone()
			case op < 128 && op&3 == 2: // an hour of nothing
				now = now.Add(time.Hour)
				for _, l := range loops {
					l.gone()
				}
			case op < 128: // rewound: the newest row is gone
				if n := len(l.calls); n > 0 {
					id := l.calls[n-1].ID
					l.ledger.Keep(func(s seen.Source) bool { return s.ID != id })
					l.shown[id].stands = false
				}
			case op >= 240: // an earlier result was asked for again, and the answer was another
				if n := len(l.calls); n > 0 {
					id := l.calls[max(0, n-1-int(op-240))].ID
					l.ledger.Retract(id)
					l.shown[id].stands = false
				}
			default:
				now = now.Add(time.Duration(op-127) * time.Second)
			}
		}
	})
}

// BenchmarkTake is what a result of 30 KB costs against a ledger of 5 MB of
// text, hashing, look-up and taking note; the rules and rendering are prune's.
//
//	go test -run xx -bench Take ./internal/seen
func BenchmarkTake(b *testing.B) {
	code := func(from, n int) string {
		var s strings.Builder
		for i := from; s.Len() < n; i++ {
			fmt.Fprintf(&s, "\tvalue%d, err := lookup(ctx, key%d)\n", i, i%7)
		}
		return s.String()
	}
	for _, known := range []bool{true, false} {
		b.Run(fmt.Sprintf("kb=30/known=%v", known), func(b *testing.B) {
			l := seen.New(seen.Options{Calls: 1 << 30, Chars: 1 << 40, Lines: 1 << 18})
			var ids []string
			show := func(id, s string) {
				d := text.Split(s)
				n := make([]int, d.Len())
				for i := range n {
					n[i] = i + 1
				}
				l.Show(seen.Source{ID: id}, l.Lines(d), n, []seen.Span{{Start: 0, End: d.Len() - 1}}, len(s))
			}
			for i := range 5 << 20 / (128 << 10) {
				id := fmt.Sprint("c", i)
				l.Begin(id, ids, time.Time{})
				ids = append(ids, id)
				show(id, code(i*10000, 128<<10))
			}
			s := code(120500, 30<<10)
			if !known {
				s = strings.ReplaceAll(s, "lookup", "other")
			}
			l.Begin("now", ids, time.Time{})
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			found := 0
			for b.Loop() {
				x := l.Lines(text.Split(s))
				found = len(l.Match("now", x))
			}
			b.ReportMetric(float64(found), "runs")
			b.ReportMetric(float64(l.Bytes()), "ledger-bytes")
		})
	}
}

// Of a file that is read again by the same call, what changed is folded around;
// the same text once more is wanted whole, whatever a command in between is
// taken for.
func TestTwice(t *testing.T) {
	call := func(id, tool, input string) prune.Call {
		return prune.Call{ID: id, Tool: tool, Args: prune.Args(json.RawMessage(input))}
	}
	source := strings.Repeat("x", 60)
	file := func(changed string) string {
		var out []string
		for i := range 60 {
			out = append(out, fmt.Sprintf("%d\tvalue%d := %q", i+1, i, source))
		}
		out[30] += changed
		return strings.Join(out, "\n")
	}
	const input = `{"file_path":"/p/a.go"}`
	for _, tc := range []struct {
		name, between, text string
		folds               int
	}{
		{"changed by sed", `{"command":"sed -i s/a/b/ a.go"}`, file(" // new"), 2},
		{"copied", `{"command":"cp a.go a.go.old"}`, file(""), 0},
		{"printed into another file", `{"command":"cat a.go > copy"}`, file(""), 0},
		{"printed", `{"command":"cat a.go"}`, file(" // by somebody else"), 0},
	} {
		l := seen.New(seen.Options{})
		tool := prune.Tool{Name: "Read", Input: json.RawMessage(input)}
		now := time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)
		l.Begin("a", nil, now)
		first := prune.Input{Tool: tool, Text: file(""), CanRecall: true}
		l.Took(l.Take(pruner, first, "a"), seen.Source{ID: "a"}, nil, len(first.Text))
		l.Begin("c", []string{"a", "b"}, now)
		turn := l.Take(pruner, prune.Input{Tool: tool, Text: tc.text, CanRecall: true, Calls: []prune.Call{call("a", "Read", input), call("b", "Bash", tc.between)}}, "c")
		if len(turn.Folds) != tc.folds || tc.folds == 0 && turn.Reason != prune.Again {
			t.Errorf("%s: %d folds (%q), want %d", tc.name, len(turn.Folds), turn.Reason, tc.folds)
		}
	}
}

// A run that a transcript holds with the host's numbers, between markers, is there;
// one of which a line is missing is not.
func TestHolds(t *testing.T) {
	l := seen.New(seen.Options{})
	tool := prune.Tool{Name: "Read", Input: json.RawMessage(`{"file_path":"/p/a.go"}`)}
	var lines []string
	for i := range 40 {
		lines = append(lines, fmt.Sprintf("%d\tvalue%d is set to what it was", i+1, i))
	}
	text := strings.Join(lines, "\n")
	l.Begin("a", nil, time.Time{})
	in := prune.Input{Tool: tool, Text: text, CanRecall: true}
	l.Took(l.Take(pruner, in, "a"), seen.Source{ID: "a"}, nil, len(text))
	l.Begin("b", []string{"a"}, time.Time{})
	in.Text = strings.Join(lines[10:30], "\n")
	turn := l.Take(pruner, in, "b")
	if len(turn.Folds) != 1 {
		t.Fatalf("%d folds", len(turn.Folds))
	}
	marked := "<<ccr:0123456789abcdef01234567 5_lines_offloaded>> lines 1-5: x\n" + strings.Join(lines[5:35], "\n")
	for name, tc := range map[string]struct {
		shown string
		want  bool
	}{
		"as it was":            {text, true},
		"behind a marker":      {marked, true},
		"with other margins":   {strings.ReplaceAll(text, "\t", "→"), true},
		"without margins":      {prune.Judged(tool, text).Src, true},
		"a line less":          {strings.Join(append(append([]string(nil), lines[:20]...), lines[21:]...), "\n"), false},
		"the client's preview": {"<persisted-output>\n" + strings.Join(lines[:12], "\n"), false},
		"nothing":              {"", false},
	} {
		if got := turn.Holds("a", tc.shown); got != tc.want {
			t.Errorf("%s: Holds = %v, want %v", name, got, tc.want)
		}
	}
}
