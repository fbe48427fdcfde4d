package transcript

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"winnow/internal/prune"
)

// maxArgs is the length up to which arguments are kept as they are. Longer ones
// (a Write's content) are only ever compared.
const maxArgs = 16 << 10

// CallOf makes a Call of a tool_use block. Both doors use it, so that equal
// arguments are equal strings.
func CallOf(id, tool string, input json.RawMessage) prune.Call {
	c := prune.Call{ID: id, Tool: tool, Args: prune.Args(input)}
	if len(c.Args) > maxArgs {
		c.Args = fmt.Sprintf("%d bytes, sha256 %x", len(c.Args), sha256.Sum256([]byte(c.Args)))
	}
	switch tool {
	case "Read", "Edit", "Write", "MultiEdit", "NotebookEdit":
		c.Path = pathOf(input)
	}
	return c
}

func pathOf(input json.RawMessage) string {
	var in struct {
		FilePath     any `json:"file_path"`
		NotebookPath any `json:"notebook_path"`
	}
	if json.Unmarshal(input, &in) != nil {
		return ""
	}
	if s, ok := in.FilePath.(string); ok && s != "" {
		return s
	}
	s, _ := in.NotebookPath.(string)
	return s
}
