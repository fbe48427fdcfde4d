package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/internal/config"
	"winnow/internal/eval"
	"winnow/internal/prune"
	"winnow/internal/recall"
	"winnow/internal/state"
)

// TestShared prunes every record of a folder of xz-compressed JSONL cases and
// puts what was hidden back from the store. It reads outside the repository, so
// it runs only when asked:
//
//	WINNOW_SHARED=../../../shared/data WINNOW_JUDGE=fake go test -run TestShared -v ./cmd/winnow
func TestShared(t *testing.T) {
	dir := os.Getenv("WINNOW_SHARED")
	if dir == "" {
		t.Skip("WINNOW_SHARED is not set")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl.xz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no records in %s: %v", dir, err)
	}
	s := newSharedRun(t)
	for _, f := range files {
		s.file(t, f)
	}
	t.Logf("all:         %v", s.all)
	t.Logf("claude-code: %v", s.claude)
	for r, n := range s.reasons {
		t.Logf("reason %-20q %d", r, n)
	}
	if s.judge == "fake" && s.claude.share() < 0.30 {
		t.Errorf("hidden share of the Claude Code records = %.3f, want at least 0.30", s.claude.share())
	}
}

// tally counts characters.
type tally struct{ Records, Pruned, In, Hidden int }

func (y *tally) add(in, out int, pruned bool) {
	y.Records++
	y.In += in
	if pruned {
		y.Pruned++
		y.Hidden += in - out
	}
}

func (y tally) share() float64 { return float64(y.Hidden) / float64(max(y.In, 1)) }

type sharedRun struct {
	judge       string
	p           *prune.Pruner
	store       *recall.Store
	all, claude tally
	reasons     map[prune.Reason]int
}

func newSharedRun(t *testing.T) *sharedRun {
	t.Helper()
	name := os.Getenv("WINNOW_JUDGE")
	j, err := openJudge(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.close() })
	dir := state.Dir(filepath.Join(t.TempDir(), "state"))
	if err := dir.Make(); err != nil {
		t.Fatal(err)
	}
	store, err := recall.Open(dir.Store(), recall.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return &sharedRun{judge: j.name, store: store, reasons: map[prune.Reason]int{},
		p: pruner(j, config.Default(), dir, nil)}
}

func (s *sharedRun) file(t *testing.T, path string) {
	t.Helper()
	cmd := exec.Command("xz", "-dc", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(out)
	for {
		var c eval.Case
		err := dec.Decode(&c)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		s.one(t, c)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
}

func (s *sharedRun) one(t *testing.T, c eval.Case) {
	t.Helper()
	res := pruneCase(context.Background(), s.p, c)
	if res.Err != nil {
		t.Errorf("%s: %v", c.ID, res.Err)
	}
	if res.Reason == prune.Internal {
		t.Errorf("%s: panic", c.ID)
	}
	in, after := utf8.RuneCountInString(c.Output), utf8.RuneCountInString(res.Text)
	s.reasons[res.Reason]++
	s.all.add(in, after, res.Reason == prune.Pruned)
	if c.Kind == "claude-code" {
		s.claude.add(in, after, res.Reason == prune.Pruned)
	}
	if back := s.putBack(t, res); back != c.Output {
		t.Errorf("%s: text and recalls do not make the input", c.ID)
	}
}

// putBack stores what was hidden and puts what the store gives back in place of
// each marker line.
func (s *sharedRun) putBack(t *testing.T, res prune.Result) string {
	t.Helper()
	if len(res.Hidden) == 0 {
		return res.Text
	}
	var items []recall.Item
	for _, h := range res.Hidden {
		items = append(items, recall.Item{Text: h.Text, Issue: recall.Issue{Key: h.Key, First: h.First, Last: h.Last, Session: "t", Loop: "main", ToolUseID: "x"}})
	}
	if err := s.store.Put(items); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(res.Text, "\n")
	next := 0
	for i, l := range lines {
		if next == len(res.Hidden) || !strings.HasPrefix(l, "<<ccr:"+string(res.Hidden[next].Key)) {
			continue
		}
		back, err := s.store.Get(res.Hidden[next].Key)
		if err != nil {
			t.Fatal(err)
		}
		lines[i], next = back, next+1
	}
	if next != len(res.Hidden) {
		t.Errorf("%d markers for %d hidden runs", next, len(res.Hidden))
	}
	return strings.Join(lines, "\n")
}
