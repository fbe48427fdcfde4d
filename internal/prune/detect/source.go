// Package detect says what a text is, from its name and a cheap look at its
// content. It never changes anything and prefers "don't know" to a guess.
package detect

import (
	"path"
	"strings"
)

// Family is a group of programming languages that look alike for our purpose.
type Family int

// The families. None is everything that is not certainly source code.
const (
	None   Family = iota
	Go            // Go
	Python        // Python, Starlark
	Script        // JavaScript, TypeScript and their mixtures with markup
	Rust          // Rust
	CLike         // C, C++, Java, C#, Kotlin, Swift, Scala, Dart, PHP
	Ruby          // Ruby, Elixir, Crystal
	Shell         // shell scripts
	Lua           // Lua
	SQL           // SQL
	Style         // CSS and its relatives
)

var extensions = map[string]Family{
	".go": Go, ".py": Python, ".pyi": Python, ".bzl": Python,
	".js": Script, ".jsx": Script, ".mjs": Script, ".cjs": Script, ".ts": Script, ".tsx": Script, ".mts": Script, ".cts": Script,
	".vue": Script, ".svelte": Script, ".astro": Script,
	".rs": Rust, ".c": CLike, ".h": CLike, ".cc": CLike, ".cpp": CLike, ".cxx": CLike, ".hpp": CLike, ".hh": CLike, ".m": CLike,
	".java": CLike, ".cs": CLike, ".kt": CLike, ".kts": CLike, ".swift": CLike, ".scala": CLike, ".dart": CLike, ".php": CLike,
	".groovy": CLike, ".proto": CLike, ".zig": CLike, ".rb": Ruby, ".ex": Ruby, ".exs": Ruby, ".cr": Ruby,
	".sh": Shell, ".bash": Shell, ".zsh": Shell, ".lua": Lua, ".sql": SQL, ".css": Style, ".scss": Style, ".less": Style,
}

// Extension returns the family that a file's name promises.
func Extension(file string) Family { return extensions[strings.ToLower(path.Ext(file))] }

// signs are what lines of a family begin with once trimmed. One in ten lines
// must show one, or end as a statement of the family does.
var signs = map[Family][]string{
	Go:     {"func ", "package ", "import ", "type ", "var ", "const ", "if ", "for ", "return", "case ", "switch ", "defer ", "go ", "//", "}", ")"},
	Python: {"def ", "class ", "import ", "from ", "if ", "for ", "return", "with ", "try:", "except", "elif ", "else:", "raise ", "#", "@", `"""`, "self.", "async "},
	Script: {"import ", "export ", "const ", "let ", "var ", "function ", "return", "if (", "} ", "}", "//", "/*", "*", "<", "async ", "await ", "case ", "type ", "interface "},
	Rust:   {"fn ", "pub ", "use ", "let ", "impl ", "struct ", "enum ", "mod ", "match ", "if ", "for ", "//", "#[", "}", "return"},
	CLike:  {"#include", "#define", "#if", "import ", "package ", "public ", "private ", "protected ", "static ", "class ", "if ", "if(", "for ", "return", "//", "/*", "*", "}", "fun ", "func ", "let ", "val ", "var ", "using ", "message ", "@", "$"},
	Ruby:   {"def ", "class ", "module ", "end", "require", "if ", "do", "#", "@", "describe ", "it ", "attr_"},
	Shell:  {"#", "if ", "fi", "for ", "done", "do", "then", "else", "case ", "esac", "echo ", "export ", "function ", "local ", "set ", "}", "[ ", "[[ "},
	Lua:    {"local ", "function ", "end", "if ", "for ", "return", "--"},
	SQL:    {"select", "insert", "create", "alter", "update", "delete", "from", "where", "join", "left ", "--", "drop", "(", ")", "begin", "commit", "add "},
	Style:  {"}", ".", "#", "@", "/*", "--"},
}

// sampled is how many lines the content check looks at.
const sampled = 400

// Source returns the family of a file that is source code by its extension and
// by its content: a log saved as x.go is none.
func Source(file, content string) Family {
	f := Extension(file)
	if f == None {
		return None
	}
	lines, hits, logs := 0, 0, 0
	for line := range strings.Lines(content) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if lines++; lines > sampled {
			break
		}
		if isCode(f, line) {
			hits++
		}
		if looksLogged(line) {
			logs++
		}
	}
	if lines == 0 || hits*5 < lines || logs*5 > lines {
		return None
	}
	return f
}

// isCode reports whether a trimmed line looks like code of the family.
func isCode(f Family, line string) bool {
	if f == SQL {
		line = strings.ToLower(line[:min(len(line), 16)]) + line[min(len(line), 16):]
	}
	for _, s := range signs[f] {
		if strings.HasPrefix(line, s) {
			return true
		}
	}
	switch line[len(line)-1] {
	case '{', '}', ';', '(', ',':
		return f != Python && f != Ruby && f != Lua
	case ':':
		return f == Python
	case ')':
		return strings.Contains(line, "(")
	}
	return strings.Contains(line, " = ") || strings.Contains(line, " := ")
}

// looksLogged reports whether a line is a record of a log or a frame of a
// trace rather than code: it begins with a date or time, a level, or "at ".
func looksLogged(line string) bool {
	if len(line) > 10 && digit(line[0]) && digit(line[1]) && (line[2] == ':' || line[4] == '-' && digit(line[2])) {
		return true
	}
	line = strings.TrimPrefix(line, "[")
	for _, s := range []string{"INFO", "WARN", "ERROR", "DEBUG", "FATAL", "TRACE", "Traceback (most", "goroutine "} {
		if strings.HasPrefix(line, s) {
			return true
		}
	}
	return strings.HasPrefix(line, "at ") && strings.HasSuffix(line, ")")
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
