package prune

import (
	"context"
	"slices"
	"strings"
	"testing"
)

type blockCase struct{ name, block string }

func allBlocks() []blockCase { return slices.Concat(wholeBlocks, diagnosticBlocks) }

// Blocks that must survive whole between lines that nobody needs, whatever
// the judge says.
var wholeBlocks = []blockCase{
	{"python", `Traceback (most recent call last):
  File "/app/run.py", line 12, in <module>
    main()
  File "/app/run.py", line 8, in main
    total = add(rows)
            ^^^^^^^^^
  [Previous line repeated 996 more times]
KeyError: 'sku'`},
	{"python, chained", `Traceback (most recent call last):
  File "/app/a.py", line 1, in f
    x()
ValueError: first

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/a.py", line 9, in g
    y()
shop.SyncStopped: second
  with a second line of its message`},
	{"python, cause", `Traceback (most recent call last):
  File "/app/a.py", line 1, in f
    x()
OSError: first

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/a.py", line 9, in g
    y()
Gone: second`},
	{"python, group", `  + Exception Group Traceback (most recent call last):
  |   File "/app/a.py", line 1, in f
  |     raise eg
  | ExceptionGroup: two (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/app/a.py", line 3, in h
    |     one()
    | Odd: 1
    +---------------- 2 ----------------
    | Even: 2
    +------------------------------------`},
	{"python, behind a log's prefix", `2026-01-02 10:00:00 worker[3]: Traceback (most recent call last):
  File "/app/a.py", line 1, in f
    x()
  File "/app/a.py", line 2, in g
    y()
Gone: away`},
	{"python, indented", `    Traceback (most recent call last):
      File "/app/a.py", line 1, in f
        x()
      File "/app/a.py", line 2, in g
        y()
    Gone: away`},
	{"go panic", `panic: runtime error: index out of range [3] with length 3 [recovered]
	panic: runtime error: index out of range [3] with length 3

goroutine 7 [running]:
testing.tRunner.func1.2({0x5042e0, 0xc000014108})
	/usr/local/go/src/testing/testing.go:1631 +0x24a
example.com/shop.total(...)
	/home/dev/shop/total.go:12

goroutine 1 [chan receive, 2 minutes]:
main.main()
	/home/dev/shop/main.go:30 +0x1a`},
	{"go test", `--- FAIL: TestTotal (0.01s)
    --- FAIL: TestTotal/eu (0.00s)
        total_test.go:31: 
            	Want:     12.40
            	Have:     12.4
        total_test.go:32: second
            line of the message`},
	{"go test -v, logged before", `=== RUN   TestTotal
    total_test.go:20: rates loaded
    total_test.go:21: customer 7
    total_test.go:22: country DE
    total_test.go:23: net 10.00
--- FAIL: TestTotal (0.01s)`},
	{"go test -v, its beginning cut off", `    total_test.go:20: rates loaded
    total_test.go:21: customer 7
    total_test.go:22: country DE
    total_test.go:23: net 10.00
--- FAIL: TestTotal (0.01s)`},
	{"go data race", `WARNING: DATA RACE
Write at 0x00c00001c0f8 by goroutine 8:
  example.com/shop.inc()
      /home/dev/shop/inc.go:5 +0x44

Previous read at 0x00c00001c0f8 by goroutine 7:
  example.com/shop.get()
      /home/dev/shop/get.go:9 +0x3a
==================`},
	{"rust panic", `thread 'main' panicked at src/main.rs:4:5:
called ` + "`Option::unwrap()`" + ` on a ` + "`None`" + ` value
stack backtrace:
   0: rust_begin_unwind
             at /rustc/abc/library/std/src/panicking.rs:647:5
   1: core::panicking::panic_fmt
             at /rustc/abc/library/core/src/panicking.rs:72:14
   2: shop::main
             at ./src/main.rs:4:5
note: Some details are left out, run with RUST_BACKTRACE=full for more.`},
	{"rust compiler", `error[E0425]: cannot find value ` + "`totl`" + ` in this scope
  --> src/main.rs:4:20
   |
 3 |     let total = 1;
   |         ----- this one?
 4 |     println!("{}", totl);
   |                    ^^^^ help: a local variable exists: ` + "`total`" + `
   |
   = note: see the book`},
	{"cargo test", `---- tests::rounds stdout ----
rate = 0.19
customer = 7
assertion ` + "`left == right`" + ` is not met
  left: 12
 right: 13
seen at the end
`},
	{"java", `Exception in thread "main" java.lang.IllegalStateException: no rates
	at com.shop.Tax.rate(Tax.java:31)
	at com.shop.Tax.total(Tax.java:12)
	at java.base/java.lang.Thread.run(Thread.java:833)
Caused by: java.io.IOException: rates.csv
	at com.shop.Rates.read(Rates.java:7) ~[shop.jar:1.2]
	at com.shop.Rates.<init>(Rates.java:3)
	... 3 more
	Suppressed: java.lang.Exception: close
		at com.shop.Rates.close(Rates.java:40)
		... 4 more`},
	{"a trace without a failure word", `com.shop.Gone: away
of a message in two lines
	at com.shop.Tax.rate(Tax.java:31)
	at com.shop.Tax.total(Tax.java:12)
	at com.shop.Main.run(Main.java:3)
	at com.shop.Main.main(Main.java:1)`},
	{"node", `/home/dev/shop/index.js:3
    throw new TypeError('x')
    ^

TypeError: x
    at total (/home/dev/shop/index.js:3:11)
    at Object.<anonymous> (/home/dev/shop/index.js:9:1)
    at async Promise.all (index 0)
    at node:internal/main/run_main_module:23:47 {
  code: 'ENOENT',
  path: '/x'
}`},
	{"dotnet", `Unhandled exception. System.InvalidOperationException: no rates
 ---> System.IO.FileNotFoundException: rates.csv
   at Shop.Rates.Read(String path) in /home/dev/shop/Rates.cs:line 7
   --- End of inner exception stack trace ---
   at Shop.Tax.Total(Order o) in /home/dev/shop/Tax.cs:line 12
   at Shop.Program.Main(String[] args) in /home/dev/shop/Program.cs:line 3`},
	{"ruby", `app/tax.rb:7:in ` + "`rate'" + `: no rates (Gone)
	from app/tax.rb:12:in ` + "`block in total'" + `
	from app/tax.rb:12:in ` + "`each'" + `
	from app/tax.rb:12:in ` + "`total'" + `
	from app/main.rb:3:in ` + "`<main>'"},
	{"php", `PHP Fatal error:  Uncaught Gone: away in /app/x.php:3
Stack trace:
#0 /app/x.php(9): rate()
#1 /app/y.php(12): total(Array)
#2 /app/z.php(15): run()
#3 /app/z.php(19): run()
#4 {main}
  thrown in /app/x.php on line 3`},
	{"gdb", `Program received signal SIGSEGV, Segmentation fault.
#0  0x0000555555555131 in rate (o=0x0) at tax.c:7
#1  0x0000555555555155 in total () at tax.c:12
#2  0x0000555555555155 in each () at tax.c:22
#3  0x0000555555555155 in all () at tax.c:32
#4  0x0000555555555169 in main () at main.c:3`},
	{"elixir", `** (RuntimeError) no rates
    (shop 0.1.0) lib/tax.ex:7: Shop.Tax.rate/1
    (shop 0.1.0) lib/tax.ex:12: Shop.Tax.total/1
    (elixir 1.15.0) lib/enum.ex:1: Enum.map/2
    (stdlib 5.0) erl_eval.erl:1: :erl_eval.do_apply/7`},
	{"gcc", `src/tax.c: In function 'rate':
src/tax.c:7:12: error: 'totl' undeclared (first use in this function)
    7 |     return totl;
      |            ^~~~
      |            total
src/tax.c:7:12: note: each undeclared identifier is reported only once
compilation terminated.`},
	{"tsc", `src/tax.ts(7,5): error TS2322: Type 'string' is not assignable to type 'number'.
  Types of property 'rate' are incompatible.
    Type 'string' is not assignable to type 'number'.
      The expected type comes from property 'rate'
        which is declared here on type 'Tax'`},
	{"pytest", `=================================== FAILURES ===================================
______________________________ test_total[eu-19] _______________________________

    def test_total(rate):
        order = make()
        order.add(7)
        order.add(8)
>       assert order.total() == 12.40
E       assert 12.4 == 12.40
E        +  where 12.4 = total()

tests/test_pay.py:21: in check
    order.check()
----------------------------- Captured stdout call -----------------------------
first captured line`},
	{"playwright", `  1) [chromium] › pay.spec.ts:21:3 › pay › shows receipt ──────

    Error: Timed out 5000ms waiting for expect(locator).toHaveText(expected)

    Locator: getByTestId('receipt-total')
    Expected string: "EUR 12.40"
    Received string: "EUR 12.4"
    Call log:
      - waiting for getByTestId('receipt-total')

      19 |   await page.click();
    > 21 |   await expect(page).toHaveText('EUR 12.40');
         |                      ^
        at /home/dev/shop/e2e/pay.spec.ts:21:51`},
	{"jest", `  ● tax › rounds half to even

    expect(received).toBe(expected) // Object.is equality

    Want: 12
    Have: 13

      19 |   const t = total();
    > 21 |   expect(t).toBe(12);
         |             ^

      at Object.toBe (src/tax.test.ts:21:13)`},
	{"mocha", `  1) tax
       rounds half to even:

      AssertionError [ERR_ASSERTION]: 13 == 12
      + expected - actual

      -13
      +12

      at Context.<anonymous> (test/tax.js:7:10)`},
	{"rspec", `  1) Tax rounds half to even
     Failure/Error: expect(total).to eq(12)

       want: 12
        got: 13

       (compared using ==)
     # ./spec/tax_spec.rb:7:in ` + "`block (2 levels) in <top (required)>'"},
	{"vitest", `⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/tax.test.ts > rounds
AssertionError: expected 13 to be 12

- Want
+ Have

- 12
+ 13

 ❯ src/tax.test.ts:7:15
      5|   const t = total()
      6|
      7|   expect(t).toBe(12)
       |             ^

⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯

 Test Files  1 failed | 55 passed (56)`},
	{"image build", `------
 > [2/3] RUN apk add --no-cache git:
0.512 fetch index
0.913 git: unable to select
------
Dockerfile:32
--------------------
  30 |     LABEL a=b
  31 |
  32 | >>> RUN apk add --no-cache git
  33 |
  34 |     # and on
--------------------
ERROR: failed to solve: process "/bin/sh -c apk add" did not complete`},
	{"reminder", `<system-reminder>
The file was changed by the user since you read it.
Do not mention this.

Take it into account.
It has several lines.
</system-reminder>`},
	{"persisted output", `<persisted-output>
Output too large (175.8KB). Full output saved to: /home/dev/.claude/projects/p/s/tool-results/x.txt

Preview (first 2KB):
a
b
c
d
...
</persisted-output>`},
	{"diff", `diff --git a/conf.py b/conf.py
index 123..456 100644
--- a/conf.py
+++ b/conf.py
@@ -10,6 +10,6 @@ class Conf:
 option_01 = 1
 # timeout in SECONDS, not ms
-timeout = 30
+timeout = 30000
 retries = 2
 backoff = 5`},
}

func TestWholeBlocks(t *testing.T) {
	p := New(Fake{}, Options{AllowNothing: true})
	for _, tc := range allBlocks() {
		for _, form := range []struct {
			name string
			wrap func(string) string
		}{
			{"plain", func(s string) string { return s }},
			{"coloured", func(s string) string {
				return "\x1b[31m" + strings.ReplaceAll(s, "\n", "\x1b[0m\n\x1b[31m") + "\x1b[0m"
			}},
			{"crlf", func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") + "\r" }},
			{"through CI", func(s string) string { return before("e2e\tRun tests\t2026-02-19T20:01:45.5126232Z ", s) }},
			{"through compose", func(s string) string { return before("web-1  | ", s) }},
		} {
			t.Run(tc.name+"/"+form.name, func(t *testing.T) {
				block := form.wrap(tc.block)
				filler := strings.TrimSuffix(rows(40), "\n")
				if strings.HasPrefix(form.name, "through") {
					filler = form.wrap(filler)
				}
				in := plain()
				in.Text = filler + "\n\n" + block + "\n\n" + filler + "\n"
				res := p.Prune(context.Background(), in)
				checkResult(t, in, res)
				if res.Reason != Pruned {
					t.Fatalf("reason = %q", res.Reason)
				}
				if !strings.Contains(res.Text, block) {
					t.Errorf("the block is not whole in\n%s", res.Text)
				}
			})
		}
	}
}

// before puts a prefix before each line.
func before(prefix, s string) string { return prefix + strings.ReplaceAll(s, "\n", "\n"+prefix) }

func TestStamp(t *testing.T) {
	for line, want := range map[string]string{
		"2026-02-19T20:01:45.5126232Z   at x":        "  at x",
		"2026-02-19 20:01:45,512 x":                  "x",
		"2026-02-19T20:01:45+02:00 x":                "x",
		"job\tstep\t2026-02-19T20:01:45Z x":          "x",
		"job\t\ufeff2026-02-19T20:01:45Z x":          "x",
		"web-1  | x":                                 "x",
		"web-1  |x":                                  "web-1  |x",
		"   12 | x":                                  "   12 | x",
		"a\tb\tc\td":                                 "a\tb\tc\td",
		"2026-02-19 is a day, 20:01:45 a time of it": "2026-02-19 is a day, 20:01:45 a time of it",
		"": "",
	} {
		if got := line[max(timed(line), container(line)):]; got != want {
			t.Errorf("the stamp of %q leaves %q, want %q", line, got, want)
		}
	}
}

// Single lines and what stays with them.
func TestProtectedLines(t *testing.T) {
	for _, tc := range []struct{ name, line string }{
		{"error", "the totals have an error in row 3"},
		{"any case", "FATAL: no rates"},
		{"inside a word", "AssertionError"},
		{"exit code", "process ended with exit code 3"},
		{"exit status", "exit status 1"},
		{"panic", "kernel panic - not syncing"},
		{"split by colours", "1 fai\x1b[0m\x1b[31mled"},
		{"between carriage returns", "10%\r20% failed, retrying\r30%\r40%"},
		{"cross", "  ✘  48 pay.spec.ts"},
		{"times sign of vitest", " × shows receipt"},
		{"TAP", "not ok 3 - rounds"},
		{"pods", "pay-000   0/1   CrashLoopBackOff   400"},
		{"few warnings", "WARN queue 'returns' drained by fallback consumer"},
		{"truncation", "[... 340 lines truncated ...]"},
		{"omission", "... (34 lines omitted)"},
		{"more lines", "(272 more lines above)"},
		{"pagination", "[Showing results with pagination = limit: 250]"},
		{"too large", "Output too large (175.8KB). Full output saved to: /x/y.txt"},
		{"limited listing", "(Showing 100 of 130 matching files; 30 more are not listed.)"},
		{"replacement character", "ver\uFFFDndert"},
		{"pytest detail", "E       12.4 != 12.40"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Text = rows(40) + tc.line + "\n" + rows(40)
			res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			if res.Reason != Pruned || !strings.Contains(res.Text, "\n"+tc.line+"\n") {
				t.Errorf("%q is hidden (reason %q) in\n%s", tc.line, res.Reason, res.Text)
			}
		})
	}
}

// What the rules must leave to the judge, or little could ever be hidden.
func TestUnprotected(t *testing.T) {
	for _, tc := range []struct {
		name string
		tool Tool
		text string
	}{
		{"a source file that speaks of errors", call("Read", `{"file_path":"/p/a.go"}`),
			numbered("package a\n\n" + strings.Repeat("func f() error {\n\tif failed {\n\t\tpanic(\"fatal exception\")\n\t}\n\treturn nil\n}\n\n", 30))},
		{"hits in source files", call("Grep", `{"pattern":"err","output_mode":"content"}`),
			strings.Repeat("a/b.go:12:\treturn fmt.Errorf(\"failed: %w\", err)\n", 60)},
		{"a numbered list", call("Bash", `{"command":"cat notes.txt"}`),
			strings.Repeat("  1) first do this\n     and then that, at the end (of the day)\n", 40)},
		{"many warnings", call("Bash", `{"command":"npm ci"}`), strings.Repeat("npm warn deprecated glob@7: use another\n", 80)},
		{"counts beside each file", call("Bash", `{"command":"npx vitest"}`), strings.Repeat(" ✓ src/a.test.ts (4 tests) 9ms\n", 80)},
		{"a table", call("Bash", `{"command":"ls"}`), rows(100)},
		{"a new file in a diff", call("Bash", `{"command":"git diff"}`),
			"diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,90 @@\n" + strings.Repeat("+one more line of the new file\n", 90)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Tool, in.Text = tc.tool, tc.text
			res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			if res.Reason != Pruned || len(res.Text) > len(in.Text)/2 {
				t.Errorf("reason %q, %d of %d bytes left:\n%s", res.Reason, len(res.Text), len(in.Text), res.Text)
			}
		})
	}
}

// The exemption is for source code by name and by content, and not for what a
// host or another tool says about the file.
func TestExemption(t *testing.T) {
	code := "package a\n\n" + strings.Repeat("func f() error {\n\treturn errors.New(\"failed\")\n}\n\n", 40)
	log := strings.Repeat("2026-01-02 10:00:00 INFO row of a log that nobody reads\n", 60)
	for _, tc := range []struct {
		name, input, text, want string
	}{
		{"a log named like source", `{"file_path":"/p/a.go"}`, log + "2026-01-02 10:00:00 request failed\n" + log, "request failed"},
		{"source without a name", `{"file_path":"/p/a.txt"}`, code, `errors.New("failed")`},
		{"a reminder after source", `{"file_path":"/p/a.go"}`, code, "mind the gap"},
		{"a notice in source", `{"file_path":"/p/a.go"}`, code + "// [120 lines truncated]\n" + code, "120 lines truncated"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Tool = call("Read", tc.input)
			in.Text = numbered(tc.text) + "\n\n<system-reminder>\nan error happened: mind the gap\nand more\nand more\n</system-reminder>\n"
			res := New(Fake{}, Options{AllowNothing: true, MinSaving: 0.01}).Prune(context.Background(), in)
			checkResult(t, in, res)
			if !strings.Contains(res.Text, tc.want) {
				t.Errorf("%q is hidden in\n%s", tc.want, res.Text)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	end := "\n Test Files  55 passed (55)\n      Tests  261 passed (261)\n   Start at  10:02:11\n   Duration  4.02s\nlast but one\nlast\n"
	in := plain()
	in.Text = strings.Repeat(" ✓ src/a.test.ts (4 tests) 9ms\n", 80) + end
	res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
	checkResult(t, in, res)
	if !strings.HasSuffix(res.Text, strings.TrimPrefix(end, "\n")) {
		t.Errorf("the summary is hidden in\n%s", res.Text)
	}
	for line, want := range map[string]bool{
		"3 failed, 1920 passed in 9.31s":             true,
		"Tests run: 4, Skipped: 0":                   true,
		"2 files changed, 3 insertions(+)":           true,
		"Tests:       1 passed":                      true,
		"0 errors":                                   true,
		"found 3 high vulnerabilities":               true,
		"errors are listed below":                    false,
		" create mode 100644 tests/a.py":             false,
		" create mode 100644 tests.d/x":              false,
		"ran 12 tests.":                              true,
		"10:02:11 started":                           false,
		"see chapter 3 on how the tests were passed": false,
	} {
		if got := isCount(line); got != want {
			t.Errorf("isCount(%q) = %v, want %v", line, got, want)
		}
	}
	for line, want := range map[string]bool{
		"ok  \texample.com/shop\t0.1s": true, "BUILD SUCCESS": true, "[OK]": true, "Finished dev profile": true,
		"[INFO] BUILD SUCCESS": true, "ESM ⚡️ Build success in 80ms": true, "added 300 packages in 4s": true, "[INFO] building": false,
		"nothing to commit, working tree clean": true, "okay then": false, "passing by": false, "": false,
	} {
		if got := isVerdict(line); got != want {
			t.Errorf("isVerdict(%q) = %v, want %v", line, got, want)
		}
	}
}

// Totals and verdicts that other lines follow, each between lines that nobody
// needs.
func TestSummaryAboveMore(t *testing.T) {
	filler := strings.Repeat("copying one more of very many files into the cache folder\n", 60)
	for name, c := range map[string]struct{ before, line, after string }{
		"git pull with new files": {"", " 60 files changed, 1830 insertions(+), 12 deletions(-)",
			strings.Repeat(" create mode 100644 tests/fixtures/a.py\n", 40)},
		"git show --stat -p": {"", " 1 file changed, 3 insertions(+)", filler + filler + filler},
		"maven": {"[INFO] ------------------------------------------------------------------------\n", "[INFO] BUILD SUCCESS",
			"[INFO] ------------------------------------------------------------------------\n[INFO] Total time:  4.1 s\n[INFO] Finished at: 2026-01-02T10:00:00Z\n[INFO] ---\n"},
		"npm": {"", "added 300 packages, changed 2 packages, and audited 301 packages in 4s",
			"\n3 vulnerabilities (1 low, 2 high)\n\nTo address all issues, run:\n  npm audit fix\n\nRun the audit command for details.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			in := plain()
			in.Text = filler + c.before + c.line + "\n" + c.after + "last but one\nlast\n"
			res := New(Fake{}, Options{AllowNothing: true}).Prune(t.Context(), in)
			checkResult(t, in, res)
			if !strings.Contains(res.Text, c.line+"\n") {
				t.Errorf("hidden: %s", c.line)
			}
		})
	}
}

// A log with a total a commit is a listing: its last total is the summary.
func TestSummaryOfManyTotals(t *testing.T) {
	in := plain()
	in.Text = strings.Repeat("commit of some day\n\n    words about what was done and for whom\n\n src/a.go | 3 +++\n 1 file changed, 3 insertions(+)\n\n", 40)
	res := New(Fake{}, Options{AllowNothing: true}).Prune(t.Context(), in)
	checkResult(t, in, res)
	if n := strings.Count(res.Text, "1 file changed"); n == 0 || n > 6 {
		t.Errorf("%d of 40 totals kept, want the last few", n)
	}
}

func TestHints(t *testing.T) {
	for s, want := range map[string]hint{
		"":                        0,
		"all fine":                0,
		"Failover is on":          0,
		"it FAILS":                hintFailure,
		"stderr":                  0,
		"TypeError":               hintFailure,
		"traceback":               hintFailure | hintTrace,
		"12 lines omitted":        hintNotice,
		"warning: unused":         hintWarn,
		"forewarned":              0,
		"error: output truncated": hintFailure | hintNotice,
		"✗":                       hintFailure,
		"❌":                       hintFailure,
		"✓":                       0,
		"e":                       0,
		"erro":                    0,
		"äerror":                  hintFailure,
	} {
		if got := hints(s); got != want {
			t.Errorf("hints(%q) = %b, want %b", s, got, want)
		}
	}
}
