package detect

import (
	"regexp"
	"strings"
)

// definitions find what a line of a family defines; the last group is the name.
var definitions = map[Family]*regexp.Regexp{
	Go:     regexp.MustCompile(`^(func)\s+(?:\((?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\)\s*)?(\w+)|^(type)\s+(\w+)`),
	Python: regexp.MustCompile(`^\s*(?:async\s+)?(def|class)\s+(\w+)`),
	Script: regexp.MustCompile(`^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(function\*?|class|interface|enum|type|namespace)\s+([\w$]+)|^(?:export\s+)?(const|let|var)\s+([\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\(|function|[\w$]+\s*=>|<|React\.|styled|create)|^\s{2,4}(?:(?:public|private|protected|static|async|override|get|set)\s+)*([\w$]+)\s*\([^)]*\)\s*(?::\s*[^{]+)?\{\s*$|^\s*(describe|it|test)(?:\.\w+)?\(\s*['"\x60]([^'"\x60]{1,50})`),
	Rust:   regexp.MustCompile(`^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]*"\s+)?(fn|struct|enum|trait|mod|union|macro_rules!)\s+(\w+)|^\s*(impl)(?:<[^>]*>)?\s+([\w:<>, ']+)`),
	CLike:  regexp.MustCompile(`^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|inline|export|partial|override|virtual|async|suspend|fileprivate|extern)\s+)*(class|struct|interface|enum|trait|object|protocol|record|namespace|message|service|fun|func|function)\s+(\w+)|^\s{0,4}(?:[\w:<>,\[\]*&?]+\s+)+[*&]*([\w:~]+)\s*\([^;]*(?:\)\s*(?:const|throws [\w, ]+|override|noexcept)?\s*\{?|,)\s*$`),
	Ruby:   regexp.MustCompile(`^\s*(def|class|module|defmodule|defp|defmacro|describe|context|it)\s+["']?([\w.:?!]+)`),
	Shell:  regexp.MustCompile(`^\s*(?:function\s+)?([\w-]+)\s*\(\)\s*\{?|^\s*(function)\s+([\w-]+)`),
	Lua:    regexp.MustCompile(`^\s*(?:local\s+)?(function)\s+([\w.:]+)`),
	SQL:    regexp.MustCompile(`(?i)^\s*(?:create|alter)\s+(?:or\s+replace\s+)?(?:unique\s+)?(?:temp(?:orary)?\s+)?(?:table|view|index|function|procedure|trigger|type|policy)\s+(?:if\s+(?:not\s+)?exists\s+)?["\x60]?([\w.]+)`),
	Style:  regexp.MustCompile(`^([.#@][\w-]+[^{]*)\{\s*$`),
}

// keywords are no names of functions, however much a line looks like one.
var keywords = map[string]bool{
	"if": true, "for": true, "while": true, "switch": true, "catch": true, "return": true, "else": true, "do": true,
	"try": true, "with": true, "new": true, "throw": true, "await": true, "function": true, "sizeof": true, "case": true,
}

// maxDefinition is the length up to which a line is looked at.
const maxDefinition = 300

// Symbol returns what a line defines, "" where it defines nothing: "parse",
// "Reader.Next", "type Doc", "class Lexer".
func Symbol(f Family, line string) string {
	re := definitions[f]
	if re == nil || len(line) > maxDefinition {
		return ""
	}
	m := re.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	var parts []string
	for _, g := range m[1:] {
		if g != "" {
			parts = append(parts, strings.TrimSpace(g))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	name := parts[len(parts)-1]
	if keywords[name] {
		return ""
	}
	if len(parts) == 1 {
		return name
	}
	switch kind := parts[0]; kind {
	case "func", "fun", "fn", "def", "defp", "function", "function*", "const", "let", "var", "it", "test", "describe", "context":
		return strings.Join(parts[1:], ".")
	default:
		return kind + " " + name
	}
}

// LineKind is what a line of source is beside a definition.
type LineKind int

// The kinds of lines.
const (
	Other LineKind = iota
	Import
	Comment
)

// Line says what a line of a family is.
func Line(f Family, line string) LineKind {
	t := strings.TrimSpace(line)
	for _, s := range []string{"import ", "from ", "use ", "#include", "require", "using ", "export * from", "package "} {
		if strings.HasPrefix(t, s) {
			return Import
		}
	}
	if f == Go && len(t) > 2 && (t[0] == '"' || strings.HasSuffix(t, `"`) && strings.Count(t, `"`) == 2 && !strings.ContainsAny(t, "(=:,")) {
		return Import
	}
	for _, s := range []string{"//", "#", "/*", "* ", "*/", "--", `"""`, "<!--"} {
		if strings.HasPrefix(t, s) {
			return Comment
		}
	}
	return Other
}

// imported reports whether t is "import a.b" or "from a import b", and no more.
func imported(t string) bool {
	rest, ok := strings.CutPrefix(t, "import ")
	if !ok {
		module, names, from := strings.Cut(strings.TrimPrefix(t, "from "), " import ")
		return from && names != "" && strings.HasPrefix(t, "from ") && !strings.ContainsAny(module, " '\"")
	}
	return rest != "" && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz_.0123456789") == ""
}

// Sight guesses the family of lines without a file name; it wants several
// definitions that only one language has.
func Sight(lines []string) Family {
	var n [Style + 1]int
	for i, l := range lines {
		if i == sampled {
			break
		}
		t := strings.TrimLeft(l, " \t")
		switch {
		case strings.HasPrefix(t, "func ") && strings.Contains(t, "("), strings.HasPrefix(t, "package "), strings.Contains(t, " := "):
			n[Go]++
		case strings.HasPrefix(t, "def ") && strings.HasSuffix(t, ":"), strings.HasPrefix(t, "class ") && strings.HasSuffix(t, ":"), strings.HasPrefix(t, "self."), strings.HasPrefix(t, "elif "), imported(t):
			n[Python]++
		case strings.HasPrefix(t, "fn "), strings.HasPrefix(t, "pub "), strings.HasPrefix(t, "impl "), strings.HasPrefix(t, "let mut "):
			n[Rust]++
		case strings.HasPrefix(t, "const "), strings.HasPrefix(t, "export "), strings.HasPrefix(t, "function "), strings.HasPrefix(t, "let "), strings.Contains(t, "=> {"):
			n[Script]++
		case strings.HasPrefix(t, "public "), strings.HasPrefix(t, "private "), strings.HasPrefix(t, "#include"):
			n[CLike]++
		}
	}
	best := None
	for f, c := range n {
		if c > n[best] {
			best = Family(f)
		}
	}
	if n[best] < 2 || n[best]*20 < min(len(lines), sampled) {
		return None
	}
	return best
}
