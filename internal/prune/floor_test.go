package prune

import (
	"context"
	"strings"
	"testing"
)

// Lines that a person would call an error message.
func TestShellFailures(t *testing.T) {
	for _, line := range []string{
		"npm ERR! code ELIFECYCLE", "ERR! missing script", "[ERR] no rates", "[ERROR] no rates", "E/Rates(123): none",
		"CRITICAL rates are gone", "SEVERE: rates", "EMERG rates", "ALERT rates", "  ✕ rounds half to even", "rates: NOK",
		"not ok 3 - rounds", "open rates.csv: EACCES", "ENOENT rates.csv", "connect ECONNREFUSED 127.0.0.1:80", "ETIMEDOUT",
		"rates.csv: Permission denied", "Access is denied.", "ls: cannot open directory 'rates'", "No space left on device",
		"bind: Address already in use", "write: Broken pipe", "dial: Connection refused", "dial timed out", "context deadline exceeded",
		"context canceled", "command returned non-zero exit status", "rc=1", "Process finished with code 1", "rates is not defined",
		"rates.map is not a function", "tax.o: undefined reference to `rate'", "checksum mismatch", "no tests ran in 0.01s",
		"double free or corruption (out)", "*** stack smashing detected ***", "==7==AddressSanitizer: heap-use-after-free",
		"kernel BUG at mm/slab.c:3", "Oops: 0000 [#1]", "rates[7]: segfault at 0", "HTTP/1.1 503 Service Unavailable",
		"GET /rates status=500", "the server returned 404", `"GET /rates HTTP/1.1" 502 12`, "statusCode: 404", "403 Forbidden",
		"[1]+  Exit 1   make", "EXIT=2", "....F.E..", "tests/test_tax.py ..F.s. [ 10%]", "unknown flag: --rate",
	} {
		t.Run(line, func(t *testing.T) { pruneKeeps(t, rows(40)+line+"\n"+rows(40), "\n"+line+"\n") })
	}
}

// What only looks like one.
func TestNoShellFailures(t *testing.T) {
	for _, line := range []string{
		"rc=0", "status=200", "status: 500ms", "HTTP/1.1 200 OK", "503 rows", "returned 12 rows", "exit 1", "exited 0", "EXIT=0",
		"critical path", "alert the reader", "severe weather", "he denied it", "one cannot know", "code 404", "E/x", "a/E/Rates: x",
		"interrupt", "version 1.503", "....", "tests/test_tax.py .... [ 10%]", "FFES", "stderr", "timeout 30", "10 is not iterably nice",
	} {
		h := hints(line)
		if h&(hintFailure|hintShell) != 0 || logcat(line) || testSigns(line) {
			t.Errorf("%q is taken for a failure: %b", line, h)
		}
	}
}

// The words of a shell's output are no failures in a search's hits in source,
// nor in a file that is read.
func TestShellWordsElsewhere(t *testing.T) {
	hit := "src/tax.go:12:\treturn errs.New(\"rates: access is denied\")\n"
	for _, tc := range []struct {
		name string
		tool Tool
		text string
	}{
		{"hits", call("Bash", `{"command":"rg -n denied"}`), strings.Repeat(hit, 60)},
		{"a file", call("Read", `{"file_path":"/p/notes.txt"}`), strings.Repeat("where access is denied, the reader waits\n", 80)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Tool, in.Text = tc.tool, tc.text
			res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			if res.Reason != Pruned || len(res.Text) > len(in.Text)/2 {
				t.Errorf("reason %q, %d of %d bytes left", res.Reason, len(res.Text), len(in.Text))
			}
		})
	}
}

func TestNotices(t *testing.T) {
	long := strings.Repeat("the table goes on ", 30)
	for _, line := range []string{
		long + "…46359 tokens truncated…" + long, long + "[... 31234 characters truncated ...]", "[truncated 3000 lines] " + long,
		"Rest of the log was truncated.", "[... 13 lines elided ...]", "… +42 lines (ctrl+o to expand)", "[200 lines not shown]",
		"Page 1 of 7", "(output limited to 500 rows)", "... and 500 more", "and 12 others", "(1 more page)", "<snip>", "--More--",
	} {
		t.Run(line[:min(len(line), 30)], func(t *testing.T) { pruneKeeps(t, rows(60)+line+"\n"+rows(60), "\n"+line+"\n") })
	}
	for _, line := range []string{
		long + "the list is truncated here and there, in 3 places" + long, `{"a":[1,2],"truncated":false,"n":3}` + long, "nothing was cut",
		"page of 7", "3 lines", "(4 tests)", "...args", "+ 3 of them", "and 12 rows",
	} {
		if hints(line)&hintNotice != 0 && isNotice(line, false) || rest(line) {
			t.Errorf("%.60q is taken for a notice", line)
		}
	}
	pruneKeeps(t, rows(40)+"<system-reminder type=\"x\">\n"+deep("", 9)+"\n</system-reminder>\n"+rows(40),
		"<system-reminder type=\"x\">\n"+deep("", 9)+"\n</system-reminder>\n")
}

// What ran after the tests counts too; the tests' own counts win.
func TestFinalCounts(t *testing.T) {
	counts := "\nRan 12 tests in 3s\n\nOK: 12 passed, 0 skipped\n"
	for _, tc := range []struct{ name, after string }{
		{"incidental counts", strings.Repeat("coverage 3: 3 tests\n", 40)},
		{"a long way behind", rows(300)},
	} {
		t.Run(tc.name, func(t *testing.T) { pruneKeeps(t, rows(100)+counts+tc.after, counts) })
	}
	end := "\nBUILD SUCCESSFUL in 3s\n" + deep("", 20) + "\nall checks are done\n" + deep("", 20) + "\nDone in 4s\n"
	in := plain()
	in.Text = rows(200) + end + rows(20)
	res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
	for _, s := range []string{"\nBUILD SUCCESSFUL in 3s\n", "\nall checks are done\n", "\nDone in 4s\n"} {
		if !strings.Contains(res.Text, s) {
			t.Errorf("the verdict %q is hidden in\n%s", s, res.Text)
		}
	}
	for line, want := range map[string][2]any{
		"12 passed, 0 skipped": {2, true}, "coverage 3: 3 tests": {1, false}, "  3:5  warning  x": {0, false}, "Tests: 3, Assertions: 5": {2, false},
	} {
		if n, judged := countsIn(line); n != want[0] || judged != want[1] {
			t.Errorf("countsIn(%q) = %d, %v, want %v", line, n, judged, want)
		}
	}
}

func TestConflicts(t *testing.T) {
	block := "<<<<<<< HEAD\n\trate := 19\n\tnet := 3\n\tx := 4\n\ty := 5\n||||||| base\n\trate := 18\n=======\n\trate := 20\n\tnet := 4\n\tx := 5\n\ty := 6\n>>>>>>> topic"
	code := "package a\n\n" + strings.Repeat("func f() int {\n\treturn 3\n}\n\n", 40)
	for _, tc := range []struct {
		name string
		tool Tool
		text string
		want []string
	}{
		{"in source", call("Read", `{"file_path":"/p/a.go"}`), code + block + "\n" + code, []string{block}},
		{"in output", call("Bash", `{"command":"cat a.go"}`), rows(60) + block + "\n" + rows(60), []string{block}},
		{"in a merge's diff", call("Bash", `{"command":"git diff"}`), rows(60) + before("++", block) + "\n" + rows(60), []string{before("++", block)}},
		{"hits", call("Grep", `{"pattern":"x","output_mode":"content"}`),
			strings.Repeat("a.go:3:\tx := 3\n", 60) + "a.go:9:<<<<<<< HEAD\n" + strings.Repeat("a.go:3:\tx := 3\n", 60), []string{"a.go:9:<<<<<<< HEAD"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Tool, in.Text = tc.tool, tc.text
			res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			for _, s := range tc.want {
				if res.Reason != Pruned || !strings.Contains(res.Text, s) {
					t.Errorf("reason %q: %q is hidden in\n%s", res.Reason, s, res.Text)
				}
			}
		})
	}
	for line, want := range map[string]byte{
		"<<<<<<< HEAD": '<', ">>>>>>> x": '>', "=======": '=', "||||||| base": '|', "++=======": '=', "========": 0, "<<<<<<<": 0, "<<<<<<<x": 0, "": 0,
	} {
		if got := conflictSign(line, false); got != want {
			t.Errorf("conflictSign(%q) = %q, want %q", line, got, want)
		}
	}
}

func TestWordGroups(t *testing.T) {
	if len(groups) > 255 {
		t.Errorf("%d groups of words do not fit into a byte", len(groups))
	}
}
