package prune

import (
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/internal/text"
)

func TestDigest(t *testing.T) {
	for _, tc := range []struct {
		name string
		tool Tool
		text string
		want string
	}{
		{"blank", call("Bash", `{}`), "\n \n", "blank lines"},
		{"imports", call("Read", `{"file_path":"a.py"}`), "import a\nimport b\nfrom c import d\nx = f(1)\n", "3 import lines"},
		{"comment", call("Read", `{"file_path":"a.go"}`), "// Package a is\n// a package.\n", "comment: // Package a is"},
		{"methods", call("Read", `{"file_path":"a.ts"}`), "export class Tax {\n  rate(x: number): number {\n    if (x) {\n      return 1\n    }\n  }\n}\nexport const total = (a) => {\n}\n", "defines class Tax, rate, total"},
		{"rust", call("Read", `{"file_path":"a.rs"}`), "impl Tax {\n    pub fn rate(&self) -> u8 {\n        1\n    }\n}\npub struct Order;\n", "defines impl Tax, rate, struct Order"},
		{"java", call("Read", `{"file_path":"A.java"}`), "public class Tax {\n    private int rate(int x) {\n        return 1;\n    }\n}\n", "defines class Tax, rate"},
		{"passed tests of go", call("Bash", `{}`), "=== RUN   TestA\n--- PASS: TestA (0.0s)\n=== RUN   TestB\n--- PASS: TestB (0.0s)\n", "2 passed tests: TestA, TestB"},
		{"begun tests are not called passed", call("Bash", `{}`), "=== RUN   TestA\n=== PAUSE TestA\n=== RUN   TestB\n", "3 lines of a test run"},
		{"pytest -v", call("Bash", `{}`), "tests/a.py::test_x PASSED   [ 3%]\ntests/a.py::test_y PASSED   [ 6%]\n", "2 passed tests: a.py::test_x, a.py::test_y"},
		{"cargo", call("Bash", `{}`), "test tax::a ... ok\ntest tax::b ... ok\n", "2 passed tests: tax::a, tax::b"},
		{"ls -l is no diff", call("Bash", `{}`), "-rw-r--r--  1 dev  staff  10 Mar  1 10:00 a.txt\n-rw-r--r--  1 dev  staff  10 Mar  1 10:00 b c.txt\n", "2 paths: a.txt, b c.txt"},
		{"find", call("Bash", `{}`), "./a/x.go\n./a/y.go\n./b/z.go\n", "3 paths: ./a/ 2, ./b/ 1"},
		{"du", call("Bash", `{}`), "12\t./a/x\n8.5M\t./a/y\n", "2 paths: x, y"},
		{"log", call("Bash", `{}`), "10:00:01 INFO a\n10:00:02 DEBUG b\n10:00:03 INFO c\n", "INFO 2, DEBUG 1, 10:00:01 to 10:00:03"},
		{"records without a level", call("Bash", `{}`), "10:00:01 up\n10:00:02 down\n", `2 records, 10:00:01 to 10:00:02, "up"`},
		{"hits", call("Grep", `{}`), "a/x.go:1:foo\na/x.go-2-bar\nb/y.go:3:foo\n", "2 hits in 2 files: x.go 1, y.go 1"},
		{"hits in one file", call("Bash", `{}`), "a/x.go:1:foo\na/x.go:2:bar\n", "2 hits in x.go"},
		{"around a hit", call("Grep", `{}`), "a/x.go-1-func f() {\na/x.go-2-}\n", "2 lines of x.go, defines f"},
		{"around a hit, other system", call("Grep", `{}`), "a\\x.txt-1-foo\na\\x.txt-2-bar\n", "2 lines of x.txt"},
		{"part of a diff", call("Bash", `{}`), "@@ -1,2 +1,2 @@\n-foo := 1\n+foo := 2\n", "diff, +1 -1: foo := 1"},
		{"rows", call("Bash", `{}`), "row 1\nrow 2\nrow 30\n", `3 lines like "row 1"`},
		{"words", call("Bash", `{}`), "..\nAll the rest\n  of it.", `begins "All the rest"`},
		{"nothing to say", call("Bash", `{}`), "--\n==\n++", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := Input{Tool: tc.tool, Text: tc.text}
			v := newView(&in)
			if strings.HasSuffix(tc.tool.Name, "Read") && v.source == 0 {
				t.Fatal("not seen as source")
			}
			if got := digest(&v, 0, v.doc.Len()-1, 120); got != tc.want {
				t.Errorf("digest(%q) = %q, want %q", tc.text, got, tc.want)
			}
		})
	}
}

func FuzzDigest(f *testing.F) {
	for _, b := range wholeBlocks {
		f.Add(b.block, 60)
	}
	f.Add("-rw-r--r--  1 a b 10 Mar 1 10:00 x y\n", 40)
	f.Add("├── a\n└── b\n", 40)
	f.Fuzz(func(t *testing.T, s string, size int) {
		size = 32 + max(size%89, -size%89)
		for _, tool := range []Tool{call("Bash", `{}`), call("Read", `{"file_path":"a.go"}`), call("Grep", `{"path":"a.ts"}`)} {
			v := newView(&Input{Tool: tool, Text: s})
			got := digest(&v, 0, v.doc.Len()-1, size)
			if again := digest(&v, 0, v.doc.Len()-1, size); again != got {
				t.Errorf("digest(%q) = %q, then %q", s, got, again)
			}
			if utf8.ValidString(s) && text.Chars(got) > size+80 {
				t.Errorf("digest(%q, %d) = %q", s, size, got)
			}
		}
	})
}
