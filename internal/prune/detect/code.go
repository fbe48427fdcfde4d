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
