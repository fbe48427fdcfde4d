package host

import (
	"path/filepath"
	"regexp"
	"strings"
)

// rules are the permission rules of all files together.
type rules struct{ allow, ask, deny []string }

func rulesOf(files []File) (r rules) {
	managedOnly := false
	for _, f := range files {
		managedOnly = managedOnly || f.Managed && f.ManagedRules
	}
	for _, f := range files {
		if f.Managed || !managedOnly {
			r.allow = append(r.allow, f.Allow...)
		}
		r.ask, r.deny = append(r.ask, f.Ask...), append(r.deny, f.Deny...)
	}
	return r
}

// runs reports whether a call runs without a question: no rule is against it,
// and one is for it, or nobody asks at all.
func (r rules) runs(mode string, allowed, against func(rule string) bool) bool {
	for _, rule := range append(r.deny, r.ask...) {
		if against(rule) {
			return false
		}
	}
	if mode == "bypassPermissions" {
		return true
	}
	for _, rule := range r.allow {
		if allowed(rule) {
			return true
		}
	}
	return false
}

// allowsTool knows the forms that surely allow an MCP tool.
func allowsTool(server, tool string) func(string) bool {
	return func(rule string) bool {
		return rule == "mcp__"+server || rule == "mcp__"+server+"__*" || rule == "mcp__"+server+"__"+tool
	}
}

// mayMeanTool takes any rule that might concern an MCP tool for one that does.
func mayMeanTool(server, tool string) func(string) bool {
	return func(rule string) bool {
		name, _, _ := strings.Cut(rule, "(")
		ok, err := filepath.Match(name, "mcp__"+server+"__"+tool)
		return ok || err != nil || name == "mcp__"+server
	}
}

// meansCommand reports whether a rule is about a shell command: `Bash`,
// `Bash(winnow:*)`, `Bash(winnow recall *)`.
func meansCommand(rule, command string) bool {
	what, ok := strings.CutPrefix(rule, "Bash")
	if !ok {
		return false
	}
	if what == "" {
		return true
	}
	inner, open := strings.CutPrefix(what, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if !open || !closed {
		return false
	}
	if prefix, is := strings.CutSuffix(inner, ":*"); is {
		return prefix == "" || command == prefix || strings.HasPrefix(command, prefix+" ")
	}
	re := strings.ReplaceAll(regexp.QuoteMeta(inner), `\*`, ".*")
	found, err := regexp.MatchString("^(?:"+re+")$", command)
	return err == nil && found
}

// recalls are the forms of the recall command that an agent uses.
var recalls = []string{
	"winnow recall 0123456789abcdef01234567",
	"winnow recall 0123456789abcdef01234567 --lines 1-2",
}

func allowsRecall(rule string) bool {
	for _, c := range recalls {
		if !meansCommand(rule, c) {
			return false
		}
	}
	return true
}

func mayMeanRecall(rule string) bool {
	for _, c := range recalls {
		if meansCommand(rule, c) {
			return true
		}
	}
	return rule == "*"
}
