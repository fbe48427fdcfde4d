package prune

import (
	"path"
	"strings"
)

// ownTool reports whether a tool is winnow's, under whatever qualified name a
// host gives it: mcp__winnow__recall, mcp__plugin_winnow_winnow__recall.
func ownTool(name string) bool {
	if !strings.HasPrefix(name, "mcp__") {
		return strings.HasPrefix(name, "winnow_")
	}
	server, tool, _ := strings.Cut(strings.TrimPrefix(name, "mcp__"), "__")
	for word := range strings.FieldsFuncSeq(server, func(r rune) bool { return r == '_' || r == '-' || r == ':' }) {
		if word == "winnow" {
			return true
		}
	}
	return strings.HasPrefix(tool, "winnow_")
}

// ownCommand reports whether a shell command runs winnow: as the head of any
// part of it, by name or by path. Naming the word elsewhere is not running it.
func ownCommand(command string) bool {
	if !strings.Contains(command, "winnow") {
		return false
	}
	for part := range commandParts(command) {
		if head := commandHead(part); head == "winnow" || head == "winnow.exe" {
			return true
		}
	}
	return false
}

// commandParts cuts a command at what starts a new one (| & ; newline, a
// bracket, a backtick), outside of quotes; a double-quoted part may still hold
// $(...). It is no shell: an odd command is at worst cut in one place too many.
func commandParts(s string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start, quote := 0, byte(0)
		for i := 0; i < len(s); i++ {
			c := s[i]
			switch {
			case c == '\\' && quote != '\'':
				i++
				continue
			case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '`' && !(c == '(' && s[i-1] == '$'):
				continue
			case c == quote:
				quote = 0
				continue
			case quote == 0 && (c == '\'' || c == '"'):
				quote = c
				continue
			case quote == 0 && !strings.ContainsRune("|&;\n(){}`", rune(c)):
				continue
			}
			if !yield(s[start:i]) {
				return
			}
			start = i + 1
		}
		yield(s[start:])
	}
}

// wrappers run the command that follows them.
var wrappers = map[string]bool{
	"sudo": true, "env": true, "time": true, "nohup": true, "exec": true, "command": true, "nice": true,
	"setsid": true, "stdbuf": true, "timeout": true, "xargs": true, "builtin": true, "watch": true,
	"if": true, "then": true, "else": true, "elif": true, "while": true, "until": true, "do": true, "!": true,
}

var shells = map[string]bool{"sh": true, "bash": true, "zsh": true, "dash": true, "fish": true}

// commandHead returns the base name of what one part of a command runs,
// looking past assignments, wrappers and a shell's -c.
func commandHead(part string) string {
	wrapped := false
	for part != "" {
		var word string
		word, part = nextWord(part)
		name := strings.ReplaceAll(word, `\`, "/")
		base := path.Base(name)
		switch {
		case word == "":
			return ""
		case wrappers[base]:
			wrapped = true
		case shells[base]:
			if script, ok := shellScript(part); ok {
				if ownCommand(script) {
					return "winnow"
				}
				return base
			}
			return base
		case isAssignment(word), wrapped && (word[0] == '-' || word[0] >= '0' && word[0] <= '9'):
		default:
			return base
		}
	}
	return ""
}

// nextWord takes one word off s, without its quotes.
func nextWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t\r")
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t' || c == '\r'):
			return b.String(), s[i:]
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// shellScript returns what "-c script" runs.
func shellScript(s string) (string, bool) {
	for s != "" {
		var word string
		word, s = nextWord(s)
		if !strings.HasPrefix(word, "-") {
			return "", false
		}
		if strings.HasSuffix(word, "c") {
			script, _ := nextWord(s)
			return script, true
		}
	}
	return "", false
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" {
		return false
	}
	for _, r := range name {
		if !(r == '_' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') {
			return false
		}
	}
	return true
}

// namesState reports whether a call looks into winnow's own folder.
func (p *Pruner) namesState(kind toolKind, a *args) bool {
	dir := strings.TrimRight(p.o.StateDir, "/")
	if dir == "" || kind == fetchTool || kind == mcpTool {
		return false
	}
	names := []string{dir}
	if base := path.Base(dir); strings.HasPrefix(base, ".") { // a folder of the home directory
		names = append(names, "~/"+base, "$HOME/"+base, "${HOME}/"+base)
	}
	for _, s := range []string{a.path, a.command} {
		for _, name := range names {
			if namesPath(s, name) {
				return true
			}
		}
	}
	return false
}

// namesPath reports whether s holds name as a whole path or the head of one.
func namesPath(s, name string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], name)
		if i < 0 {
			return false
		}
		at += i + len(name)
		if at == len(s) || !isNameByte(s[at]) {
			return true
		}
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
