package hits

import (
	"fmt"
	"strings"
	"testing"

	"winnow/internal/compress"
	"winnow/internal/compress/compresstest"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

func view(in compress.Input) string {
	in.Kind = detect.Search
	return compresstest.View(Editor{}, in)
}

// found writes n hits in each of files.
func found(n int, files ...string) string {
	var b strings.Builder
	for _, f := range files {
		for i := range n {
			fmt.Fprintf(&b, "%s:%d:\tcall(%c)\n", f, i*3+1, 'a'+i%26)
		}
	}
	return b.String()
}

func TestCuts(t *testing.T) {
	in := found(30, "src/a.go", "src/b.go", `C:\w\c.go`, "docs/d e.md", "f.py")
	in = strings.ReplaceAll(in, "docs/d e.md", "docs/d.md")
	got := view(compress.Input{Text: in})
	for _, want := range []string{"src/a.go:1:\tcall(a)\n[more hits in a.go]\nsrc/b.go:1:", `C:\w\c.go:1:`, "docs/d.md:1:", "f.py:1:"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n > 12 {
		t.Errorf("%d lines are left of 150 hits:\n%s", n, got)
	}
}

func TestStay(t *testing.T) {
	for name, in := range map[string]string{
		"few hits":             found(5, "a.go", "b.go", "c.go"),
		"one file is read":     found(80, "a.go"),
		"lines around hits":    strings.ReplaceAll(found(30, "a.go", "b.go"), ":28:", "-28-") + "--\na.go-99-\tx\n",
		"times are no places":  strings.Repeat("2026-06-19T21:04:11Z a.b: 10:04:11: x\n", 60),
		"prose with a few":     strings.Repeat("It was so.\n", 40) + found(12, "a.go", "b.go"),
		"names without a text": strings.Repeat("src/a.go\n", 60),
	} {
		if got := view(compress.Input{Text: in}); got != in {
			t.Errorf("%s: cut to\n%s", name, got)
		}
	}
}

func TestWhatTheTaskNames(t *testing.T) {
	in := found(30, "a.go", "b.go", "c.go") + "c.go:400:\torder_total := 1\nc.go:401:func Late() int {\n"
	got := view(compress.Input{Text: in, Query: "where is order_total set?"})
	for _, want := range []string{"c.go:400:\torder_total := 1\n", "c.go:401:func Late() int {\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func TestHit(t *testing.T) {
	for in, want := range map[string]string{
		"a/b.go:12:x": "a/b.go", `C:\a\b.go:12:x`: `C:\a\b.go`, "./a:1:": "./a", "a/ent-109-flag/b.go:3:x": "a/ent-109-flag/b.go",
		"a/b.go:x": "", "12:x": "", "a b.go:1:x": "", "word:12:x": "", "": "", "10:02:11 a.go": "",
	} {
		if got := hit(in); got != want {
			t.Errorf("hit(%q) = %q, want %q", in, got, want)
		}
	}
}

// files are those that a text has hits in.
func files(s string) map[string]bool {
	m := map[string]bool{}
	for l := range strings.SplitSeq(s, "\n") {
		m[hit(text.Plain(l))] = true
	}
	return m
}

// Every file that has a hit is named in what is left.
func FuzzFilesStay(f *testing.F) {
	f.Add(found(9, "a.go", "b/c.go"), "call")
	f.Fuzz(func(t *testing.T, s, query string) {
		in := s + "\n" + found(40, "x.go", "y.go", "z.go") + s
		got := view(compress.Input{Text: in, Query: query})
		left := files(got)
		for file := range files(in) {
			if !left[file] {
				t.Errorf("no hit in %q is left of %q", file, in)
			}
		}
	})
}

func BenchmarkCuts(b *testing.B) {
	s := found(40, "a.go", "b.go", "c.go", "d/e.py", "f.rs")
	s = strings.Repeat(s, 40)
	b.ReportAllocs()
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Editor{}.Cuts(compress.Input{Text: s, Kind: detect.Search, Query: "where is order_total set?"})
	}
}
