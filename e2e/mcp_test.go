//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"winnow/e2e/lab"
)

// useMCP gives the client the server "lab": this test binary.
func useMCP(l *lab.Lab) {
	l.Helper()
	exe, err := os.Executable()
	if err != nil {
		l.Fatal(err)
	}
	l.MCP["lab"] = map[string]any{"command": exe, "env": map[string]string{"E2E_MCP": "1"}}
}

// serveMCP is a tiny MCP server on stdio with one tool, big: n numbered lines in
// two text blocks.
func serveMCP(in io.Reader, out io.Writer) int {
	sc := bufio.NewScanner(in)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string `json:"protocolVersion"`
				Arguments       struct {
					N int `json:"n"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(sc.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		var result any = map[string]any{}
		switch m.Method {
		case "initialize":
			result = map[string]any{"protocolVersion": m.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo": map[string]any{"name": "lab", "version": "1"}}
		case "tools/list":
			result = map[string]any{"tools": []any{map[string]any{"name": "big", "description": "Returns n numbered lines.",
				"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}}}}}
		case "tools/call":
			block := func(s string) any { return map[string]any{"type": "text", "text": s} }
			result = map[string]any{"content": []any{block(mcpLines("first", m.Params.Arguments.N)), block(mcpLines("second", m.Params.Arguments.N))}}
		}
		b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
		if err != nil {
			return 1
		}
		if _, err := out.Write(append(b, '\n')); err != nil {
			return 1
		}
	}
	return 0
}

// mcpLines is a block of n lines with one failure among them.
func mcpLines(name string, n int) string {
	var b strings.Builder
	for i := range n {
		if i == n/2 {
			fmt.Fprintf(&b, "%s: ERROR probe %05d refused\n", name, i)
			continue
		}
		fmt.Fprintf(&b, "%s: row %05d status ok latency %d ms\n", name, i, i%7)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
