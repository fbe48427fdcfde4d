package logs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/compress"
	"winnow/internal/compress/compresstest"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// lines writes f(0) to f(n-1), a line each.
func lines(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i) + "\n")
	}
	return b.String()
}

// view shows what is left of a log: each cut as its digest in brackets.
func view(in compress.Input) string {
	in.Kind = detect.Log
	return compresstest.View(Editor{}, in)
}

const head, foot = "$ make all\nstart of the run\n", "end of the run\n"

func TestCuts(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"time stamps only", lines(38, func(i int) string { return fmt.Sprintf("2026-06-19T09:%02d:01Z INFO cache warm", i) }),
			"2026-06-19T09:00:01Z INFO cache warm\n[37 times the line above, 09:01:01 to 09:37:01]\n"},
		{"a silence", lines(20, func(i int) string { return fmt.Sprintf("09:00:%02d beat", i) }) + lines(20, func(i int) string { return fmt.Sprintf("09:07:%02d beat", i) }),
			"09:00:00 beat\n[18 times the line above, 09:00:01 to 09:00:18]\n09:00:19 beat\n09:07:00 beat\n[19 times the line above, 09:07:01 to 09:07:19]\n"},
		{"a CI run's fields stand before the time", lines(12, func(i int) string { return fmt.Sprintf("build\tRun make\t2026-06-19T09:00:%02d.123Z waiting", i) }),
			"build\tRun make\t2026-06-19T09:00:00.123Z waiting\n[11 times the line above, 09:00:01 to 09:00:11]\n"},
		{"ids differ", lines(14, func(i int) string { return fmt.Sprintf("served request id=%d from cache", i*7) }),
			"served request id=0 from cache\n[12 lines like the one above]\nserved request id=91 from cache\n"},
		{"results differ", lines(14, func(i int) string { return fmt.Sprintf("shard done, %d failed", i) }), lines(14, func(i int) string { return fmt.Sprintf("shard done, %d failed", i) })},
		{"percentages differ", lines(14, func(i int) string { return fmt.Sprintf("coverage of part is %d%%", i) }), lines(14, func(i int) string { return fmt.Sprintf("coverage of part is %d%%", i) })},
		{"values differ", lines(14, func(i int) string { return fmt.Sprintf("balance: %d", i*i) }), lines(14, func(i int) string { return fmt.Sprintf("balance: %d", i*i) })},
		{"a slow one among durations", lines(7, func(i int) string { return fmt.Sprintf("GET /x 200 in %d.2ms", i+1) }) + "GET /x 200 in 9100.2ms\n" + lines(7, func(i int) string { return fmt.Sprintf("GET /x 200 in %d.2ms", i+1) }),
			"GET /x 200 in 1.2ms\n[5 lines like the one above]\nGET /x 200 in 7.2ms\nGET /x 200 in 9100.2ms\n[lines 1-7 again]\n"},
		{"go tests", lines(13, func(i int) string {
			return fmt.Sprintf("=== RUN   TestA%d\n    a_test.go:%d: noted\n--- PASS: TestA%d (0.0%ds)", i, i, i, i%7)
		}) + "PASS\nok  \tshop/a\t0.4s\n", "[13 passed: TestA0 to TestA12]\nPASS\nok  \tshop/a\t0.4s\n"},
		{"a handful stays by name", lines(5, func(i int) string { return fmt.Sprintf("=== RUN   TestA%d\n--- PASS: TestA%d (0.00s)", i, i) }) + "PASS\nok  \tshop/a\t0.4s\n",
			lines(5, func(i int) string { return fmt.Sprintf("=== RUN   TestA%d\n--- PASS: TestA%d (0.00s)", i, i) }) + "PASS\nok  \tshop/a\t0.4s\n"},
		{"cargo compiles", head + lines(20, func(i int) string { return fmt.Sprintf("   Compiling part%d v0.1.%d", i, i) }) + foot, head + "[20 lines of progress: Compiling part0 v0.1.0]\n" + foot},
		{"a runner's name before it", head + lines(20, func(i int) string { return fmt.Sprintf("[build]    Compiling part%d v0.1.%d", i, i) }) + foot, head + "[20 lines of progress: [build]    Compiling part0 v0.1.0]\n" + foot},
		{"a block that stood before", head + strings.Repeat(lines(4, func(i int) string { return strings.Repeat(string(rune('a'+i)), 40) }), 3) + foot,
			head + lines(4, func(i int) string { return strings.Repeat(string(rune('a'+i)), 40) }) + "[lines 3-6, 3-6 again]\n" + foot},
		{"short texts stay", strings.Repeat("x\n", 5), strings.Repeat("x\n", 5)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, view(compress.Input{Text: tc.in})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestKindsOfSuccess(t *testing.T) {
	for name, line := range map[string]func(i int) string{
		"go":        func(i int) string { return fmt.Sprintf("--- PASS: TestA%d (0.0%ds)", i, i%9) },
		"pytest -v": func(i int) string { return fmt.Sprintf("tests/test_a.py::test_%d PASSED [ %2d%%]", i, i) },
		"pytest":    func(i int) string { return fmt.Sprintf("tests/test_%d.py %s [ %2d%%]", i, strings.Repeat(".", i+1), i) },
		"jest":      func(i int) string { return fmt.Sprintf("PASS src/a%d.test.ts (5.%d s)", i, i) },
		"vitest":    func(i int) string { return fmt.Sprintf(" ✓ src/a%d.test.ts (12 tests) 3%dms", i, i) },
		"cargo":     func(i int) string { return fmt.Sprintf("test order::tests::case_%d ... ok", i) },
		"unittest":  func(i int) string { return fmt.Sprintf("test_%d (tests.Order.test_%d) ... ok", i, i) },
		"maven": func(i int) string {
			return fmt.Sprintf("[INFO] Tests run: %d, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.0%d s -- in shop.Test%d", i+1, i, i)
		},
		"gradle": func(i int) string { return fmt.Sprintf("OrderTest > case%d() PASSED", i) },
		"ctest": func(i int) string {
			return fmt.Sprintf("%2d/40 Test #%d: case%d ..................   Passed    0.0%d sec", i, i, i, i%9)
		},
		"tap":     func(i int) string { return fmt.Sprintf("ok %d - case %d", i+1, i) },
		"bun":     func(i int) string { return fmt.Sprintf("(pass) order > case %d [0.%dms]", i, i) },
		"dotnet":  func(i int) string { return fmt.Sprintf("  Passed Shop.Tests.Case%d [%d ms]", i, i) },
		"gtest":   func(i int) string { return fmt.Sprintf("[       OK ] Order.Case%d (%d ms)", i, i) },
		"swift":   func(i int) string { return fmt.Sprintf("Test Case '-[Order case%d]' passed (0.00%d seconds).", i, i) },
		"phpunit": func(i int) string { return fmt.Sprintf(" ✔ Price of order %c", 'a'+i) },
		"deno":    func(i int) string { return fmt.Sprintf("price of order %d ... ok (%dms)", i, i) },
		"commit":  func(i int) string { return fmt.Sprintf("check number %d.................................Passed", i) },
	} {
		t.Run(name, func(t *testing.T) {
			in := head + lines(20, line) + "FAIL: the order was lost\n" + foot
			got := view(compress.Input{Text: in})
			if strings.Count(got, "\n") > 6 || !strings.Contains(got, "20 passed") {
				t.Errorf("not folded:\n%s", got)
			}
			if !strings.Contains(got, "\nFAIL: the order was lost\n") {
				t.Errorf("the failure is gone:\n%s", got)
			}
		})
	}
}

// A summary says how it went, whatever its numbers are: none of these lines may go.
func TestResultsStay(t *testing.T) {
	results := []string{
		"Tests: 0 failed, 12 passed, 12 total", "0 failed", "3 failed", "Tests run: 12, Failures: 0, Errors: 0, Skipped: 0", "test result: ok. 12 passed; 0 failed; 0 ignored",
		"--- FAIL: TestX (0.00s)", "--- SKIP: TestY (0.00s)", "not ok 3 - x", "ok 4 - x # TODO later", "✓ built in 3.21s", "✓ 12 modules transformed.", "✓ All checks passed",
		"FAIL src/a.test.ts", "test x ... FAILED", "test y ... ignored", "tests/a.py ..F.. [ 40%]", "TOTAL   120   4   96%", "ok  \tshop/order\t0.3s\tcoverage: 81.2% of statements",
		"OrderTest > a() FAILED", "1/4 Test #1: a ...***Failed    0.01 sec", "warning: unused variable: x", "Finished in 3.2 seconds",
	}
	pass := lines(16, func(i int) string { return fmt.Sprintf("--- PASS: TestA%d (0.00s)", i) })
	var b strings.Builder
	for _, r := range results {
		b.WriteString(pass + r + "\n")
	}
	got := view(compress.Input{Text: b.String() + pass})
	for _, r := range results {
		if !strings.Contains(got, "\n"+r+"\n") {
			t.Errorf("gone: %q", r)
		}
	}
}

func TestAskedFor(t *testing.T) {
	verbose := head + lines(20, func(i int) string { return fmt.Sprintf("test order::case_%d ... ok", i) }) + foot
	if got := view(compress.Input{Text: verbose, Command: "cargo test -- --verbose", Query: "show me the verbose list of tests"}); got != verbose {
		t.Errorf("a listing that was asked for is cut:\n%s", got)
	}
	if got := view(compress.Input{Text: verbose, Query: "does case_13 still pass?"}); !strings.Contains(got, "\ntest order::case_13 ... ok\n") {
		t.Errorf("the test that the task names is gone:\n%s", got)
	}
	table := "Name            Stmts   Miss  Cover   Missing\n" + lines(20, func(i int) string { return fmt.Sprintf("src/part%d.py     %d      0   100%%", i, 40+i) }) + "TOTAL            900      4    99%\n"
	if got := view(compress.Input{Text: table, Command: "pytest --cov=src"}); got != table {
		t.Errorf("a coverage table is cut:\n%s", got)
	}
	issue := lines(20, func(i int) string { return fmt.Sprintf("%d. When order %c is sent, the page must say so.", i, 'a'+i) })
	if got := view(compress.Input{Text: issue}); got != issue {
		t.Errorf("an issue's text is cut:\n%s", got)
	}
}

func TestStamp(t *testing.T) {
	for in, want := range map[string]string{
		"2026-02-19T20:01:45.512Z x": "x", "2026-02-19 20:01:45,512 x": "x", "[10:02:11] x": "x", "(10:02:11.5) x": "x", "Nov 30 10:00:00 x": "x",
		"[   12.345678] x": "x", "job\tstep\t2026-02-19T20:01:45+01:00 x": "x", "2026-02-19 x": "2026-02-19 x", "a.go:10:02: x": "a.go:10:02: x",
		"10:02 x": "10:02 x", "src/a.go:10:02:11 x": "src/a.go:10:02:11 x", "Mar x": "Mar x", "[1] x": "[1] x", "12:34:56:78 x": "12:34:56:78 x",
	} {
		if got := in[stamp(in):]; got != want {
			t.Errorf("behind the time of %q: %q, want %q", in, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"conn 10.0.0.1:8080 open", "conn 10.0.0.2:9090 open", true}, {"commit 3f2a9bc4", "commit 77ab01cd", true}, {"at 10:02:11", "at 11:59:00", true},
		{"[3/10] Linking a", "[4/10] Linking a", true}, {"worker-3 ready", "worker-4 ready", true}, {"pid=12 up", "pid=13 up", true}, {"0x7f12 freed", "0x88aa freed", true},
		{"0 failed", "3 failed", false}, {"took 3s", "took 30s", false}, {"took 3.1s", "took 4.9s", true}, {"5 passed in 3.1s", "5 passed in 4.9s", false},
		{"50%", "60%", false}, {"retries: 3", "retries: 4", false}, {"count=3", "count=4", false}, {"loss 0.31", "loss 0.29", false}, {"exit code 0", "exit code 1", false},
	} {
		a, _ := maskOf(tc.a)
		b, _ := maskOf(tc.b)
		if got := a == b; got != tc.same {
			t.Errorf("%q and %q are one form: %v, want %v", tc.a, tc.b, got, tc.same)
		}
	}
}

func TestFrames(t *testing.T) {
	stack := "Error: boom\n" + lines(3, func(i int) string { return fmt.Sprintf("    at mine%d (src/a.ts:%d:1)", i, i+1) }) +
		lines(12, func(i int) string { return fmt.Sprintf("    at lib%d (node_modules/x/y.js:%d:1)", i, i+1) }) + "    at main (src/main.ts:9:1)\n"
	want := "Error: boom\n" + lines(3, func(i int) string { return fmt.Sprintf("    at mine%d (src/a.ts:%d:1)", i, i+1) }) + "[12 library frames]\n    at main (src/main.ts:9:1)\n"
	if diff := cmp.Diff(want, view(compress.Input{Text: stack})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestScreen(t *testing.T) {
	bar := lines(1, func(int) string {
		var b strings.Builder
		for i := range 50 {
			fmt.Fprintf(&b, "\rfetching %d of 50", i+1)
		}
		return b.String()
	})
	for _, tc := range []struct{ name, in, want string }{
		{"progress", bar, "fetching 50 of 50\n"},
		{"an error that was written over", strings.TrimSuffix(bar, "\n") + "\rerror: disk is full\r\x1b[2Kdone\n", "error: disk is full\ndone\n"},
		{"colours", strings.Repeat("\x1b[31;1mred\x1b[0m and \x1b[32mgreen\x1b[0m\n", 9), strings.Repeat("red and green\n", 9)},
		{"backspaces", strings.Repeat("a\b", 120) + "z\n", "z\n"},
		{"bytes that are no text", "\xff\xfe" + strings.Repeat("\x1b[0m", 60) + "\xf0\n", "\xff\xfe\xf0\n"},
		{"line ends stay", strings.Repeat("\x1b[0m", 60) + "a\r\nb\r\n", "a\r\nb\r\n"},
	} {
		got, ok := Screen{}.Sample(compress.Input{Text: tc.in}, "TAG")
		if want := tc.want + screenNote + "TAG]"; !ok || got != want {
			t.Errorf("%s: Sample = %q, %v, want %q", tc.name, got, ok, want)
		}
	}
	for _, in := range []string{"", "plain\n", strings.Repeat("a\r\n", 99), "\x1b[1mshort\x1b[0m\n", strings.Repeat("\x1b[0m", 99) + " TAG"} {
		if got, ok := (Screen{}).Sample(compress.Input{Text: in}, "TAG"); ok {
			t.Errorf("Sample(%.20q) = %q", in, got)
		}
	}
}

func TestLinear(t *testing.T) {
	for name, f := range map[string]func(n int) string{
		"blank": func(n int) string { return strings.Repeat("\n", n) }, "two": func(n int) string { return strings.Repeat("a\n\n", n/2) },
		"three": func(n int) string { return strings.Repeat("aa\nbb\n\n\n\n\ncc\n", n/7) }, "frames": func(n int) string { return strings.Repeat("    at a (b:1)\n", n) },
	} {
		ops := func(n int) float64 {
			d := text.Split(f(n))
			p := newPass(compress.Input{Text: d.Src}, d)
			p.cuts()
			return float64(p.ops) / float64(d.Len())
		}
		if small, large := ops(1000), ops(32000); large > small+2 || large > 110 {
			t.Errorf("%s: %.1f steps a line for 1,000 lines, %.1f for 32,000", name, small, large)
		}
	}
}

func FuzzScreen(f *testing.F) {
	f.Add("a\rb\x1b[2Kc\b\n\x1b[31m\xff")
	f.Add(strings.Repeat("\rx 10%", 40) + "\rfailed\rok\n")
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := Screen{}.Sample(compress.Input{Text: s}, "TAG")
		if !ok {
			return
		}
		if len(got) > len(s) || strings.Count(got, "TAG") != 1 || strings.Count(got, "\x1b") > strings.Count(s, "\x1b") {
			t.Errorf("Sample(%q) = %q", s, got)
		}
		if again, ok := (Screen{}).Sample(compress.Input{Text: got}, "GAT"); ok && len(again) > len(got) {
			t.Errorf("twice: %q", again)
		}
	})
}

func BenchmarkCuts(b *testing.B) {
	service := lines(20000, func(i int) string {
		return fmt.Sprintf("2026-06-19T21:04:%02dZ INFO request %d served in %d ms", i/7%60, i, i*i%97)
	})
	for name, s := range map[string]string{"service": service, "tests": lines(20000, func(i int) string { return fmt.Sprintf("--- PASS: TestOrder%d (0.00s)", i) })} {
		b.Run("kind="+name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Editor{}.Cuts(compress.Input{Text: s, Kind: detect.Log})
			}
		})
	}
}
