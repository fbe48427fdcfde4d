package prune

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"winnow/internal/text"
)

// TestData runs the fake judge over recorded tool results, one JSON object a
// line, and reports how much is hidden and why the rest is not:
//
//	WINNOW_DATA='/folder/*.jsonl' go test -run TestData -v ./internal/prune
//
// WINNOW_SHOW=N prints every Nth pruned result.
func TestData(t *testing.T) {
	pattern := os.Getenv("WINNOW_DATA")
	if pattern == "" {
		t.Skip("WINNOW_DATA names no recorded results")
	}
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	var show int
	fmt.Sscan(os.Getenv("WINNOW_SHOW"), &show)
	p := New(Fake{}, Options{AllowNothing: true})
	chars, hidden := map[string]int{}, map[string]int{}
	reasons := map[Reason][2]int{}
	var slowest time.Duration
	n := 0
	for _, file := range files {
		eachRecord(t, file, func(r record) {
			in := Input{Task: r.Task, Tool: r.Tool, Text: r.Output, Failed: r.IsError, CanRecall: true}
			start := time.Now()
			res := p.Prune(context.Background(), in)
			if d := time.Since(start); d > slowest {
				slowest = d
				t.Logf("%s %s: %d bytes in %v", r.ID, r.Tool.Name, len(r.Output), d)
			}
			checkResult(t, in, res)
			total := text.Chars(r.Output)
			chars[r.Kind] += total
			hidden[r.Kind] += total - text.Chars(res.Text)
			x := reasons[res.Reason]
			reasons[res.Reason] = [2]int{x[0] + 1, x[1] + total}
			if res.Reason == Pruned {
				if n++; show > 0 && n%show == 0 {
					fmt.Printf("=== %s %s %s\nrequest: %.200s\n%s\n", r.ID, r.Tool.Name, r.Tool.Input, r.Task.Request, res.Text)
				}
			}
		})
	}
	for kind, total := range chars {
		t.Logf("%s: %.1f %% of %d characters hidden", kind, 100*float64(hidden[kind])/float64(total), total)
	}
	names := make([]string, 0, len(reasons))
	for r, x := range reasons {
		names = append(names, fmt.Sprintf("%10d chars %6d results %q", x[1], x[0], r))
	}
	sort.Sort(sort.Reverse(sort.StringSlice(names)))
	t.Log("\n" + strings.Join(names, "\n"))
}

type record struct {
	ID, Kind, Output string
	Task             Task
	Tool             Tool
	IsError          bool `json:"is_error"`
}

func eachRecord(t *testing.T, file string, f func(record)) {
	t.Helper()
	fd, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer fd.Close()
	sc := bufio.NewScanner(fd)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		var r record
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		f(r)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}
