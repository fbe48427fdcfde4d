package detect

import (
	"fmt"
	"strings"
	"testing"
)

func rep(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if strings.Contains(format, "%") {
			fmt.Fprintf(&b, format, i)
		} else {
			b.WriteString(format)
		}
	}
	return b.String()
}

const goFile = "package a\n\nimport \"errors\"\n\n// f fails with an error.\nfunc f(x int) error {\n\tif x > 0 {\n\t\treturn errors.New(\"failed\")\n\t}\n\ty := []int{1, 2}\n\t_ = map[string]int{\"a\": 1}\n\treturn nil\n}\n"

func TestOf(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		h        Hint
		want     Kind
		lang     string
	}{
		{name: "array", in: `[{"a":1},{"a":2}]`, want: JSON},
		{name: "object over lines", in: "{\n  \"a\": 1\n}\n", want: JSON},
		{name: "brackets that are no JSON", in: "[INFO] a\n[INFO] b]\n", want: Log, lang: "maven"},
		{name: "lines of JSON", in: rep(20, "{\"n\":%d}\n"), want: JSONL},
		{name: "long lines of JSON", in: rep(5, "{\"n\":%d,\"s\":\""+strings.Repeat("x", 900)+"\"}\n"), want: JSONL},
		{name: "go by sight", in: goFile, want: Code, lang: "go"},
		{name: "literals do not make code mixed", in: "def f():\n    x = [\n        {\"a\": 1},\n        {\"b\": 2},\n    ]\n    return x\n\nclass A:\n    def g(self):\n        self.x = {}\n", want: Code, lang: "python"},
		{name: "python by name", in: "import os\n\ndef f(x):\n    return x\n", h: Hint{Tool: "Read", File: "/p/a.py"}, want: Code, lang: "python"},
		{name: "by a plain cat", in: "import os\n\ndef f(x):\n    return x\n", h: Hint{Tool: "Bash", Command: "cat a.py"}, want: Code, lang: "python"},
		{name: "hits", in: rep(20, "src/a.go:%d:x := 1\n"), want: Search},
		{name: "hits of one file", in: rep(20, "1%d:x := 1\n"), h: Hint{Tool: "Grep"}, want: Search},
		{name: "a compiler's lines are no hits", in: rep(20, "src/a.c:%d:5: error: x undeclared\n"), want: Log},
		{name: "mypy's are none", in: rep(20, "app/a.py:%d: error: Incompatible types  [assignment]\n"), want: Log},
		{name: "times are no hits", in: rep(20, "12:30:45.%03d INFO request done\n"), want: Log},
		{name: "a diff", in: "diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n", want: Diff},
		{name: "a commit with a diff", in: "commit 0123\nAuthor: a\nDate: b\n\n    Fix it\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n" + rep(20, " ctx\n"), want: Diff},
		{name: "html", in: "<!doctype html>\n<html><body>\n<p>x</p>\n</body></html>\n", want: HTML, lang: "html"},
		{name: "xml", in: "<?xml version=\"1.0\"?>\n<a><b/></a>\n", want: HTML, lang: "xml"},
		{name: "csv", in: "id,name,score\n" + rep(20, "%d,item,0.5\n"), want: Table, lang: "csv"},
		{name: "tsv", in: "id\tname\n" + rep(20, "%d\titem\n"), want: Table, lang: "tsv"},
		{name: "numbers that nl put are no column", in: "   301\tdef f(x):\n   302\t    if x:\n   303\t        return g(x)\n   304\t    self.x = 1\n   305\t    return [x]\n", want: Code, lang: "python"},
		{name: "markdown's table", in: "| a | b |\n|---|---|\n" + rep(10, "| %d | x |\n"), want: Table, lang: "markdown"},
		{name: "aligned", in: "NAME      READY   STATUS\n" + rep(20, "web-%03d   1/1     Running\n"), want: Table, lang: "aligned"},
		{name: "a CI's log in columns is a log", in: rep(20, "test\tRun\t2026-02-21T21:32:11.%07dZ all is well\n"), want: Log},
		{name: "yaml", in: "on:\n  push:\n    branches: main\njobs:\n  build:\n    runs-on: ubuntu\n    steps:\n      - uses: x\n", want: Config, lang: "yaml"},
		{name: "toml", in: "[package]\nname = \"a\"\nversion = \"1\"\n\n[dependencies]\nb = \"2\"\n", want: Config, lang: "toml"},
		{name: "traceback", in: "Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    g()\n  File \"a.py\", line 9, in g\n    raise X\nX: no\n", want: Trace},
		{name: "java's", in: "java.lang.X: y\n" + rep(20, "\tat com.a.B.c(B.java:%d)\n"), want: Trace},
		{name: "find", in: rep(20, "./src/a/b%d.go\n"), want: Listing},
		{name: "ls -l", in: "total 12\n" + rep(20, "-rw-r--r-- 1 root root 12%d Nov 30 23:42 a.go\n"), want: Listing},
		{name: "tree", in: ".\n" + rep(20, "├── a%d.go\n"), want: Listing},
		{name: "stamped", in: rep(20, "2026-05-02T09:00:%02dZ INFO heartbeat ok node=a\n"), want: Log},
		{name: "go test", in: rep(10, "=== RUN   TestA%[1]d\n--- PASS: TestA%[1]d (0.00s)\n") + "PASS\nok  \ta\t0.1s\n", want: Log, lang: "go test"},
		{name: "pytest", in: "===== test session starts =====\nplatform linux -- Python 3\ncollected 12 items\n\n" + rep(12, "tests/test_a.py::test_%d PASSED   [  8%%]\n"), want: Log, lang: "pytest"},
		{name: "cargo", in: rep(20, "   Compiling a v1.%d.0\n") + "    Finished dev\n", want: Log, lang: "cargo"},
		{name: "prose", in: rep(6, "It was a dark and stormy night, and the wind blew from the north for hours.\n"), want: Prose},
		{name: "prose about errors is no log", in: rep(6, "When the server starts, an error is raised because the connection failed to open in time.\n"), want: Prose},
		{name: "an issue's text is no log", in: "title:\tDaemon fails\nstate:\tOPEN\n--\n## What happened\n\nThe build failed with an error after the update was made on Monday.\n\n```\n2026-01-01 00:00:00 ERROR x\n2026-01-01 00:00:01 ERROR x\n```\n\n## Expected\n\nIt should not fail when the cache is empty and there is no network.\n", want: Prose},
		{name: "japanese is text", in: rep(10, "これは日本語の文章です。エラーは報告されません。\n"), want: Prose},
		{name: "a lint run in cyrillic is text", in: rep(10, "файл.go:%d:2: ошибка: не найдено\n"), want: Prose},
		{name: "box drawing is text", in: "┌────┬────┐\n" + rep(10, "│ a%d │ b  │\n") + "└────┴────┘\n", want: Prose},
		{name: "latin-1 is text", in: rep(20, "Stra\xdfe und M\xfcnchen sind sch\xf6n\n"), want: Prose},
		{name: "shift jis is text", in: rep(20, "\x83\x47\x83\x89\x81\x5b\x82\xaa\x94\xad\x90\xb6\x82\xb5\x82\xdc\x82\xb5\x82\xbd\x81\x42\n"), want: Prose},
		{name: "gbk is text", in: rep(20, "\xb4\xed\xce\xf3\xa3\xba\xce\xc4\xbc\xfe\xb2\xbb\xb4\xe6\xd4\xda\n"), want: Prose},
		{name: "koi8-r is text", in: rep(20, "\xef\xdb\xc9\xc2\xcb\xc1: \xc6\xc1\xca\xcc \xce\xc5 \xce\xc1\xca\xc4\xc5\xce\n"), want: Prose},
		{name: "names that find -print0 ends", in: strings.Repeat("./a.go\x00", 90), want: Listing},
		{name: "a byte order mark before an array", in: "\ufeff[{\"a\":1},{\"a\":2}]", want: JSON},
		{name: "a list literal of errors", in: "import os\nDATA = [\n" + rep(90, "    {\"id\": %d, \"error\": \"failed\"},\n") + "]\n\ndef f():\n    return DATA\n", want: Code, lang: "python"},
		{name: "a bundle", in: "!function(e){var t={};function n(r){if(t[r])return t[r].exports;" + rep(200, "var a%d=[1,{k:2}];") + "}();\n", want: Code, lang: "javascript"},
		{name: "a long sentence is no bundle", in: strings.Repeat("It returns null, and var x (the first) is const; ", 40) + "\n", want: Prose},
		{name: "utf-16 is not binary", in: "\xff\xfea\x00b\x00", want: Prose},
		{name: "png", in: "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", want: Binary},
		{name: "bytes", in: rep(50, "\x00\x01\x02\xff\xfe"), want: Binary},
		{name: "a text that begins like a file", in: "BZh91 is what bzip2 writes first\n", want: Prose},
		{name: "empty", in: "", want: Prose},
		{name: "blank", in: "\n\n \n", want: Prose},
		{name: "blank where it is looked at", in: strings.Repeat("\n", 5000) + "x" + strings.Repeat("\n", 5000), want: Prose},
	} {
		g := Of(tc.in, tc.h)
		if g.Kind != tc.want && !(tc.want == Prose && g.Confidence <= doubtful && g.Kind == Unknown) || tc.lang != "" && g.Language != tc.lang {
			t.Errorf("%s: Of = %+v, want %s %s", tc.name, g, tc.want, tc.lang)
		}
	}
}

func TestSecondOpinionSpeaksLess(t *testing.T) {
	g := Of("a=(b)[c];{d}\n(e)=[f];{g}\n<h>(i)[j]\n", Hint{})
	if !g.Second || g.Kind != Code || g.Confidence > doubtful {
		t.Errorf("Of = %+v, want a doubtful second opinion on code", g)
	}
}

// No text may cost more than its length: the sample is bounded.
func TestSampleIsBounded(t *testing.T) {
	for _, unit := range []string{"x", "\n", "a\n", "\r", "\x1b[31m", "{", "src/a.go:1:x\n", "1:1:", "- - - ", "|-|-"} {
		l := sample(strings.Repeat(unit, 1<<20/len(unit)), Hint{})
		if n := len(l.lines) + l.blank; n > headLines+(windows+1)*windowLines {
			t.Errorf("%q: %d lines sampled", unit, n)
		}
	}
}

func FuzzOf(f *testing.F) {
	for _, s := range []string{"", "a\n", goFile, `{"a":[1]}`, "\x00\xff", "| a |\n|---|\n| b |\n", "a,b,c\n1,2,3\n4,5,6\n"} {
		f.Add(s, "cat a.go")
	}
	f.Fuzz(func(t *testing.T, s, command string) {
		g := Of(s, Hint{Tool: "Bash", Command: command})
		if g.Confidence < 0 || g.Confidence > 1 || g != Of(s, Hint{Tool: "Bash", Command: command}) {
			t.Errorf("Of(%q) = %+v", s, g)
		}
	})
}
