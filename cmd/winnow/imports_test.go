package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowed says which of our packages each package may import; docs/design.md
// draws the same arrows. A new package fails until somebody says where it belongs.
var allowed = map[string][]string{
	"cmd/winnow":                     {"*"},
	"internal/text":                  {},
	"internal/marker":                {},
	"internal/metrics":               {},
	"internal/peer":                  {},
	"internal/settings":              {},
	"internal/install":               {"internal/api", "internal/host", "internal/mcp", "internal/settings", "internal/state"},
	"internal/lock":                  {},
	"internal/ortlib":                {},
	"internal/ortlib/pack":           {},
	"internal/prune/detect":          {"internal/text"},
	"internal/prune":                 {"internal/prune/detect", "internal/text", "internal/marker"},
	"internal/compress":              {"internal/prune/detect", "internal/text"},
	"internal/compress/rows":         {},
	"internal/compress/table":        {"internal/compress", "internal/compress/jsonform", "internal/compress/rows", "internal/prune/detect", "internal/text"},
	"internal/compress/logs":         {"internal/compress", "internal/prune/detect", "internal/text"},
	"internal/compress/hits":         {"internal/compress", "internal/prune/detect", "internal/text"},
	"internal/compress/diffs":        {"internal/compress", "internal/prune/detect", "internal/text"},
	"internal/compress/listing":      {"internal/compress", "internal/prune/detect", "internal/text"},
	"internal/compress/blocks":       {"internal/compress", "internal/prune/detect", "internal/text"},
	"internal/compress/blob":         {"internal/compress", "internal/prune/detect", "internal/text"},
	"internal/compress/jsonform":     {"internal/compress", "internal/compress/rows", "internal/prune/detect", "internal/text"},
	"internal/compress/compresstest": {"internal/compress", "internal/text"},
	"internal/compress/propose":      {"internal/compress", "internal/compress/logs", "internal/prune", "internal/prune/detect", "internal/text"},
	"internal/reduce":                {"internal/api", "internal/compress", "internal/compress/router", "internal/marker", "internal/prune", "internal/prune/detect", "internal/recall", "internal/text"},
	"internal/compress/fidelity":     {"internal/compress/router", "internal/marker", "internal/prune", "internal/prune/detect"},
	"internal/tokens":                {},
	"internal/compress/router":       {"internal/compress", "internal/compress/blob", "internal/compress/blocks", "internal/compress/diffs", "internal/compress/hits", "internal/compress/jsonform", "internal/compress/listing", "internal/compress/logs", "internal/compress/table", "internal/marker", "internal/prune", "internal/prune/detect", "internal/text", "internal/tokens"},
	"internal/lexical":               {"internal/prune", "internal/text"},
	"internal/model":                 {"internal/lexical", "internal/model/tokenizer", "internal/model/window", "internal/ortlib", "internal/prune", "internal/text"},
	"internal/model/tokenizer":       {"internal/text"},
	"internal/model/window":          {"internal/model/tokenizer", "internal/prune", "internal/text"},
	"internal/model/inputs":          {"internal/eval", "internal/lexical", "internal/model/tokenizer", "internal/model/window", "internal/prune"},
	"internal/api":                   {"internal/prune", "internal/second"},
	"internal/config":                {},
	"internal/admit":                 {"internal/prune", "internal/text"},
	"internal/transcript":            {"internal/api", "internal/prune"},
	"internal/seen":                  {"internal/marker", "internal/prune", "internal/text"},
	"internal/replay":                {"internal/marker", "internal/prune", "internal/seen", "internal/text", "internal/transcript"},
	"internal/recall":                {"internal/marker", "internal/text"},
	"internal/hook":                  {"internal/text"},
	"internal/state":                 {"internal/api", "internal/marker"},
	"internal/client":                {"internal/api", "internal/lock", "internal/peer", "internal/state"},
	"internal/host":                  {},
	"internal/mcp":                   {"internal/api", "internal/prune"},
	"internal/doctor":                {"internal/api", "internal/client", "internal/config", "internal/decisions", "internal/host", "internal/install", "internal/lock", "internal/mcp", "internal/metrics", "internal/model", "internal/ortlib", "internal/peer", "internal/prune", "internal/recall", "internal/state", "internal/transcript"},
	"internal/eval":                  {"internal/prune", "internal/text"},
	"internal/second":                {"internal/prune", "internal/text"},
	"internal/price":                 {},
	"internal/purse":                 {"internal/price"},
	"internal/decisions":             {"internal/marker", "internal/prune"},
	"internal/door":                  {"internal/api", "internal/decisions", "internal/hook", "internal/marker", "internal/price", "internal/prune", "internal/purse", "internal/recall", "internal/second", "internal/seen", "internal/text", "internal/transcript"},
	"internal/serve":                 {"internal/api", "internal/decisions", "internal/door", "internal/hook", "internal/marker", "internal/metrics", "internal/peer", "internal/prune", "internal/recall", "internal/seen", "internal/compress/router", "internal/reduce"},
}

// only says who may import the heavy dependencies.
var only = map[string][]string{
	"go.etcd.io/bbolt":                {"internal/recall"},
	"github.com/yalue/onnxruntime_go": {"internal/model"},
	"C":                               {"internal/model"},
	"github.com/fsnotify/fsnotify":    {"internal/config", "internal/transcript"},
	"github.com/spf13/cobra":          {"cmd/winnow"},
	"github.com/modelcontextprotocol/go-sdk/mcp": {"internal/mcp"},
	"github.com/tiktoken-go/tokenizer":           {"internal/tokens"},
	"github.com/tailscale/hujson":                {"internal/settings"},
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "winnow/cmd/...", "winnow/internal/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		err := dec.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, "winnow/")
		may, known := allowed[name]
		if !known {
			t.Errorf("%s: new package; say in this test and in docs/design.md what it may import", name)
		}
		for _, imp := range p.Imports {
			if ours, ok := strings.CutPrefix(imp, "winnow/"); ok && !slices.Contains(may, ours) && !slices.Contains(may, "*") {
				t.Errorf("%s imports %s: against the arrows", name, ours)
			}
			if users, ok := only[imp]; ok && !slices.Contains(users, name) {
				t.Errorf("%s imports %s: only %v may", name, imp, users)
			}
		}
	}
}
