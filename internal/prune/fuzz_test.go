package prune

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// byteScores is a judge whose answer is given: a byte a line, 255 for no
// number; lines beyond it are not judged.
type byteScores []byte

func (b byteScores) Score(context.Context, Query, text.Doc) (Scores, error) {
	s := Scores{Line: make([]float64, len(b))}
	for i, x := range b {
		s.Line[i] = float64(x) / 254
		if x == 255 {
			s.Line[i] = math.NaN()
		}
	}
	return s, nil
}

var fuzzTools = []Tool{
	call("Bash", `{"command":"make"}`), call("Read", `{"file_path":"/p/a.go"}`), call("Read", `{"file_path":"/p/a.md"}`),
	call("Grep", `{"pattern":"x","path":"/p/a.go"}`), call("mcp__a__b", `{}`), call("exec_command", `{"cmd":"ls"}`), call("Glob", `{}`),
}

// FuzzPrune checks on arbitrary bytes and scores: hidden text put back gives
// the input, output is never longer, protected and needed lines survive, the
// same input gives the same bytes, and pruned text is left alone.
func FuzzPrune(f *testing.F) {
	for _, b := range allBlocks() {
		f.Add(rows(20)+b.block+"\n"+rows(20), []byte{0, 9, 200}, uint8(0), false)
	}
	files, _ := filepath.Glob("testdata/golden/*.txtar")
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range a.Files {
			if part.Name == "input" {
				f.Add(string(part.Data), make([]byte, 400), uint8(len(file)), len(file)%2 == 0)
			}
		}
	}
	for _, name := range []string{"B058.bin", "B061.txt", "B065.bin", "B067.bin"} {
		raw, err := os.ReadFile("testdata/bugs/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(raw), make([]byte, 300), uint8(0), false)
	}
	f.Fuzz(func(t *testing.T, src string, scores []byte, tool uint8, renumbered bool) {
		in := Input{
			Task: Task{Request: "x"}, Tool: fuzzTools[int(tool)%len(fuzzTools)], Text: src, CanRecall: true,
			Renumbered: renumbered && tool%7 < 3 && tool%7 > 0, StartLine: int(tool),
		}
		issued := map[marker.Key]bool{}
		o := Options{MinChars: 1, MinSaving: 1e-9, AllowNothing: true, Live: func(k marker.Key) bool { return issued[k] }}
		p := New(byteScores(scores), o)
		pl := p.Plan(context.Background(), in)
		res := p.Prune(context.Background(), in)
		checkResult(t, in, res)
		if again := p.Prune(context.Background(), in); again.Text != res.Text || again.Reason != res.Reason {
			t.Error("the same input gave another answer")
		}
		if res.Reason != Pruned {
			return
		}
		hidden := map[int]bool{}
		for _, h := range res.Hidden {
			issued[h.Key] = true
			for i := h.Start; i <= h.End; i++ {
				hidden[i] = true
				if pl.Protected[i] != 0 {
					t.Errorf("line %d is hidden, though protected: %v", i, pl.Protected[i])
				}
			}
		}
		for i, x := range scores {
			if p := float64(x) / 254; p >= 0.1 {
				for j := max(0, i-neighbours); j <= i+neighbours; j++ {
					if hidden[j] && x != 255 {
						t.Errorf("line %d is hidden, beside line %d with %v", j, i, p)
					}
				}
			}
		}
		in.Text = res.Text
		if again := p.Prune(context.Background(), in); again.Text != res.Text {
			t.Error("pruned text was pruned again")
		}
	})
}

// FuzzSaved checks the view of saved outputs on arbitrary bytes.
func FuzzSaved(f *testing.F) {
	for _, b := range allBlocks() {
		f.Add(rows(20)+b.block+"\n"+rows(20), []byte{0, 9, 200}, false)
	}
	f.Add(strings.Repeat("x", 5000)+"\nfailed", []byte{1}, true)
	f.Add("0", []byte("\xff0"), true) // more scores than lines
	f.Fuzz(func(t *testing.T, src string, scores []byte, partial bool) {
		in := savedInput(src)
		in.Saved.Partial = partial
		res := New(byteScores(scores), Options{}).Prune(context.Background(), in)
		checkResult(t, in, res)
	})
}

// FuzzCommand: no command makes the reading of commands fail.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"winnow", "a | winnow b", `bash -c "winnow`, "$(winnow", `x='winnow`, `\winnow`, "(winnow)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if ownCommand(s) && !strings.Contains(s, "winnow") {
			t.Errorf("ownCommand(%q)", s)
		}
	})
}
