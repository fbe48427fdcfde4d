package detect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSource(t *testing.T) {
	goSrc := "package a\n\nfunc f() error {\n\treturn nil\n}\n"
	for _, tc := range []struct {
		name, file, content string
		want                Family
	}{
		{"go", "/p/a.go", goSrc, Go},
		{"upper case name", `C:\P\A.GO`, goSrc, Go},
		{"no extension", "/p/Makefile", goSrc, None},
		{"text extension", "/p/a.txt", goSrc, None},
		{"empty", "/p/a.go", "\n\n", None},
		{"python", "/p/a.py", "import os\n\ndef f(x):\n    return x\n", Python},
		{"typescript", "/p/a.ts", "import { a } from 'b'\nexport const c = a()\n", Script},
		{"rust", "/p/a.rs", "use std::io;\n\npub fn f() -> u8 {\n    1\n}\n", Rust},
		{"c", "/p/a.c", "#include <stdio.h>\n\nint main(void)\n{\n\treturn 0;\n}\n", CLike},
		{"java", "/p/A.java", "package a;\npublic class A {\n    int x = 1;\n}\n", CLike},
		{"ruby", "/p/a.rb", "class A\n  def f\n    1\n  end\nend\n", Ruby},
		{"shell", "/p/a.sh", "#!/bin/sh\nset -e\necho hi\n", Shell},
		{"sql", "/p/a.sql", "SELECT a\nFROM b\nWHERE c;\n", SQL},
		{"css", "/p/a.css", ".a {\n  color: red;\n}\n", Style},
		{"a log by another name", "/p/a.go", strings.Repeat("2026-05-02T09:00:00Z INFO request { a = 1 }\n", 20), None},
		{"levels first", "/p/a.js", strings.Repeat("[ERROR] x = failed (1)\n", 20), None},
		{"a trace", "/p/a.java", strings.Repeat("\tat com.shop.Tax.rate(Tax.java:31)\n", 20), None},
		{"prose", "/p/a.py", strings.Repeat("It was a dark and stormy night\n", 20), None},
	} {
		if got := Source(tc.file, tc.content); got != tc.want {
			t.Errorf("%s: Source(%q) = %v, want %v", tc.name, tc.file, got, tc.want)
		}
	}
}

func TestHit(t *testing.T) {
	for _, tc := range []struct {
		line, file, rest string
		ok               bool
	}{
		{"a/b.go:12:\tx := 1", "a/b.go", "\tx := 1", true},
		{"a/b.go-12-\tx := 1", "a/b.go", "\tx := 1", true},
		{"a-1/b.go:12:x", "a-1/b.go", "x", true},
		{`C:\p\a.go:12:x`, `C:\p\a.go`, "x", true},
		{"12:x", "", "", false},
		{"a:b:c", "", "", false},
		{"", "", "", false},
		{"12:", "", "", false},
	} {
		file, rest, ok := Hit(tc.line)
		if file != tc.file || rest != tc.rest || ok != tc.ok {
			t.Errorf("Hit(%q) = %q, %q, %v, want %q, %q, %v", tc.line, file, rest, ok, tc.file, tc.rest, tc.ok)
		}
	}
}

func TestHits(t *testing.T) {
	for _, tc := range []struct {
		name, file string
		lines      []string
		want       []bool
	}{
		{"by each hit's file", "", []string{"a.go:1:return errors.New(s)", "log.txt:2:failed", "--", "a.go-2-}"}, []bool{true, false, false, true}},
		{"one file searched", "/p/a.go", []string{"1:return err", "2-}"}, []bool{true, true}},
		{"a log by another name", "", []string{"a.go:1:it has failed", "a.go:2:ERROR it = (x)"}, nil},
		{"no source", "", []string{"a.txt:1:x"}, nil},
	} {
		if diff := cmp.Diff(tc.want, Hits(tc.lines, tc.file)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestSymbol(t *testing.T) {
	for _, tc := range []struct {
		f          Family
		line, want string
	}{
		{Go, "func main() {", "main"},
		{Go, "func (o *Order) Total() (float64, error) {", "Order.Total"},
		{Go, "func (s Set[K]) Has(k K) bool {", "Set.Has"},
		{Go, "type Doc struct {", "type Doc"},
		{Go, "\tfunc() {", ""},
		{Python, "    async def load(self):", "load"},
		{Python, "class Rates(Base):", "class Rates"},
		{Script, "export default async function run(a) {", "run"},
		{Script, "const total = async (a) => {", "total"},
		{Script, "  if (x) {", ""},
		{Script, "describe('tax', () => {", "tax"},
		{Script, "interface Rate {", "interface Rate"},
		{Rust, "    pub(crate) async fn rate(&self) -> u8 {", "rate"},
		{Rust, "impl<T> From<T> for Tax {", "impl From<T> for Tax"},
		{CLike, "public static int rate(int x) {", "rate"},
		{CLike, "static void reset(void)", "reset"},
		{CLike, "    return rate(x);", ""},
		{CLike, "else if (x) {", ""},
		{CLike, "std::string Tax::name() const {", "Tax::name"},
		{CLike, "data class Rate(val x: Int)", "class Rate"},
		{Ruby, "  def total?", "total?"},
		{Shell, "build() {", "build"},
		{Lua, "local function f(x)", "f"},
		{SQL, "CREATE TABLE IF NOT EXISTS rates (", "rates"},
		{Style, ".card:hover {", ".card:hover"},
		{None, "func main() {", ""},
		{Go, "func " + strings.Repeat("x", 400) + "() {", ""},
	} {
		if got := Symbol(tc.f, tc.line); got != tc.want {
			t.Errorf("Symbol(%v, %q) = %q, want %q", tc.f, tc.line, got, tc.want)
		}
	}
}

func TestLineAndSight(t *testing.T) {
	for _, tc := range []struct {
		f    Family
		line string
		want LineKind
	}{{Go, `	"strings"`, Import}, {Python, "from a import b", Import}, {Go, "// x", Comment}, {Go, "x := 1", Other}, {Script, " * x", Comment}} {
		if got := Line(tc.f, tc.line); got != tc.want {
			t.Errorf("Line(%q) = %v, want %v", tc.line, got, tc.want)
		}
	}
	for want, src := range map[Family]string{
		Go:     "func a() {\n\tx := 1\n}\nfunc b() {\n}",
		Python: "def a():\n    self.x = 1\ndef b():\n    pass",
		Rust:   "pub fn a() {}\nfn b() {}\nlet mut x = 1;",
		Script: "const a = 1\nexport const b = 2\nlet c = 3",
		None:   "one line\nand another\nof prose",
	} {
		if got := Sight(strings.Split(src, "\n")); got != want {
			t.Errorf("Sight(%q) = %v, want %v", src, got, want)
		}
	}
}
