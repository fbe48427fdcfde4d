package seen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/marker"
	"winnow/internal/text"
)

var start = time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)

// loop drives a ledger as a door does, with texts in place of results.
type loop struct {
	*Ledger
	calls []string
	at    time.Time
}

func newLoop(o Options) *loop { return &loop{Ledger: New(o), at: start} }

// begin begins a call and returns its id.
func (l *loop) begin(id string) string {
	l.Begin(id, l.calls, l.at)
	l.calls = append(l.calls, id)
	return id
}

// show shows the whole of a text but for the hidden spans.
func (l *loop) show(id, s string, hidden ...Span) {
	d := text.Split(s)
	var spans []Span
	at := 0
	for _, h := range hidden {
		spans = append(spans, Span{at, h.Start - 1})
		at = h.End + 1
	}
	l.Show(Source{ID: id, Name: id + ".go", Of: "/p/" + id}, l.Lines(d), plain(d), append(spans, Span{at, d.Len() - 1}), len(s))
}

func plain(d text.Doc) []int {
	n := make([]int, d.Len())
	for i := range n {
		n[i] = i + 1
	}
	return n
}

func (l *loop) match(s string) []Match {
	id := l.begin(fmt.Sprintf("look%d", len(l.calls)))
	return l.Match(id, l.Lines(text.Split(s)))
}

// lines makes lines first to last of a file.
func lines(first, last int) string {
	var b strings.Builder
	for i := first; i <= last; i++ {
		fmt.Fprintf(&b, "line %d of the file, which is long enough to count\n", i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// at says of matches where they are, as "start-end=source:line".
func at(ms []Match) []string {
	out := []string{}
	for _, m := range ms {
		out = append(out, fmt.Sprintf("%d-%d=%s:%d", m.Start, m.End, m.Source.ID, m.Line))
	}
	return out
}

func TestMatch(t *testing.T) {
	mark := marker.Line(marker.KeyOf("x"), 3, 1, 3, "x", "")
	for _, tc := range []struct {
		name  string
		shown []string // a, b, c ...
		text  string
		want  []string
	}{
		{"the whole", []string{lines(1, 20)}, lines(1, 20), []string{"0-19=a:0"}},
		{"a part", []string{lines(1, 20)}, "new\n" + lines(5, 9) + "\nnew", []string{"1-5=a:4"}},
		{"too short a part", []string{lines(1, 20)}, "new\n" + lines(5, 7) + "\nnew", []string{}},
		{"in the order shown only", []string{lines(1, 20)}, lines(11, 20) + "\n" + lines(1, 10), []string{"0-9=a:10", "10-19=a:0"}},
		{"a changed line", []string{lines(1, 20)}, lines(1, 9) + "\nnew\n" + lines(11, 20), []string{"0-8=a:0", "10-19=a:10"}},
		{"of two the longer", []string{lines(1, 20), lines(1, 10)}, lines(1, 20), []string{"0-19=a:0"}},
		{"of two alike the newest", []string{lines(1, 20), lines(1, 20)}, lines(1, 20), []string{"0-19=b:0"}},
		{"one run is in one result", []string{lines(1, 10), lines(11, 20)}, lines(1, 20), []string{"0-9=a:0", "10-19=b:0"}},
		{"a longer run that begins later", []string{lines(1, 5), lines(2, 20)}, lines(1, 20), []string{"1-19=b:0"}},
		{"markers are no text", []string{lines(1, 4) + "\n" + mark + "\n" + lines(5, 8)}, lines(1, 4) + "\n" + mark + "\n" + lines(5, 8), []string{"0-3=a:0", "5-8=a:5"}},
		{"a byte more", []string{lines(1, 20)}, strings.ReplaceAll(lines(1, 20), "\n", " \n"), []string{}},
		{"nothing shown", nil, lines(1, 20), []string{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLoop(Options{})
			for i, s := range tc.shown {
				l.show(l.begin(string(rune('a'+i))), s)
			}
			if diff := cmp.Diff(tc.want, at(l.match(tc.text))); diff != "" {
				t.Errorf("Match (-want +got):\n%s", diff)
			}
		})
	}
}

// What was hidden was not shown, and its gap is no continuation.
func TestHiddenIsNotShown(t *testing.T) {
	l := newLoop(Options{})
	l.show(l.begin("a"), lines(1, 20), Span{4, 9})
	want := []string{"0-3=a:0", "10-19=a:10"}
	if diff := cmp.Diff(want, at(l.match(lines(1, 20)))); diff != "" {
		t.Errorf("Match (-want +got):\n%s", diff)
	}
	l.show(l.begin("recall"), lines(5, 10))
	want = []string{"0-3=a:0", "4-9=recall:0", "10-19=a:10"}
	if diff := cmp.Diff(want, at(l.match(lines(1, 20)))); diff != "" {
		t.Errorf("Match after the recall (-want +got):\n%s", diff)
	}
}

func TestForgetting(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(l *loop)
		o    Options
		want bool // whether it still stands
	}{
		{"nothing happened", func(*loop) {}, Options{}, true},
		{"59 idle minutes", func(l *loop) { l.at = l.at.Add(59 * time.Minute) }, Options{}, true},
		{"60 idle minutes", func(l *loop) { l.at = l.at.Add(60 * time.Minute) }, Options{}, false},
		{"61 minutes with a call between", func(l *loop) {
			l.at = l.at.Add(30 * time.Minute)
			l.begin("x")
			l.at = l.at.Add(31 * time.Minute)
		}, Options{}, true},
		{"39 calls", func(l *loop) {
			for i := range 39 {
				l.begin(fmt.Sprint(i))
			}
		}, Options{}, true},
		{"40 calls", func(l *loop) {
			for i := range 40 {
				l.begin(fmt.Sprint(i))
			}
		}, Options{}, false},
		{"a call of which nobody told in between", func(l *loop) { l.calls = []string{"a", "b"} }, Options{}, true},
		{"more calls than are told", func(l *loop) { l.calls = []string{"x", "y"} }, Options{}, false},
		{"its share of the window is spent", func(l *loop) { l.show(l.begin("b"), strings.Repeat("x", 5000)) }, Options{Chars: 4000}, false},
		{"too many lines", func(l *loop) { l.show(l.begin("b"), lines(100, 190)) }, Options{Lines: 100}, false},
		{"a compaction", func(l *loop) { l.Forget() }, Options{}, false},
		{"its row is gone", func(l *loop) { l.Keep(func(s Source) bool { return s.ID != "a" }) }, Options{}, false},
		{"a later row is gone", func(l *loop) {
			l.show(l.begin("b"), lines(100, 110))
			l.Keep(func(s Source) bool { return s.ID != "b" })
		}, Options{}, false},
		{"all rows stand", func(l *loop) { l.Keep(func(Source) bool { return true }) }, Options{}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLoop(tc.o)
			l.show(l.begin("a"), lines(1, 20))
			tc.do(l)
			if got := len(l.match(lines(1, 20))) > 0; got != tc.want {
				t.Errorf("stands = %v, want %v", got, tc.want)
			}
			// The first one's place is taken over, whatever happened.
			l.show(l.begin("again"), lines(1, 20))
			if diff := cmp.Diff([]string{"0-19=again:0"}, at(l.match(lines(1, 20)))); diff != "" {
				t.Errorf("Match of what is shown again (-want +got):\n%s", diff)
			}
		})
	}
}

// A result's own texts and calls that nobody began are no earlier results.
func TestNotEarlier(t *testing.T) {
	l := newLoop(Options{})
	id := l.begin("a")
	l.show(id, lines(1, 20))
	if ms := l.Match(id, l.Lines(text.Split(lines(1, 20)))); len(ms) > 0 {
		t.Errorf("Match finds the call's own text: %v", ms)
	}
	l.show("unknown", lines(30, 50))
	if ms := l.match(lines(30, 50)); len(ms) > 0 {
		t.Errorf("Match finds a result of no call: %v", ms)
	}
	if ms := l.Match("unknown", l.Lines(text.Split(lines(1, 20)))); len(ms) > 0 {
		t.Errorf("Match for a call that was not begun: %v", ms)
	}
}

func TestFolds(t *testing.T) {
	changed := lines(1, 9) + "\nnew\n" + lines(11, 30)
	for _, tc := range []struct {
		name, shown, text string
		page              Page
		want              []string
	}{
		{"two neighbours of a changed line", lines(1, 30), changed, Page{Of: "/p/a", File: true}, []string{"0-6=a:0", "12-29=a:12"}},
		{"one where a command ran again", lines(1, 30), changed, Page{Of: "/p/a"}, []string{"0-7=a:0", "11-29=a:11"}},
		{"none in another text", lines(1, 30), changed, Page{Of: "/p/b", File: true}, []string{"0-8=a:0", "10-29=a:10"}},
		{"a file by another path", lines(1, 30), changed, Page{Of: "../x/a", File: true}, []string{"0-6=a:0", "12-29=a:12"}},
		{"lines that are gone are a change", lines(1, 10) + "\nold\n" + lines(11, 30), lines(1, 30), Page{Of: "/p/a", File: true}, []string{"0-7=a:0", "12-29=a:13"}},
		{"more than was shown is none", lines(5, 20), lines(1, 30), Page{Of: "/p/a", File: true}, []string{"4-19=a:0"}},
		{"a fixed line", lines(1, 30), lines(1, 30), Page{Of: "/p/a", File: true, Fixed: []bool{14: true, 29: false}}, []string{"0-13=a:0", "15-29=a:15"}},
		{"under two hundred characters", "a\nb\nc\nd\ne\nf", "a\nb\nc\nd\ne\nf", Page{}, []string{}},
		{"between two fixed lines too short", lines(1, 30), lines(1, 30), Page{Fixed: []bool{12: true, 16: true, 29: false}}, []string{"0-11=a:0", "17-29=a:17"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLoop(Options{})
			l.show(l.begin("a"), tc.shown)
			tc.page.Doc = text.Split(tc.text)
			n := tc.page.Doc.Len()
			tc.page.Body = Span{0, n - 1}
			tc.page.Fixed = append(tc.page.Fixed, make([]bool, n-len(tc.page.Fixed))...)
			got := []Match{}
			for _, f := range Folds(l.match(tc.text), tc.page) {
				got = append(got, f.Match)
			}
			if diff := cmp.Diff(tc.want, at(got)); diff != "" {
				t.Errorf("Folds (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDigest(t *testing.T) {
	f := Fold{Match{Span: Span{9, 19}, Number: 120, Ago: 3, Source: Source{Name: "server.go"}}}
	if got, want := f.Digest(), "unchanged, shown 3 calls ago as lines 120-130 of server.go"; got != want {
		t.Errorf("Digest = %q, want %q", got, want)
	}
	f.Ago = 1
	if got := f.Digest(); !strings.Contains(got, " 1 call ago ") {
		t.Errorf("Digest = %q", got)
	}
}

// Look-ups, chains and copies grow with the text, whatever it is made of.
func TestLinear(t *testing.T) {
	for name, line := range map[string]func(i int) string{
		"all different":   func(i int) string { return fmt.Sprintf("line %d of a long file", i) },
		"all the same":    func(int) string { return "the same line" },
		"a few, repeated": func(i int) string { return []string{"{", "}", "", "\treturn nil", "}"}[i%5] },
		"blank":           func(int) string { return "" },
	} {
		cost := func(n int) int64 {
			var b strings.Builder
			for i := range n {
				b.WriteString(line(i) + "\n")
			}
			l := newLoop(Options{Chars: 1 << 40})
			for i := range 30 {
				id := l.begin(fmt.Sprint(i))
				l.Match(id, l.Lines(text.Split(b.String())))
				l.show(id, b.String())
			}
			return l.steps
		}
		small, large := cost(200), cost(2000)
		if large > 13*small {
			t.Errorf("%s: %d steps for 200 lines, %d for ten times as many", name, small, large)
		}
	}
}

func TestBytes(t *testing.T) {
	l := newLoop(Options{Chars: 1 << 40})
	for i := range 60 {
		l.show(l.begin(fmt.Sprint(i)), lines(1+i*5000, 5000+i*5000))
	}
	if got := l.Bytes(); got > 3<<20 {
		t.Errorf("a ledger at its bound takes %d bytes", got)
	}
	if n := len(l.hash) - l.dead(); n > DefaultLines {
		t.Errorf("%d lines, bound %d", n, DefaultLines)
	}
}

// A machine that sleeps stops the clock that does not go by the wall; one that is
// set back says nothing about how long a loop was still.
func TestBeginByTheWall(t *testing.T) {
	for _, tc := range []struct {
		name string
		step func(time.Time) time.Time
		want int
	}{
		{"a minute later", func(t time.Time) time.Time { return t.Add(time.Minute) }, 1},
		{"slept for two hours", func(t time.Time) time.Time { return t.Round(0).Add(2 * time.Hour) }, 0},
		{"set back by two hours", func(t time.Time) time.Time { return t.Round(0).Add(-2 * time.Hour) }, 0},
		{"told of a moment late", func(t time.Time) time.Time { return t.Add(-time.Second) }, 1},
	} {
		l := New(Options{})
		at := time.Now()
		l.Begin("a", nil, at)
		d := text.Split(lines(1, 20))
		x := l.Lines(d)
		l.Show(Source{ID: "a"}, x, seq(len(x)), []Span{{0, len(x) - 1}}, len(d.Src))
		l.Begin("b", []string{"a"}, tc.step(at))
		if got := len(l.Sources()); got != tc.want {
			t.Errorf("%s: %d results stand, want %d", tc.name, got, tc.want)
		}
		if strings.Contains(l.last.String(), "m=") {
			t.Errorf("%s: the ledger keeps a reading of the other clock", tc.name)
		}
	}
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// What was noted of a call is taken back when its result is asked for again; the
// others stay what they were.
func TestRetract(t *testing.T) {
	for _, gone := range []string{"a", "b", "c", "none"} {
		l := newLoop(Options{})
		for i, id := range []string{"a", "b", "c"} {
			l.show(l.begin(id), lines(1+100*i, 20+100*i))
		}
		l.Retract(gone)
		raw, err := l.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Restore(raw, Options{})
		if err != nil {
			t.Fatalf("without %s: %v", gone, err)
		}
		l.Ledger = back
		for i, id := range []string{"a", "b", "c"} {
			ms := l.match(lines(1+100*i, 20+100*i))
			if found := len(ms) == 1 && ms[0].Source.ID == id && ms[0].End == 19; found != (id != gone) || len(ms) > 1 {
				t.Errorf("without %s: %s is found: %v (%v)", gone, id, found, ms)
			}
		}
	}
}

// A ledger that knows calls, of a loop that says it made none, is another's.
func TestBeginOfAnother(t *testing.T) {
	l := newLoop(Options{})
	l.show(l.begin("a"), lines(1, 20))
	l.Begin("x", nil, time.Time{})
	if n := len(l.Sources()); n != 0 {
		t.Errorf("%d results stand", n)
	}
}

// A session of very many results takes no more than its bound.
func TestManyResults(t *testing.T) {
	l := newLoop(Options{})
	var earlier []string
	most := 0
	for i := range 10_000 {
		id := fmt.Sprint("c", i)
		l.Begin(id, earlier, start)
		if earlier = append(earlier, id); len(earlier) > 60 {
			earlier = append(earlier[:0], earlier[1:]...)
		}
		l.show(id, lines(i*9, i*9+40))
		most = max(most, l.Bytes())
	}
	if most > 1<<20 || len(l.entries) > DefaultCalls+1 || len(l.ids) > 2*maxIDs {
		t.Errorf("%d bytes, %d results, %d ids", most, len(l.entries), len(l.ids))
	}
}

// Odd texts are found again as they are, and nothing else.
func TestOddTexts(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for name, s := range map[string]string{
		"lines of a megabyte":  long + "1\n" + long + "2\n" + long + "3\n" + long + "4",
		"carriage returns":     strings.ReplaceAll(lines(1, 9), "\n", "\r\n"),
		"no valid UTF-8":       strings.ReplaceAll(lines(1, 9), "file", "\xff\xfe\x00"),
		"no line feed at all":  strings.ReplaceAll(lines(1, 9), "\n", "\r"),
		"a feed at the end":    lines(1, 9) + "\n",
		"nothing but feeds":    strings.Repeat("\n", 300),
		"zeroes":               strings.Repeat("\x00\n", 300),
		"a marker on a line":   lines(1, 5) + "\n" + marker.Line(marker.KeyOf("x"), 3, 1, 3, "", "") + "\n" + lines(7, 12),
		"half a marker":        lines(1, 5) + "\n<<ccr:\n" + lines(7, 12),
		"the empty text":       "",
		"all lines are equal":  strings.Repeat("the same line, over and over again\n", 500),
		"other letters, alike": strings.ReplaceAll(lines(1, 9), "line", "l\u0456ne"),
	} {
		l := newLoop(Options{})
		l.show(l.begin("a"), s)
		d := text.Split(s)
		for _, m := range l.match(s) {
			for i := m.Start; i <= m.End; i++ {
				if got, want := d.Line(i), d.Line(m.Line+i-m.Start); got != want || strings.Contains(got, marker.Open) {
					t.Errorf("%s: line %d refers to line %d", name, i, m.Line+i-m.Start)
				}
			}
		}
		if ms := l.match(lines(1, 9)); len(ms) > 0 && !strings.Contains(s, lines(1, 4)) && !strings.Contains(s, lines(7, 9)) {
			t.Errorf("%s: another text is found in it: %v", name, at(ms))
		}
	}
}
