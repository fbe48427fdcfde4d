package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"winnow/internal/api"
	"winnow/internal/config"
	"winnow/internal/decisions"
	"winnow/internal/doctor"
	"winnow/internal/state"
)

// TestReadmeShowsWhatIsPrinted: each line of README's output of a command is one
// that the command prints, but for its numbers and paths.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	b, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(b), "## What it says")
	_, block, _ = strings.Cut(block, "```\n")
	block, _, _ = strings.Cut(block, "```")
	printed := map[string]string{"$ winnow status": statusLines(), "$ winnow stats": statsLines(), "$ winnow doctor": doctorLines(t)}
	var now map[string]bool
	seen := 0
	for line := range strings.Lines(block) {
		line = strings.TrimRight(line, "\n")
		if out, is := printed[line]; is {
			now = map[string]bool{}
			for l := range strings.Lines(out) {
				now[label(strings.TrimRight(l, "\n"))] = true
			}
			continue
		}
		if line == "" {
			continue
		}
		seen++
		if !now[label(line)] {
			t.Errorf("README shows %q; the command prints no %q", line, label(line))
		}
	}
	if seen < 15 {
		t.Errorf("%d lines read", seen)
	}
}

var labelRE = regexp.MustCompile(`^(?:(?:ok|warn|fail) +)? *\(?[a-z0-9-]+`)

// label is what a line begins with: its name, behind doctor's state; of a line in
// brackets or of a command to try, the words around the numbers.
func label(line string) string {
	l := labelRE.FindString(line)
	for _, state := range []string{"ok ", "warn ", "fail "} {
		if rest, is := strings.CutPrefix(l, state); is {
			l = "row " + strings.TrimSpace(rest)
		}
	}
	if strings.Contains(l, "(") {
		return regexp.MustCompile(`\d+`).ReplaceAllString(line, "N")
	}
	return l
}

func statusLines() string {
	var w bytes.Buffer
	printStatus(&w, api.Status{Setting: config.Active, Doors: []api.Door{{Name: "hook", Requests: 1}},
		Counts: map[string]int64{"active.pruned": 1, "keys.pruned": 1}})
	return w.String()
}

func statsLines() string {
	zero := 0
	tally := decisions.NewTally()
	tally.Add(decisions.Record{Time: time.Now(), Door: "mod", Mode: "active", Judge: "onnx", PFailure: &zero, Keys: []string{"k"}})
	var w bytes.Buffer
	printStats(&w, "", tally.Summary())
	return w.String()
}

func doctorLines(t *testing.T) string {
	t.Helper()
	var w bytes.Buffer
	o := doctor.Options{Dir: state.Dir(t.TempDir()), Exe: "winnow", Judge: doctorJudge, Managed: t.TempDir(),
		Proven: func(config.Config) []string { return nil }}
	o.Getenv = func(name string) string { return map[string]string{"WINNOW_JUDGE": "fake", "WINNOW_PORT": "0"}[name] }
	if err := printFindings(&w, doctor.Run(context.Background(), o)); err != nil {
		t.Fatal(err)
	}
	return w.String()
}
