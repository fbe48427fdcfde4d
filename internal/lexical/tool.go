package lexical

import (
	"encoding/json"
	"strings"

	"winnow/internal/prune"
)

// toolKind is what sort of call a text came from.
type toolKind uint8

const (
	toolOther  toolKind = iota
	toolShell           // a command's output
	toolRead            // a file's content
	toolSearch          // hits of a search, lists of files
	toolKinds
)

// Kind names what sort of call a text came from: "shell", "read", "search" or
// "other". The judge's tables and figures are by these.
func Kind(t prune.Tool) string {
	return [toolKinds]string{toolOther: "other", toolShell: "shell", toolRead: "read", toolSearch: "search"}[kindOfTool(t)]
}

// kindOfTool goes by the tool's name and, for a shell, by the command: agents
// read and search through the shell where they have no tool for it.
func kindOfTool(t prune.Tool) toolKind {
	name := strings.ToLower(t.Name)
	switch {
	case strings.Contains(name, "grep"), strings.Contains(name, "glob"), strings.Contains(name, "search"):
		return toolSearch
	case name == "read", name == "view", strings.HasPrefix(name, "read_file"), strings.HasSuffix(name, "__read"), name == "notebookread":
		return toolRead
	case name == "bash", strings.Contains(name, "shell"), strings.Contains(name, "exec"), strings.Contains(name, "terminal"),
		strings.Contains(name, "command"):
		return kindOfCommand(command(t.Input))
	}
	return toolOther
}

// command returns the text of a shell call, however the tool names it.
func command(input json.RawMessage) string {
	var in struct{ Command, Cmd any }
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	for _, v := range []any{in.Command, in.Cmd} {
		switch v := v.(type) {
		case string:
			return v
		case []any: // ["bash", "-lc", "the command"]
			if len(v) > 0 {
				s, _ := v[len(v)-1].(string)
				return s
			}
		}
	}
	return ""
}

// kindOfCommand looks at the last command of a list and the first of its pipe.
func kindOfCommand(cmd string) toolKind {
	for _, sep := range []string{"&&", ";"} {
		if i := strings.LastIndex(cmd, sep); i >= 0 {
			cmd = cmd[i+len(sep):]
		}
	}
	cmd, _, _ = strings.Cut(cmd, "|")
	fields := strings.Fields(cmd)
	if len(fields) == 0 {
		return toolShell
	}
	name := fields[0][strings.LastIndexByte(fields[0], '/')+1:]
	switch name {
	case "cat", "sed", "head", "tail", "nl", "less", "bat":
		return toolRead
	case "grep", "rg", "ag", "find", "fd", "ls", "tree":
		return toolSearch
	case "git":
		if len(fields) > 1 && (fields[1] == "grep" || fields[1] == "ls-files") {
			return toolSearch
		}
		if len(fields) > 1 && fields[1] == "show" {
			return toolRead
		}
	}
	return toolShell
}
