package prune

import (
	"encoding/json"
	"path"
	"strings"
)

// readers are programs that print files as they are.
var readers = map[string]bool{
	"cat": true, "bat": true, "nl": true, "head": true, "tail": true, "sed": true, "awk": true, "less": true, "more": true, "tac": true,
}

// beside are commands that may stand beside a reader and print little of their own.
var beside = map[string]bool{
	"": true, "cd": true, "echo": true, "printf": true, "pwd": true, "true": true, ":": true, "wc": true, "ls": true, "export": true, "set": true,
}

// filesRead returns the files that a shell command prints and does nothing else
// with; nil for any other command.
func filesRead(command string) []string {
	if command == "" || writes(command) {
		return nil
	}
	var files []string
	for part := range commandParts(command) {
		head := commandHead(part)
		if beside[head] {
			continue
		}
		if !readers[head] {
			return nil
		}
		files = append(files, fileWords(part)...)
	}
	return files
}

// gitReaders are what git is asked for when it prints what files hold or held.
var gitReaders = map[string]bool{"diff": true, "show": true, "blame": true, "cat-file": true}

// readsVersions reports whether a shell command does nothing but print versions
// of files, or what differs between them: what speaks of errors there is code.
func readsVersions(command string) bool {
	if command == "" || writes(command) {
		return false
	}
	git := false
	for part := range commandParts(command) {
		switch head := commandHead(part); {
		case head == "git" && gitReaders[gitVerb(part)]:
			git = true
		case beside[head], readers[head], searchers[head]:
		default:
			return false
		}
	}
	return git
}

// fileWords returns the words of a part of a command that name a file.
func fileWords(part string) []string {
	var files []string
	for part != "" {
		var word string
		word, part = nextWord(part)
		if word == "" || word[0] == '-' || strings.ContainsAny(word, "*?<>=$") {
			continue
		}
		if ext := path.Ext(word); len(ext) > 1 && letters[ext[1]] != 0 || strings.Contains(word, "/") {
			files = append(files, word)
		}
	}
	return files
}

// writers are programs that change files, however they are called.
var writers = map[string]bool{
	"tee": true, "mv": true, "cp": true, "rm": true, "touch": true, "patch": true, "apply_patch": true, "truncate": true, "ln": true,
	"install": true, "rsync": true, "unzip": true, "tar": true, "dd": true, "gofmt": true, "goimports": true, "black": true, "prettier": true,
}

// gitWriters are what git is asked for when it changes files.
var gitWriters = map[string]bool{
	"apply": true, "checkout": true, "restore": true, "reset": true, "stash": true, "revert": true, "merge": true, "rebase": true,
	"pull": true, "cherry-pick": true, "switch": true, "clean": true, "mv": true, "rm": true, "am": true, "commit": true,
}

// installers change what programs run with.
var installers = map[string]bool{
	"pip": true, "pip3": true, "npm": true, "pnpm": true, "yarn": true, "bun": true, "apt": true, "apt-get": true, "conda": true, "poetry": true,
	"uv": true, "gem": true, "bundle": true, "brew": true,
}

// writes reports whether a shell command changes files, as far as its words
// tell: a redirection, an editor, a program that is known for it.
func writes(command string) bool {
	if redirects(command) {
		return true
	}
	for part := range commandParts(command) {
		switch head := commandHead(part); {
		case writers[head]:
			return true
		case head == "git" && gitWriters[gitVerb(part)]:
			return true
		case installers[head] && (strings.Contains(part, " install") || strings.Contains(part, " add") || strings.HasSuffix(part, " i")):
			return true
		case (head == "sed" || head == "perl" || head == "ruby") && inPlace(part):
			return true
		case strings.Contains(part, " --fix") || strings.Contains(part, " --write"):
			return true
		}
	}
	return false
}

func inPlace(part string) bool {
	for w := range strings.FieldsSeq(part) {
		if strings.HasPrefix(w, "-i") || strings.HasPrefix(w, "--in-place") || strings.HasPrefix(w, "-pi") {
			return true
		}
	}
	return false
}

// redirects reports whether a command sends output to a file that is not a
// device: "> x", ">> x", not "2>&1", ">/dev/null" or "->".
func redirects(command string) bool {
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '>' && (i == 0 || command[i-1] != '-' && command[i-1] != '='):
			rest := strings.TrimLeft(command[i+1:], "> |")
			if !strings.HasPrefix(rest, "&") && !strings.HasPrefix(rest, "/dev/") && rest != "" {
				return true
			}
			i++
		}
	}
	return false
}

// changes reports whether a call changed what is shown again: one of these
// files, or where a command runs more than a reader, any file.
func changes(c Call, files []string, any bool) bool {
	if edits(c.Tool) {
		return any || oneOf(c.Path, files)
	}
	if kindOf(c.Tool) != shellTool {
		return false
	}
	command := readArgs(json.RawMessage(c.Args)).command
	if command == "" || !writes(command) {
		return false
	}
	if any {
		return true
	}
	for _, f := range files {
		if strings.Contains(command, path.Base(f)) {
			return true
		}
	}
	return false
}

func oneOf(file string, files []string) bool {
	for _, f := range files {
		if samePath(file, f) {
			return true
		}
	}
	return false
}
