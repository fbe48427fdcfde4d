package prune

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// keepOnly is a judge that needs lines by index.
func keepOnly(lines ...int) scorer {
	return func(_ context.Context, _ Query, d text.Doc) (Scores, error) {
		s := Scores{Line: make([]float64, d.Len())}
		for _, i := range lines {
			s.Line[i] = 1
		}
		return s, nil
	}
}

func hiddenRanges(res Result) [][4]int {
	var out [][4]int
	for _, h := range res.Hidden {
		out = append(out, [4]int{h.Start, h.End, h.First, h.Last})
	}
	return out
}

func TestRender(t *testing.T) {
	in := plain()
	in.Text = strings.TrimSuffix(rows(100), "\n")
	in.Hint = "[ask for it]"
	res := New(keepOnly(50), Options{}).Prune(context.Background(), in)
	checkResult(t, in, res)
	if diff := cmp.Diff([][4]int{{2, 47, 3, 48}, {53, 97, 54, 98}}, hiddenRanges(res)); diff != "" {
		t.Errorf("hidden (-want +got):\n%s", diff)
	}
	lines := strings.Split(res.Text, "\n")
	if len(lines) != 2+1+5+1+2 {
		t.Fatalf("%d lines in\n%s", len(lines), res.Text)
	}
	a, b := res.Hidden[0], res.Hidden[1]
	if want := marker.Tag(a.Key, 46) + " lines 3-48: "; !strings.HasPrefix(lines[2], want) || !strings.HasSuffix(lines[2], " [ask for it]") {
		t.Errorf("first marker = %q, want %q... [ask for it]", lines[2], want)
	}
	if want := marker.Tag(b.Key, 45) + " lines 54-98: "; !strings.HasPrefix(lines[8], want) || strings.Contains(lines[8], "[ask for it]") {
		t.Errorf("second marker = %q, want %q... without the hint", lines[8], want)
	}
	if lines[5] != "row 0050 of a table that nobody asked about" {
		t.Errorf("kept line = %q", lines[5])
	}
	again := New(keepOnly(50), Options{}).Prune(context.Background(), in)
	if diff := cmp.Diff(res, again); diff != "" {
		t.Errorf("a second run differs:\n%s", diff)
	}
}

func TestRenderLimits(t *testing.T) {
	short := strings.Repeat("x\n", 800)
	for _, tc := range []struct {
		name string
		text string
		s    scorer
		want Reason
		gaps int
	}{
		{"a short gap stays", strings.TrimSuffix(rows(60), "\n"), keepOnly(30, 37), Pruned, 2},
		{"a long gap goes", strings.TrimSuffix(rows(60), "\n"), keepOnly(20, 40), Pruned, 3},
		{"gaps of tiny lines all stay", short, keepOnly(every(800, 8)...), TooLittle, 0},
		{"less than a fifth", rows(100), keepOnly(every(85, 4)...), TooLittle, 0},
		{"one giant line", strings.Repeat("giant ", 5000), keepOnly(), TooLittle, 0},
		{"few giant lines", strings.Repeat(strings.Repeat("giant ", 500)+"\n", 4), keepOnly(), TooLittle, 0},
		{"blank lines", strings.Repeat("\n", 3000), keepOnly(), Pruned, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Text = tc.text
			res := New(tc.s, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			if res.Reason != tc.want || len(res.Hidden) != tc.gaps {
				t.Errorf("reason %q, %d gaps, want %q, %d:\n%s", res.Reason, len(res.Hidden), tc.want, tc.gaps, res.Text)
			}
		})
	}
}

func every(n, step int) (lines []int) {
	for i := 0; i < n; i += step {
		lines = append(lines, i)
	}
	return lines
}

func TestBands(t *testing.T) {
	nan := 0.0
	nan /= nan
	n := 100
	s := Scores{Line: make([]float64, n-10)}
	s.Line[20], s.Line[40], s.Line[60], s.Line[80] = 0.5, 0.1, 0.0999, nan
	keep, uncertain, found := bands(n, s, Options{Drop: 0.1}.defaults())
	var kept []int
	for i, k := range keep {
		if k && i < n-10 {
			kept = append(kept, i)
		}
	}
	if diff := cmp.Diff([]int{20, 40, 80}, kept); diff != "" || uncertain != 1 || !found {
		t.Errorf("uncertain %d, found %v, kept (-want +got):\n%s", uncertain, found, diff)
	}
	for i := n - 10; i < n; i++ {
		if !keep[i] {
			t.Errorf("line %d was not judged and is hidden", i)
		}
	}
	if _, _, found := bands(3, Scores{Line: []float64{nan, 0, 0}}, Options{}.defaults()); found {
		t.Error("a score that is no number found something")
	}
}

func TestIsHeading(t *testing.T) {
	for line, want := range map[string]bool{
		"# Title": true, "###### deep": true, "####### too deep": false, "#!/bin/sh": false, "#include": false,
		"==> a.txt <==": true, "=== a ===": false, "@@ -1 +1 @@": true, "diff --git a/x b/x": true, "different": false,
		"./a/b:": true, "/a b:": false, ".gitignore": false, "//:": false,
		"commit 0123456789012345678901234567890123456789": true, "commit message": false, "": false,
	} {
		if got := isHeading(line); got != want {
			t.Errorf("isHeading(%q) = %v, want %v", line, got, want)
		}
	}
}

// B038: rows keep the heading of their table, and its column names.
func TestHeadings(t *testing.T) {
	in := plain()
	in.Text = "## container\nname     have\n" + rows(40) + "\n## vm\nname     want\n" + rows(40)
	res := New(keepOnly(70), Options{}).Prune(context.Background(), in)
	checkResult(t, in, res)
	if !strings.Contains(res.Text, "\n## vm\nname     want\n<<ccr:") {
		t.Errorf("the heading is hidden in\n%s", res.Text)
	}
}

var markerLine = regexp.MustCompile(`<<ccr:[0-9a-f]{24} (\d+)_lines_offloaded>> lines (\d+)-(\d+)`)

// Every number that the model reads is the file's: of kept lines and of gaps.
func TestNumbers(t *testing.T) {
	source := strings.Split(strings.TrimSuffix(rows(200), "\n"), "\n")
	for _, form := range []struct{ name, margin string }{{"tab", "%d\t%s"}, {"arrow", "%6d→%s"}} {
		for _, start := range []int{1, 201} {
			t.Run(fmt.Sprintf("%s/%d", form.name, start), func(t *testing.T) {
				var lines []string
				for i, l := range source {
					lines = append(lines, fmt.Sprintf(form.margin, start+i, l))
				}
				in := plain()
				in.Tool, in.Text = call("Read", `{"file_path":"/p/a.txt"}`), strings.Join(lines, "\n")+"\n\n<system-reminder>\nx\n</system-reminder>\n"
				res := New(keepOnly(60, 61, 150), Options{}).Prune(context.Background(), in)
				checkResult(t, in, res)
				next := start
				for _, l := range strings.Split(res.Text, "\n") {
					if m := markerLine.FindStringSubmatch(l); m != nil {
						n, first, last := atoi(t, m[1]), atoi(t, m[2]), atoi(t, m[3])
						if first != next || last-first+1 != n {
							t.Errorf("marker %q, want it to begin at %d", l, next)
						}
						next = last + 1
						continue
					}
					if next < start+len(source) {
						if want := fmt.Sprintf(form.margin, next, source[next-start]); l != want {
							t.Errorf("line = %q, want %q", l, want)
						}
						next++
					}
				}
				if next != start+len(source) {
					t.Errorf("numbers end at %d, want %d", next, start+len(source))
				}
			})
		}
	}
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// asShown numbers a text as the host does from start on.
func asShown(src string, start int) map[int]string {
	shown := map[int]string{}
	for i, l := range strings.Split(src, "\n") {
		shown[start+i] = l
	}
	return shown
}

// At the hook door the host numbers what is left: each line must get the
// number that it has in the file.
func TestRenumbered(t *testing.T) {
	source := strings.Split(strings.TrimSuffix(rows(200), "\n"), "\n")
	in := plain()
	in.Tool, in.Text = call("Read", `{"file_path":"/p/a.txt"}`), strings.Join(source, "\n")
	in.Renumbered, in.StartLine = true, 31
	for _, tc := range []struct {
		name       string
		hide       [][2]int
		start, end int // what the host is told and the number of its last line
	}{
		{"middle", [][2]int{{10, 150}}, 31, 230},
		{"head", [][2]int{{0, 99}}, 130, 230},
		{"tail", [][2]int{{100, 199}}, 31, 131},
		{"head, middle and tail", [][2]int{{0, 49}, {60, 120}, {130, 199}}, 80, 161},
		{"all", [][2]int{{0, 199}}, 230, 230},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := newView(&in)
			keep := make([]bool, len(source))
			for i := range keep {
				keep[i] = true
			}
			for _, r := range tc.hide {
				for i := r[0]; i <= r[1]; i++ {
					keep[i] = false
				}
			}
			res, ok := render(&in, &v, keep, Options{}.defaults())
			if !ok {
				t.Fatal("nothing was hidden")
			}
			checkResult(t, in, res)
			if res.StartLine != tc.start {
				t.Errorf("StartLine = %d, want %d", res.StartLine, tc.start)
			}
			shown := asShown(res.Text, res.StartLine)
			if shown[tc.end] == "" || shown[tc.end+1] != "" {
				t.Errorf("the last number is not %d", tc.end)
			}
			for i, l := range source {
				if keep[i] && shown[31+i] != l {
					t.Errorf("line %d = %q, want %q", 31+i, shown[31+i], l)
				}
			}
			for i, h := range res.Hidden {
				want := [2]int{31 + tc.hide[i][0], 31 + tc.hide[i][1]}
				if got := [2]int{h.First, h.Last}; got != want {
					t.Errorf("marker says %v, want %v", got, want)
				}
				at := h.First
				if h.Start == 0 {
					at = h.Last
				}
				if !strings.HasPrefix(shown[at], marker.Tag(h.Key, h.End-h.Start+1)) {
					t.Errorf("line %d = %q, want the marker", at, shown[at])
				}
			}
		})
	}
}

// Empty lines cost their numbers: where they eat the saving, the gap stays.
func TestRenumberedCost(t *testing.T) {
	in := plain()
	in.Tool, in.Renumbered, in.StartLine = call("Read", `{"file_path":"/p/a.txt"}`), true, 100001
	in.Text = strings.Repeat("ab\n", 700)
	res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
	if res.Reason != TooLittle || res.StartLine != 100001 {
		t.Errorf("reason %q, start %d, want %q, 100001", res.Reason, res.StartLine, TooLittle)
	}
	in.Text = strings.Repeat("a line that is long enough to pay\n", 100)
	if res = New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in); res.Reason != Pruned {
		t.Errorf("reason %q, want pruned", res.Reason)
	}
	checkResult(t, in, res)
}
