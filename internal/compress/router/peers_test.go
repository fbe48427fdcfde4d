package router

import (
	"fmt"
	"strings"
	"testing"

	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
)

// TestPeers is what broke in other reducers on real results, a case for each
// kind of fault.
func TestPeers(t *testing.T) {
	var green, cover, lint, commit, issue, stamps strings.Builder
	green.WriteString("$ npm test\n\nRUN  v2.1.0 /p\n\n")
	for i := range 160 {
		fmt.Fprintf(&green, "✓ src/case_%d.test.ts (%d tests | 0 failed) %dms\n", i, i%7+1, i*13%90)
	}
	green.WriteString("\nTest Files  160 passed (160)\n     Tests  640 passed | 0 failed (640)\n  Duration  4.20s\n")

	cover.WriteString("============================= test session starts ==============================\ncollected 90 items\n\n")
	for i := range 90 {
		fmt.Fprintf(&cover, "tests/test_a.py::test_%d PASSED [ %d%%]\n", i, i)
	}
	cover.WriteString("\n---------- coverage: platform linux, python 3.12 ----------\nName          Stmts   Miss  Cover\n---------------------------------\n")
	for i := range 40 {
		fmt.Fprintf(&cover, "src/mod%02d.py     %3d    %2d    %d%%\n", i, 40+i, i%9, 90-i%9)
	}
	cover.WriteString("---------------------------------\nTOTAL          2400    160    93%\n\n============================== 90 passed in 1.20s ==============================\n")

	for i := range 120 {
		fmt.Fprintf(&lint, "│ ファイル%03d.ts │ 問題なし │\n", i)
	}
	lint.WriteString("│ ファイル999.ts │ エラー: 未使用の変数 'x' │\n✖ 1 problem (1 error, 0 warnings)\n")

	commit.WriteString("commit 0123456789abcdef0123456789abcdef01234567\nAuthor: A <a@example.com>\nDate:   Mon Jun 1 10:00:00 2026 +0000\n\n    Keep the session when a restart is asked for\n\n    The store dropped entries because its clock ran back;\n    this line says why it must not.\n\n")
	for i := range 40 {
		fmt.Fprintf(&commit, "diff --git a/f%d.go b/f%d.go\n--- a/f%d.go\n+++ b/f%d.go\n@@ -1,8 +1,8 @@\n ctx a%d\n ctx b%d\n ctx c%d\n-old line %d\n+new line %d\n ctx d%d\n ctx e%d\n ctx f%d\n", i, i, i, i, i, i, i, i, i, i, i, i)
	}

	issue.WriteString("title:\tThe build fails with an error on start\nstate:\tOPEN\nauthor:\tsomebody\n--\n")
	for i := range 60 {
		fmt.Fprintf(&issue, "When I ran step %d the tool said that an error occurred and the test failed, which I did not expect at all.\n", i)
	}
	for i := range 200 {
		fmt.Fprintf(&stamps, "12:%02d:%02d:%03d worker started job %d\n", i/60, i%60, i*7%1000, i*31%977)
	}
	code := strings.Builder{}
	for i, l := range strings.Split(strings.Repeat("func f(x int) error {\n\tif x > 0 {\n\t\treturn errors.New(\"no\")\n\t}\n\treturn nil\n}\n\n", 20), "\n") {
		fmt.Fprintf(&code, "%6d→%s\n", i+1, l)
	}
	none := "prettier says: no tests found\n" + strings.Repeat("unformatted words that no filter knows what to do with, on a line\n", 1) + passesOf(120)

	bash := func(command string) prune.Tool {
		return prune.Tool{Name: "Bash", Input: fmt.Appendf(nil, `{"command":%q}`, command)}
	}
	for _, tc := range []struct {
		name string
		b    Block
		kind detect.Kind // "": any
		keep []string    // must stand in the text
		no   []string    // must not stand in any marker
	}{
		{"0 failed is no failure", Block{Text: green.String(), Tool: bash("npm test")}, detect.Log, []string{"640 passed | 0 failed", "160 passed (160)"}, []string{"fail", "error"}},
		{"an issue's text is no log", Block{Text: issue.String(), Tool: bash("gh issue view 7")}, detect.Prose, []string{"title:\tThe build fails", "step 41 "}, nil},
		{"a read's numbers are looked through", Block{Text: code.String(), Tool: prune.Tool{Name: "Read", Input: []byte(`{"file_path":"/p/a.go"}`)}}, detect.Code, []string{"   140→"}, nil},
		{"text beyond ASCII is text, its failing line stays", Block{Text: lint.String(), Tool: bash("npx lint")}, "", []string{"エラー: 未使用の変数", "✖ 1 problem"}, nil},
		{"a table that a flag asked for is whole", Block{Text: cover.String(), Tool: bash("pytest --cov=src -v")}, detect.Log, []string{"src/mod00.py", "src/mod17.py", "src/mod39.py", "TOTAL "}, nil},
		{"a commit's message stays", Block{Text: commit.String(), Tool: bash("git show")}, detect.Diff, []string{"Keep the session", "this line says why it must not.", "+new line 39", "-old line 0"}, nil},
		{"what a filter does not understand it says nothing about", Block{Text: none, Tool: bash("npx prettier --check .")}, "", []string{"unformatted words that no filter knows"}, []string{"no tests", "ok"}},
		{"times are no places in files", Block{Text: stamps.String(), Tool: bash("cat job.out")}, detect.Log, []string{"12:00:00:000"}, nil},
	} {
		res := run1(Options{}, tc.b)
		check(t, tc.b, res)
		if tc.kind != "" && res.Kind != tc.kind {
			t.Errorf("%s: taken for %s (%.2f)", tc.name, res.Kind, res.Confidence)
		}
		for _, s := range tc.keep {
			if !strings.Contains(res.Text, s) {
				t.Errorf("%s: %q is gone; chain %v\n%.1500s", tc.name, s, res.Accepted(), res.Text)
			}
		}
		for line := range strings.Lines(res.Text) {
			if !strings.Contains(line, marker.Open) {
				continue
			}
			for _, s := range tc.no {
				if strings.Contains(strings.ToLower(line), s) {
					t.Errorf("%s: a marker says %q: %s", tc.name, s, line)
				}
			}
		}
		if was, is := blanks(tc.b.Text), blanks(res.Text); is > was {
			t.Errorf("%s: %d blank lines, %d before", tc.name, is, was)
		}
	}
}

func passesOf(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Checking formatting of src/part%d/file%d.ts ...\n", i%9, i)
	}
	return b.String()
}

func blanks(s string) int {
	n := 0
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" {
			n++
		}
	}
	return n
}
