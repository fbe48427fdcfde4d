package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// hintAt says which argument of a function is the next command to type.
var hintAt = map[string]int{"withHint": 1, "wayOut": 1, "agreed": 4}

// inWords are files whose hints are not commands yet.
var inWords = map[string]bool{"compress.go": true, "score.go": true, "eval.go": true, "eval_cases.go": true}

// TestHintsAreCommands: what stands after "try: " can be typed as it stands, and a
// command of ours in it exists, with these flags. Words come after "  # ".
func TestHintsAreCommands(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	fset, seen := token.NewFileSet(), 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") || inWords[e.Name()] {
			continue
		}
		f, err := parser.ParseFile(fset, e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name, ok := call.Fun.(*ast.Ident)
			if !ok || hintAt[name.Name] == 0 {
				return true
			}
			arg := call.Args[hintAt[name.Name]]
			if _, variable := arg.(*ast.Ident); variable {
				return true // made elsewhere in these files
			}
			seen++
			hint := spell(arg)
			if why := untypable(hint); why != "" {
				t.Errorf("%s: %q: %s", fset.Position(arg.Pos()), hint, why)
			}
			return true
		})
	}
	if seen < 30 {
		t.Errorf("looked at %d hints only", seen)
	}
}

// spell writes a hint out; what is only known when it runs is X.
func spell(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		if e.Name == "again" { // the same command once more: install or uninstall
			return "winnow uninstall"
		}
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return s
	case *ast.BinaryExpr:
		return spell(e.X) + spell(e.Y)
	case *ast.CallExpr:
		switch name := called(e); name {
		case "Sprintf":
			return spell(e.Args[0])
		case "Edit":
			return "${EDITOR:-vi} X  # " + spell(e.Args[1])
		case "SetLine":
			return "echo X >> X"
		}
	}
	return "X"
}

func called(e *ast.CallExpr) string {
	if s, ok := e.Fun.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

var programs = regexp.MustCompile(`^(HOME=\S+ winnow|winnow|claude|ls|mkdir|chmod|mv|df|echo|export|unset|\$\{EDITOR:-vi\})( |$)`)

// untypable says why a hint cannot be typed as it stands, "" if it can.
func untypable(hint string) string {
	if hint == "" { // on purpose: see hinted
		return ""
	}
	command, _, _ := strings.Cut(hint, "  # ")
	for _, bad := range []string{", ", "`", " then ", " again"} {
		if strings.Contains(command, bad) {
			return "words stand in the command"
		}
	}
	for part := range strings.SplitSeq(command, " && ") {
		if !programs.MatchString(part) {
			return "it begins with no program"
		}
		w := strings.Fields(part)
		if w[0] != "winnow" {
			continue
		}
		cmd, _, err := root().Find(w[1:])
		if err != nil || !cmd.HasParent() {
			return "there is no such command"
		}
		cmd.InitDefaultHelpFlag()
		for _, arg := range w[1:] {
			if name, long := strings.CutPrefix(arg, "--"); long && cmd.Flags().Lookup(name) == nil {
				return "it has no flag " + arg
			}
		}
	}
	return ""
}

func TestUntypable(t *testing.T) {
	for hint, want := range map[string]bool{
		"": false, "winnow stats --since 7d  # or 24h, or a date": false, "chmod 700 X && winnow serve --stop": false,
		"winnow stats --help": false, "${EDITOR:-vi} X  # mend it, then the same again": false,
		"winnow statistics": true, "winnow stats --untill 7d": true, "mend that file": true,
		"winnow serve --stop, then winnow uninstall": true, "--judge lexical": true, "winnow": true,
	} {
		if got := untypable(hint) != ""; got != want {
			t.Errorf("untypable(%q) = %v, want %v", hint, got, want)
		}
	}
}

// A word in backticks in a flag's description becomes the name of its value.
func TestFlagValuesAreWords(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if name, _ := pflag.UnquoteUsage(f); strings.ContainsAny(name, " -") {
				t.Errorf("%s --%s takes a %q", c.CommandPath(), f.Name, name)
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root())
}
