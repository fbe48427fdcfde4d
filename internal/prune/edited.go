package prune

import (
	"encoding/json"
	"strings"
)

// Edited returns the file that a call changes, as another agent's edit names
// it; "" for any other call.
func Edited(tool string, input json.RawMessage) string {
	switch tool {
	case "edit", "write", "multiedit", "str_replace", "create", "patch":
		return readArgs(input).path
	case "apply_patch":
		for line := range strings.Lines(patchOf(input)) {
			for _, head := range []string{"*** Update File: ", "*** Add File: "} {
				if f, ok := strings.CutPrefix(line, head); ok {
					return strings.TrimSpace(f)
				}
			}
		}
	}
	return ""
}

func patchOf(input json.RawMessage) string {
	var s string
	if json.Unmarshal(input, &s) == nil {
		return s
	}
	var in struct{ Input, Patch string }
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	return in.Input + in.Patch
}
