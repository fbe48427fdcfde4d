package detect

import (
	"path"
	"strings"
)

// languages names what an extension promises.
var languages = map[string]string{
	".go": "go", ".py": "python", ".pyi": "python", ".bzl": "starlark", ".js": "javascript", ".jsx": "javascript", ".mjs": "javascript",
	".cjs": "javascript", ".ts": "typescript", ".tsx": "typescript", ".mts": "typescript", ".cts": "typescript", ".vue": "vue",
	".svelte": "svelte", ".astro": "astro", ".rs": "rust", ".c": "c", ".h": "c", ".cc": "c++", ".cpp": "c++", ".cxx": "c++",
	".hpp": "c++", ".hh": "c++", ".m": "objective-c", ".java": "java", ".cs": "c#", ".kt": "kotlin", ".kts": "kotlin",
	".swift": "swift", ".scala": "scala", ".dart": "dart", ".php": "php", ".groovy": "groovy", ".proto": "protobuf", ".zig": "zig",
	".rb": "ruby", ".ex": "elixir", ".exs": "elixir", ".cr": "crystal", ".sh": "shell", ".bash": "shell", ".zsh": "shell",
	".lua": "lua", ".sql": "sql", ".css": "css", ".scss": "scss", ".less": "less",
}

var familyNames = [...]string{
	Go: "go", Python: "python", Script: "javascript", Rust: "rust", CLike: "c", Ruby: "ruby", Shell: "shell", Lua: "lua", SQL: "sql", Style: "css",
}

// source knows code by the name of the file that was read and a look at its
// lines, or by definitions that only one language has.
func source(l *look, h Hint) Guess {
	if f := Extension(h.File); f != None {
		if sourceShare(l, f) >= 0.2 && l.of(sLogged) <= 0.2 {
			return Guess{Kind: Code, Language: languages[strings.ToLower(path.Ext(h.File))], Confidence: 0.97}
		}
		return Guess{}
	}
	if strings.HasPrefix(l.lines[0], "#!") && l.of(sLogged) <= 0.1 {
		return Guess{Kind: Code, Language: shebang(l.lines[0]), Confidence: 0.9}
	}
	if minified(l) {
		return Guess{Kind: Code, Language: "javascript", Confidence: 0.9}
	}
	l = unlisted(l)
	f := Sight(l.raw)
	if f == None || l.of(sLogged) > 0.1 || l.of(sHit|sNumbered) > 0.3 {
		return Guess{}
	}
	share := sourceShare(l, f)
	if share < 0.45 {
		return Guess{}
	}
	return Guess{Kind: Code, Language: familyNames[f], Confidence: min(0.5+share/2, 0.95) - prosaic(l)}
}

// unlisted leaves out the lines of long list and dictionary literals, which say
// nothing of the language, where they are most of the lines.
func unlisted(l *look) *look {
	items := 0
	for _, t := range l.lines {
		if isItem(t) {
			items++
		}
	}
	if items*2 < len(l.lines) || len(l.lines)-items < 3 {
		return l
	}
	rest := &look{numbered: l.numbered, cut: l.cut}
	for i, t := range l.lines {
		if !isItem(t) {
			rest.raw, rest.lines, rest.signs = append(rest.raw, l.raw[i]), append(rest.lines, t), append(rest.signs, l.signs[i])
		}
	}
	return rest
}

// isItem reports whether a line is an item of a literal and nothing else.
func isItem(t string) bool {
	if end := t[len(t)-1]; end != ',' && end != '}' && end != ']' && end != ')' {
		return false
	}
	return len(t) > 2 && (strings.IndexByte("{[(\"'`", t[0]) >= 0 || digit(t[0]))
}

// minified reports whether most of the text is in lines without an end, as a
// bundler writes them: brackets all over, and words that only code has.
func minified(l *look) bool {
	long, code := 0, 0
	for _, t := range l.raw {
		if len(t) < maxLine*9/10 {
			continue
		}
		long++
		brackets, words := 0, 0
		for i := range len(t) {
			if strings.IndexByte("(){}[];=", t[i]) >= 0 {
				brackets++
			}
		}
		for _, w := range []string{"function(", "function ", "=>", "return ", "var ", "const ", "let ", "this.", "void 0", "!0", "null"} {
			if strings.Contains(t, w) {
				words++
			}
		}
		if brackets*10 >= len(t) && words >= 2 {
			code++
		}
	}
	return code > 0 && code*2 >= long && long*4 >= len(l.raw)
}

func sourceShare(l *look, f Family) float64 {
	return l.share(func(t string) bool { return isCode(f, t) })
}

func shebang(line string) string {
	for _, w := range []string{"python", "node", "ruby", "perl", "bash", "zsh", "sh"} {
		if strings.Contains(line, w) {
			switch w {
			case "node":
				return "javascript"
			case "bash", "zsh", "sh":
				return "shell"
			}
			return w
		}
	}
	return ""
}

// prosaic is what sentences, fences and headings take from the belief in code:
// a document that quotes code is no source file.
func prosaic(l *look) float64 {
	return min(0.15*float64(l.count(sFence|sHeading))+l.of(sSentence), 0.6)
}
