package compress_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/internal/compress"
	"winnow/internal/compress/blocks"
	"winnow/internal/compress/logs"
	"winnow/internal/prune"
)

// TestBugs gives the inputs of public bug reports of this field to the editors:
// what their readers needed stays, folds come back byte for byte.
func TestBugs(t *testing.T) {
	const dir = "../prune/testdata/bugs/"
	files, err := filepath.Glob(dir + "*.expect.json")
	if err != nil || len(files) < 40 {
		t.Fatalf("found %d expectations, %v", len(files), err)
	}
	for _, file := range files {
		var e struct {
			ID        string
			Input     []string
			Task      string
			Tool      string
			ToolInput json.RawMessage `json:"tool_input"`
			MustKeep  []string        `json:"must_keep"`
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &e); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if len(e.Input) == 0 || strings.Contains(e.Input[0], ".json") || strings.Contains(e.Input[0], ".hook") {
			continue
		}
		if e.Tool == "" {
			e.Tool = "Bash"
		}
		src, err := os.ReadFile(dir + e.Input[0])
		if err != nil {
			t.Fatal(err)
		}
		t.Run(e.ID, func(t *testing.T) {
			tool := prune.Tool{Name: e.Tool, Input: e.ToolInput}
			in := compress.Input{Text: string(src), Tool: e.Tool, Command: commandOf(tool), Query: e.Task}
			checkFolds(t, in)
			prot := prune.Protected(prune.Input{Tool: tool, Task: prune.Task{Request: e.Task}, Text: in.Text})
			for _, ed := range route(&in) {
				cuts := ed.Cuts(in)
				var b strings.Builder
				for i, l := range strings.SplitAfter(in.Text, "\n") {
					if prot[i] != 0 || !hides(cuts, i) {
						b.WriteString(l)
					}
				}
				left := b.String()
				for _, want := range e.MustKeep {
					if strings.Contains(in.Text, want) && !strings.Contains(left, want) {
						t.Errorf("%s as %s: no %q in:\n%s", ed.Name(), in.Kind, want, left)
					}
				}
			}
		})
	}
}

func hides(cuts []compress.Cut, line int) bool {
	for _, c := range cuts {
		if c.First <= line && line <= c.Last {
			return true
		}
	}
	return false
}

func checkFolds(t *testing.T, in compress.Input) {
	t.Helper()
	for _, o := range []blocks.Options{{}, {NoRuns: true}, {NoBlocks: true}} {
		if back, err := blocks.Decode(blocks.Encode(in.Text, o)); err != nil || back != in.Text {
			t.Errorf("blocks %+v: another text comes back, %v", o, err)
		}
	}
	if form, ok := (logs.Screen{}).Sample(in, "TAG"); ok && len(form) > len(in.Text) {
		t.Errorf("a screen of %d bytes for %d", len(form), len(in.Text))
	}
}
