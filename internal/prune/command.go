package prune

import (
	"path"
	"strings"
)

// searching says whether a shell command looks for lines in files: what it
// prints then has the form of a compiler's messages and is none.
type searching int

const (
	unknownSearch searching = iota // cannot be read, or searches and does other things
	noSearch
	onlySearch
)

// searchers print lines of files with their place.
var searchers = map[string]bool{
	"rg": true, "grep": true, "egrep": true, "fgrep": true, "zgrep": true, "ugrep": true, "ripgrep": true,
	"ag": true, "ack": true, "nl": true, "ast-grep": true, "sg": true,
}

// silent are commands that print no place in a file.
var silent = map[string]bool{
	"": true, "cd": true, "echo": true, "printf": true, "export": true, "set": true, "true": true, ":": true,
	"pwd": true, "for": true, "read": true, "sleep": true, "done": true, "fi": true, "source": true, ".": true,
	"find": true, "fd": true, "ls": true, "wc": true, "which": true, "mkdir": true, "sort": true,
}

// searchOf reads a command's pipelines; the head of each decides, or a search
// that takes its files from it.
func searchOf(command string) searching {
	searches, other := pipelines(command, 0)
	switch {
	case searches && !other:
		return onlySearch
	case other && !searches:
		return noSearch
	}
	return unknownSearch
}

// maxNested bounds shells within shells.
const maxNested = 3

func pipelines(command string, depth int) (searches, other bool) {
	at, sep := 0, byte(0)
	for part := range commandParts(command) {
		before := sep
		if before == '|' && part == "" { // "||" is no pipe
			before = ';'
		}
		if at += len(part); at < len(command) {
			if sep = command[at]; before == ';' && part == "" {
				sep = ';'
			}
		}
		at++
		name := path.Base(commandHead(part))
		if script, ok := nestedScript(part, name); ok && depth < maxNested {
			s, o := pipelines(script, depth+1)
			searches, other = searches || s, other || o
			continue
		}
		switch {
		case isSearch(name, part):
			searches = searches || before != '|' || strings.Contains(part, "xargs")
		case before != '|' && !silent[name] && strings.Trim(name, "+-\\[]") != "":
			other = true
		}
	}
	return searches, other
}

// isSearch reports whether a part of a command whose program is name searches.
func isSearch(name, part string) bool {
	switch name {
	case "git":
		return gitVerb(part) == "grep"
	case "cat":
		return strings.Contains(part, " -n")
	case "find":
		return strings.Contains(part, "grep ") || strings.Contains(part, "rg ")
	}
	return searchers[name]
}

// gitVerb returns what git is asked to do.
func gitVerb(part string) string {
	_, rest, _ := strings.Cut(part, "git ")
	f := strings.Fields(rest)
	for i := 0; i < len(f); i++ {
		switch {
		case f[i] == "-C", f[i] == "-c":
			i++
		case f[i][0] != '-':
			return f[i]
		}
	}
	return ""
}

// nestedScript returns what a shell is told to run by -c: one word, or where
// the quotes were lost on the way (an argv list), all the rest.
func nestedScript(part, name string) (string, bool) {
	if !shells[name] {
		return "", false
	}
	for rest := part; rest != ""; {
		var word string
		word, rest = nextWord(rest)
		if !strings.HasPrefix(word, "-") || !strings.HasSuffix(word, "c") {
			continue
		}
		script, more := nextWord(rest)
		if strings.TrimSpace(more) != "" {
			script = rest
		}
		return script, true
	}
	return "", false
}
