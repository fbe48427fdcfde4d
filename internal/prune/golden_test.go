package prune

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"winnow/internal/text"
)

var update = flag.Bool("update", false, "write the outputs of the golden tests")

// needle is a judge that needs the lines which hold a string.
type needle string

func (n needle) Score(_ context.Context, _ Query, d text.Doc) (Scores, error) {
	s := Scores{Line: make([]float64, d.Len())}
	for i := range s.Line {
		if n != "" && strings.Contains(d.Line(i), string(n)) {
			s.Line[i] = 1
		}
	}
	return s, nil
}

// TestGolden compares whole outputs: testdata/golden/*.txtar hold tool, args,
// task, needed (what the judge looks for; none: the fake judge), input and want.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(files) < 15 {
		t.Fatalf("found %d cases, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			part := map[string]string{}
			for _, f := range a.Files {
				part[f.Name] = string(f.Data)
			}
			in := goldenInput(part)
			res := New(needle(strings.TrimSpace(part["needed"])), Options{AllowNothing: true}).Prune(context.Background(), in)
			checkResult(t, in, res)
			got := res.Text
			if !strings.HasSuffix(got, "\n") {
				got += "\n"
			}
			if *update {
				writeGolden(t, file, a, got)
				return
			}
			if diff := cmp.Diff(part["want"], got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := New(needle(strings.TrimSpace(part["needed"])), Options{AllowNothing: true}).Prune(context.Background(), in); again.Text != res.Text {
				t.Error("a second run gave other bytes")
			}
		})
	}
}

func goldenInput(part map[string]string) Input {
	return Input{
		Task:      Task{Request: part["task"]},
		Tool:      call(strings.TrimSpace(part["tool"]), part["args"]),
		Text:      part["input"],
		CanRecall: true,
	}
}

func writeGolden(t *testing.T, file string, a *txtar.Archive, want string) {
	t.Helper()
	var files []txtar.File
	for _, f := range a.Files {
		if f.Name != "want" {
			files = append(files, f)
		}
	}
	a.Files = append(files, txtar.File{Name: "want", Data: []byte(want)})
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}
