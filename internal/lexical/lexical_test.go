package lexical

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
	"winnow/internal/text"
)

func ask(request, tool, input string) prune.Query {
	return prune.Query{
		Task: prune.Task{Request: request},
		Tool: prune.Tool{Name: tool, Input: json.RawMessage(input)},
	}
}

func score(tb testing.TB, q prune.Query, src string) prune.Scores {
	tb.Helper()
	s, err := New().Score(tb.Context(), q, text.Split(src))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// lines returns n lines that have nothing to do with the tests' tasks.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "entry %d was copied to the archive without change\n", i)
	}
	return b.String()
}

func TestScoreBands(t *testing.T) {
	src := lines(40) + "func parseTimeout(s string) (time.Duration, error) {\n" + lines(40)
	got := score(t, ask("why does parseTimeout ignore its unit?", "Bash", `{"command":"make"}`), src)
	if p := got.Line[40]; p < 0.5 {
		t.Errorf("line that holds the name asked for = %v, want 0.5 or more", p)
	}
	if p := got.Line[41]; p < 0.1 {
		t.Errorf("its neighbour = %v, want 0.1 or more", p)
	}
	for _, i := range []int{0, 20, 60, 79} {
		if p := got.Line[i]; p >= 0.1 {
			t.Errorf("line %d, far from it = %v, want less than 0.1", i, p)
		}
	}
}

func TestScoreWithoutHits(t *testing.T) {
	for _, p := range score(t, ask("rename the widget", "Bash", `{}`), lines(30)).Line {
		if p != floor {
			t.Fatalf("score of a line that nothing speaks for = %v, want %v", p, floor)
		}
	}
}

// More evidence never lowers a score.
func TestNeededRises(t *testing.T) {
	last := -1.0
	for i := range 101 {
		tab := &Table{best: 8, lines: []line{{near: float32(i) / 100}}}
		p := tab.needed(0)
		if p < last || p < floor || p > ceiling {
			t.Fatalf("needed at near = %v is %v after %v", float64(i)/100, p, last)
		}
		last = p
	}
}

func TestBlankFollows(t *testing.T) {
	tab := &Table{}
	for _, s := range []string{"a", "", "", "b", "", "c", ""} {
		tab.lines = append(tab.lines, line{kind: kindOf(s)})
	}
	p := []float64{0.9, 0.5, 0.1, 0.2, 0.3, 0.4, 0.5}
	tab.SettleBlank(p)
	if diff := cmp.Diff([]float64{0.9, 0.2, 0.1, 0.2, 0.2, 0.4, 0.4}, p); diff != "" {
		t.Errorf("SettleBlank differs:\n%s", diff)
	}
	tab.lines, p = tab.lines[1:3], []float64{0.7, 0.7}
	tab.SettleBlank(p)
	if diff := cmp.Diff([]float64{0, 0}, p); diff != "" {
		t.Errorf("SettleBlank of blank lines alone differs:\n%s", diff)
	}
}

const (
	passing = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n2026/01/20 ERROR error before init\n--- PASS: TestB (0.01s)\nPASS\nok  \tx/y\t0.1s"
	pytest  = "collected 12 items\n\ntests/test_a.py ..F.........  [100%]\n\n=== FAILURES ===\n    def test_a():\n>       assert f() == 2\nE       assert 1 == 2\n\ntests/test_a.py:3: AssertionError\n=== short test summary info ===\nFAILED tests/test_a.py::test_a - assert 1 == 2\n=== 1 failed, 11 passed in 0.12s ==="
)

func TestFailure(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	tests := []struct {
		name, tool, src string
		want            bool
	}{
		{"passing build", "Bash", "gcc -c a.c\ngcc -c b.c\ngcc -o prog a.o b.o\nBuild complete: 2 files, 0 warnings, 0 errors", false},
		{"passing tests that print an error", "Bash", passing, false},
		{"pytest all green", "Bash", "collected 12 items\n............ [100%]\n12 passed in 0.1s", false},
		{"cargo all green", "Bash", "test a ... ok\ntest error_is_kept ... ok\ntest result: ok. 2 passed; 0 failed; 0 ignored", false},
		{"a log with one error", "Bash", lines(50) + "[ERROR] retrying\n" + lines(50), false},
		{"listing", "Bash", "errors.go\nfail.go\nmain.go", false},
		{"source that speaks of errors", "Read", "func f() error {\n\treturn errors.New(\"Error: failed\")\n}\n// 3 errors are known\n", false},
		{"pytest with failures", "Bash", pytest, true},
		{"coloured pytest (B059)", "Bash", read("B059.txt"), true},
		{"redrawn progress (B061)", "Bash", read("B061.txt") + "\nExit code 1", true},
		{"go build fails", "Bash", "# x/y\n./a.go:3:2: undefined: foo\nFAIL\tx/y [build failed]\nFAIL", true},
		{"cargo build fails", "Bash", "error[E0308]: mismatched types\n --> src/main.rs:2:5\nerror: could not compile `x` (bin \"x\") due to 1 previous error", true},
		{"tsc fails", "Bash", "src/a.ts(3,5): error TS2322: Type 'string' is not assignable.\nFound 1 error in src/a.ts:3", true},
		{"exit code said", "Bash", "Exit code 2\nmake: *** [all] Error 2", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := score(t, ask("look at it", tt.tool, `{"command":"make"}`), tt.src).Failure
			if (got >= 0.5) != tt.want {
				t.Errorf("Failure = %v, want at least 0.5: %v", got, tt.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, src := range map[string]string{"many lines": lines(5000), "one line": strings.Repeat("word ", 50_000)} {
		if _, err := New().Score(ctx, prune.Query{}, text.Split(src)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: Score with a context that is done = %v", name, err)
		}
	}
}

func FuzzFeatures(f *testing.F) {
	f.Add("fix parseTimeout", `{"command":"go test"}`, passing)
	f.Add("fix it", `{}`, pytest)
	f.Add("", ``, "\x1b[31m\xff\xfe\r\n\n\t")
	f.Add("größe", `[1,"a"]`, strings.Repeat("aB1_", 50))
	f.Fuzz(func(t *testing.T, request, input, src string) {
		q, d := ask(request, "Bash", input), text.Split(src)
		a, err := NewTable(t.Context(), q, d)
		if err != nil {
			t.Fatal(err)
		}
		rows := append(a.Rows(0, a.Len(), nil), a.Doc()...)
		if len(rows) != a.Len()*LineDim+DocDim {
			t.Fatalf("%d features for %d lines", len(rows), a.Len())
		}
		for i, v := range rows {
			if !(-0.01 <= v && v <= 1.01) || math.IsNaN(float64(v)) {
				t.Fatalf("feature %s of row %d = %v, want 0..1", known.Lines[i%LineDim], i/LineDim, v)
			}
		}
		b, _ := NewTable(t.Context(), q, d)
		if !cmp.Equal(rows, append(b.Rows(0, b.Len(), nil), b.Doc()...)) {
			t.Fatal("features of one text differ")
		}
		for _, p := range score(t, q, src).Line {
			if p < 0 || p > 1 || p != Round(p) {
				t.Fatalf("score %v is no rounded probability", p)
			}
		}
	})
}

func BenchmarkScore(b *testing.B) {
	for _, kb := range []int{4, 25, 256} {
		b.Run(fmt.Sprintf("kb=%d", kb), func(b *testing.B) {
			src := strings.Repeat(lines(20)+pytest+"\n", kb)[:kb<<10]
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				score(b, ask("why does parseTimeout fail", "Bash", `{"command":"pytest"}`), src)
			}
		})
	}
}
