package config

import (
	"fmt"
	"regexp"
	"strings"
)

// entry is a value of the file and its line number.
type entry struct {
	value string
	line  int
}

var nameRE = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parseEnv reads NAME=value lines, as a shell that sources the file would, as
// far as it goes: # comments, an optional "export", one pair of quotes. The
// last of equal names counts. Names that are no settings are warnings: a file
// written for a later release must not stop this one.
func parseEnv(s string) (map[string]entry, []string, []error) {
	file := map[string]entry{}
	var warnings []string
	var errs []error
	s = strings.TrimPrefix(s, "\ufeff")
	for i, line := range strings.Split(s, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "export "); ok {
			line = strings.TrimSpace(rest)
		}
		name, raw, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || !nameRE.MatchString(name) {
			errs = append(errs, fmt.Errorf("line %d: want NAME=value", i+1))
			continue
		}
		v, err := unquote(strings.TrimSpace(raw))
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("line %d: %s: %w", i+1, name, err))
		case name == "WINNOW_DIR":
			warnings = append(warnings, fmt.Sprintf("line %d: WINNOW_DIR says where this file is and counts in the environment only", i+1))
		case !known(name):
			warnings = append(warnings, fmt.Sprintf("line %d: %s is not a setting of this release", i+1, name))
		default:
			file[name] = entry{v, i + 1}
		}
	}
	return file, warnings, errs
}

// unquote takes one pair of quotes and a comment behind the value away.
func unquote(v string) (string, error) {
	if v == "" || v[0] == '#' {
		return "", nil
	}
	if q := v[:1]; q == `"` || q == "'" {
		in, after, ok := strings.Cut(v[1:], q)
		after = strings.TrimSpace(after)
		if !ok || after != "" && after[0] != '#' {
			return "", fmt.Errorf("unbalanced %s", q)
		}
		return strings.TrimSpace(in), nil
	}
	for _, sep := range []string{" #", "\t#"} {
		v, _, _ = strings.Cut(v, sep)
	}
	return strings.TrimSpace(v), nil
}
