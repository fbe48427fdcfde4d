package prune

import (
	"context"
	"strings"
	"testing"
)

// What compilers, vets and linters say without a failure word.
var diagnosticBlocks = []blockCase{
	{"go build", `# example.com/shop/tax
tax/rate.go:30:8: o.Country undefined (type Order has no field or method Country)
tax/rate.go:31:8: undefined: rates
tax/rate.go:35:2: declared and not used: net
tax/rate.go:36:2: missing return
tax/total.go:40:9: cannot use z (variable of type int) as string value in return statement
	have (int)
	want (string)
	as declared above
tax/total.go:41:2: "os" imported and not used
tax/total.go:50:2: label X defined and not used`},
	{"go vet", `# example.com/shop
./tax.go:12:2: Printf format %d has arg s of wrong type string
./tax.go:18:3: unreachable code
./tax.go:20:3: self-assignment of x
./tax.go:22:3: result of fmt.Sprintf call not used
vet: ./tax.go:26:3: x redeclared in this block`},
	{"golangci-lint", `tax/rate.go:10:2: ineffectual assignment to x (ineffassign)
	x = 1
	^
tax/rate.go:22:1: S1000: should use for range (gosimple)
tax/rate.go:23:1: S1001: should use copy (gosimple)
tax/rate.go:24:1: S1002: should omit comparison (gosimple)
tax/rate.go:25:1: S1003: should use Contains (gosimple)`},
	{"ruff", "F401 [*] `os` imported but unused\n --> tax.py:1:8\n  |\n1 | import os\n  |        ^^\n2 | import re\n3 | import io\n  |\nhelp: Remove unused import: `os`\n\ninvalid-syntax: Missing closing bracket\n --> tax.py:9:4\n  |\n8 | a = (\n9 |\n  |    ^\n  |"},
	{"ruff, a line each", "tax.py:1:8: F401 [*] `os` imported but unused\ntax.py:2:8: F841 Local variable `x` is assigned to but never used\ntax.py:3:8: E501 Line too long (99 > 88)\ntax.py:4:8: E501 Line too long (98 > 88)\ntax.py:5:8: E501 Line too long (97 > 88)\ntax.py:6:8: E501 Line too long (96 > 88)"},
	{"pylint", `tax.py:1:0: C0114: Missing module docstring (missing-module-docstring)
tax.py:2:0: C0103: Constant name does not conform (invalid-name)
tax.py:3:4: R0913: Too many arguments (7/5) (too-many-arguments)
tax.py:4:4: R0914: Too many locals (20/15) (too-many-locals)
tax.py:9:4: W0611: Unused import os (unused-import)`},
	{"mypy", `tax.py:3: note: "rate" defined here
tax.py:4: note: Revealed type is "builtins.int"
tax.py:5: note: By default the bodies of untyped functions are not checked
tax.py:6: note: See the book
tax.py:7: note: Use "-> None" if function does not return a value`},
	{"clang notes", `src/tax.c:7:12: note: candidate function not viable
src/tax.c:9:12: note: expanded from macro 'RATE'
#define RATE(x) rate(x)
                ^
src/tax.c:11:12: note: in instantiation of function template
src/tax.c:12:12: note: in instantiation of member function
src/tax.c:13:12: note: requested here`},
	{"javac", `src/Tax.java:7: incompatible types: String cannot be converted to int
        int rate = "x";
                   ^
  symbol:   variable rate
  location: class Tax
  reason:   a third line`},
	{"rustc", "missing documentation for a function\n --> src/tax.rs:4:1\n  |\n4 | pub fn rate() -> u32 {\n  | ^^^^^^^^^^^^^^^^^^^^\n  |\n  = note: requested on the command line\n  = help: write some"},
	{"a syntax error of Python", `  File "/shop/tax.py", line 12
    def rate(:
             ^
SyntaxError: invalid syntax`},
	{"shellcheck", `In deploy.sh line 12:
  rm $file
     ^---^ SC2086: Double quote to prevent globbing.`},
}

// Lines in the form of diagnostics that are the judge's.
func TestNoDiagnostics(t *testing.T) {
	warning := "src/tax.c:7:12: warning: unused variable\n   int x;\n       ^\nsrc/tax.c:9:12: note: declared here\n"
	for _, tc := range []struct{ name, command, text string }{
		{"hits of a search with columns", "rg --column rate src", strings.Repeat("src/tax.go:12:3: rate is set here\n", 80)},
		{"hits of grep -n with a note", "grep -rn 'note' src | head -100", strings.Repeat("src/tax.go:12: note: see the book\n", 80)},
		{"hits through xargs", "git ls-files | xargs grep -n rate", strings.Repeat("src/tax.go:12:\trate := 3 + other\n", 80)},
		{"source", "cat src/tax.go", strings.Repeat("\trate := other(3) // see tax.go:12:3: there\n", 80)},
		{"many warnings", "make", strings.Repeat(warning, 60)},
		{"many warnings of Python", "python x.py", strings.Repeat("/shop/tax.py:12: DeprecationWarning: use another\n  x.other(3)\n", 60)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := plain()
			in.Tool, in.Text = call("Bash", `{"command":"`+tc.command+`"}`), tc.text
			res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			if res.Reason != Pruned || len(res.Text) > len(in.Text)/2 {
				t.Errorf("reason %q, %d of %d bytes left:\n%s", res.Reason, len(res.Text), len(in.Text), res.Text)
			}
		})
	}
}

// A linter's table names its file far above the row that counts.
func TestTableHead(t *testing.T) {
	in := plain()
	in.Text = rows(40) + "/shop/src/tax.js\n" + strings.Repeat("   3:5   warning  no-x       rule/a\n", 20) +
		"  12:1   error    bad words  rule/b\n" + rows(40)
	res := New(Fake{}, Options{AllowNothing: true}).Prune(context.Background(), in)
	checkResult(t, in, res)
	if !strings.Contains(res.Text, "\n/shop/src/tax.js\n") || strings.Count(res.Text, "warning  no-x") > 4 {
		t.Errorf("the file's name is hidden, or the warnings are not, in\n%s", res.Text)
	}
}
