package prune

import (
	"path"
	"strings"
)

// toolKind says how a tool's arguments and text are read.
type toolKind int

const (
	otherTool toolKind = iota
	shellTool
	readTool
	grepTool
	globTool
	fetchTool
	mcpTool
)

// kinds are the tools that are pruned: Claude Code's own, then what other
// agents call the same thing (recorded sessions are replayed from several).
var kinds = map[string]toolKind{
	"Bash": shellTool, "Read": readTool, "Grep": grepTool, "Glob": globTool, "WebFetch": fetchTool,

	"PowerShell": shellTool, "powershell": shellTool, "bash": shellTool, "shell": shellTool, "local_shell": shellTool,
	"exec_command": shellTool, "write_stdin": shellTool, "exec": shellTool, "wait": shellTool,
	"execute_bash": shellTool, "run_shell_command": shellTool, "run_terminal_cmd": shellTool,
	"ci-log": shellTool,
	"read":   readTool, "view": readTool, "read_file": readTool,
	"grep": grepTool, "glob": globTool, "webfetch": fetchTool,
}

// families are the names under which [Options.Tools] may name a kind.
var families = map[toolKind]string{
	shellTool: "Bash", readTool: "Read", grepTool: "Grep", globTool: "Glob", fetchTool: "WebFetch", mcpTool: "mcp__*",
}

func kindOf(tool string) toolKind {
	if strings.HasPrefix(tool, "mcp__") {
		return mcpTool
	}
	return kinds[tool]
}

// chosen reports whether the options leave the tool in. "Bash" also chooses
// what other agents call their shell.
func (p *Pruner) chosen(tool string, kind toolKind) bool {
	if p.o.Tools == nil {
		return true
	}
	for _, t := range p.o.Tools {
		if t == tool || t == families[kind] {
			return true
		}
		if ok, err := path.Match(t, tool); err == nil && ok {
			return true
		}
	}
	return false
}
