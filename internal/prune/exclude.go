package prune

import (
	"path"
	"strings"
)

// excluded reports whether the person asked to leave such calls alone.
func (p *Pruner) excluded(kind toolKind, a *args) bool {
	if kind == shellTool {
		for _, s := range p.o.ExcludeCommands {
			if s != "" && strings.Contains(a.command, s) {
				return true
			}
		}
		return false
	}
	if a.path == "" {
		return false
	}
	for _, pattern := range p.o.ExcludePaths {
		if matchPath(pattern, a.path) {
			return true
		}
	}
	return false
}

// matchPath reports whether a glob matches a path. "*" and "?" stop at a
// slash, "**" crosses them. A pattern without a slash is matched against each
// element of the path ("*.lock", "secrets"); one with a leading slash or "~/"
// against the whole path, or a folder above it; any other against the end of
// the path, or of a folder above it ("docs/*.md", "gen/**").
func matchPath(pattern, file string) bool {
	if pattern == "" {
		return false
	}
	pattern = strings.TrimSuffix(pattern, "/")
	elems := strings.Split(strings.Trim(path.Clean(strings.ReplaceAll(file, `\`, "/")), "/"), "/")
	want := strings.Split(strings.Trim(pattern, "/"), "/")
	switch {
	case strings.HasPrefix(pattern, "/"):
		return strings.HasPrefix(file, "/") && matchHead(want, elems)
	case strings.HasPrefix(pattern, "~/"):
		want = want[1:]
	}
	for i := range elems {
		if matchHead(want, elems[i:]) {
			return true
		}
	}
	return false
}

// matchHead reports whether want matches some leading elements of a path.
func matchHead(want, elems []string) bool {
	if len(want) == 0 {
		return true
	}
	if want[0] == "**" {
		for i := range len(elems) + 1 {
			if matchHead(want[1:], elems[i:]) {
				return true
			}
		}
		return false
	}
	if len(elems) == 0 {
		return false
	}
	ok, err := path.Match(want[0], elems[0])
	return err == nil && ok && matchHead(want[1:], elems[1:])
}
