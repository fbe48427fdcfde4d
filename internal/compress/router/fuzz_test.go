package router

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/internal/compress/logs"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

var fuzzTools = []prune.Tool{
	{}, {Name: "Bash", Input: []byte(`{"command":"make test"}`)}, {Name: "Read", Input: []byte(`{"file_path":"/p/a.log"}`)},
	{Name: "Grep", Input: []byte(`{"pattern":"x"}`)}, {Name: "mcp__a__b"}, {Name: "exec_command", Input: []byte(`{"cmd":"git diff"}`)},
}

// forced is the kinds that a caller may name, whatever the text is.
var forced = []detect.Kind{
	detect.Unknown, detect.JSON, detect.JSONL, detect.Log, detect.Trace, detect.Search, detect.Diff, detect.Listing, detect.Table, detect.Prose, detect.HTML, detect.Mixed, detect.Binary,
}

// blockOf makes a block of fuzzed bytes.
func blockOf(s string, n uint16) Block {
	return Block{
		Text: s, Tool: fuzzTools[int(n)%len(fuzzTools)], Kind: forced[int(n>>3)%len(forced)], Pressure: float64(n>>7&1) * 0.9,
		Lossless: n>>8&3 == 1, EditsOnly: n>>10&1 == 1, Task: prune.Task{Request: "why does request 7 fail?"},
	}
}

// property checks what holds for every block, and returns the result.
func property(t *testing.T, b Block) Result {
	t.Helper()
	o := Options{CacheBytes: -1}
	o.Limits.MinTokens = 40
	r := New(o)
	res := r.Compress(context.Background(), b)
	check(t, b, res)
	if again := r.Compress(context.Background(), b); again.Text != res.Text {
		t.Errorf("the same block gave another text")
	}
	for _, s := range res.Chain {
		if s.Refused == whyPanic || s.Refused == whyNotExact || s.Refused == whyNoTag || s.Refused == whyOutOfOrder {
			t.Errorf("%s against the contract: %s", s.Name, s.Refused)
		}
	}
	if b.Lossless && len(res.Hidden) > 0 {
		t.Errorf("lossless, and %d originals hidden", len(res.Hidden))
	}
	survive(t, b, res)
	b.Text = res.Text
	if twice := r.Compress(context.Background(), b); len(marker.Find(res.Text)) > 0 && twice.Changed() {
		t.Errorf("a marked text was changed again")
	} else {
		check(t, b, twice)
	}
	return res
}

// survive checks that edits leave every protected line, byte for byte.
func survive(t *testing.T, b Block, res Result) {
	t.Helper()
	if res.Encoded || res.Kind == detect.Diff || res.Sections > 0 {
		return
	}
	d, at := text.Split(b.Text), 0
	causes := prune.Protected(prune.Input{Tool: b.Tool, Text: b.Text})
	deep := deepFrames(b)
	for i, keep := range prune.Kept(b.Tool, b.Text) {
		if !keep || deep[i] && causes[i]&^prune.Trace == 0 {
			continue
		}
		j := strings.Index(res.Text[at:], d.Line(i))
		if j < 0 {
			t.Fatalf("line %d %q is gone", i, d.Line(i))
		}
		at += j + len(d.Line(i))
	}
}

// deepFrames says which lines of a block are a library's frames deep in a stack.
func deepFrames(b Block) map[int]bool {
	parts, _, _ := split(&b)
	deep := map[int]bool{}
	for i := range parts {
		if parts[i].fixed {
			continue
		}
		for j, is := range (logs.Editor{}).DeepFrames(input(&b, &parts[i])) {
			if is {
				deep[parts[i].base+j] = true
			}
		}
	}
	return deep
}

func FuzzCompress(f *testing.F) {
	files, err := filepath.Glob("../../prune/testdata/bugs/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for i, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 64<<10 {
			f.Add(string(data), uint16(i))
			f.Add(string(data), uint16(i*57))
		}
	}
	for i, s := range []string{
		lined(60), array(40), lined(30) + array(40) + "\n" + lined(9), "```\n" + lined(40) + "```\n", quotePlain(array(60)), strings.Repeat("a\n", 90),
		strings.Repeat("src/a.go:12:x := 1\n", 60), "\xff\xfe" + lined(40), strings.Repeat("x\xff\n", 60), strings.ReplaceAll(lined(40), "\n", "\r\n"),
		strings.Repeat("\x1b[32m.\x1b[0m", 400), strings.Repeat("10%\r20%\r", 200) + "done\n", "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n" + strings.Repeat(" x\n", 40) + "-a\n+b\n",
	} {
		for n := range 6 {
			f.Add(s, uint16(i*6+n*131))
		}
	}
	f.Fuzz(func(t *testing.T, s string, n uint16) { property(t, blockOf(s, n)) })
}

// No unit, repeated, may make anything look at the same bytes again and again.
// Eight times the text may take three times eight times as long, measured again
// before it counts: the machine may be busy.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const size = 24 << 10
	for _, unit := range []string{
		"x", "x\n", "\n", "{", "[", `{"a":`, `{"a":1},`, "[1,", `"\n`, "```\n", "<a-b>\n", "diff --git a b\n@@ -1,9 +1,9 @@\n", "a (×2)\n", "⟦↺#0⟧\n", "a\tb\n", "a,b,c\n", "| a | b |\n|---|---|\n",
		"2026-05-02T09:00:00Z INFO a\n", "error: x\n", "src/a.go:1:x\n", "src/a.go-1-x\n", "./a/b\n", "--- PASS: TestA (0.00s)\n", "at a.b(c:1)\n", "10%\r", "\x1b[31mx\x1b[0m\n", "+a\n-b\n", "\xff\n", "é\n",
	} {
		for _, k := range []detect.Kind{detect.Unknown, detect.JSON, detect.Log, detect.Diff, detect.Table, detect.Search, detect.Listing} {
			var small, big time.Duration
			for range 4 {
				small, big = timeOf(unit, size, k), timeOf(unit, 8*size, k)
				if big < 150*time.Millisecond || big < 24*small {
					break
				}
			}
			if big >= 150*time.Millisecond && big >= 24*small {
				t.Errorf("%q as %q took %v, and eight times of it %v", unit, k, small, big)
			}
		}
	}
}

func timeOf(unit string, size int, k detect.Kind) time.Duration {
	b := Block{Text: strings.Repeat(unit, size/len(unit)) + "\nend\n", Kind: k, Pressure: 1, Task: prune.Task{Request: "why is it so?"}}
	start := time.Now()
	run1(Options{CacheBytes: -1}, b)
	return time.Since(start)
}

func ExampleRouter_Compress() {
	b := Block{Text: strings.Repeat("2026-06-19T21:04:11Z INFO  cache hit for key=session:abc123 (ttl 300s)\n", 40)}
	res := New(Options{}).Compress(context.Background(), b)
	fmt.Printf("%s%d -> %d tokens by %v\n", res.Text, res.Before, res.After, res.Accepted())
	// Output:
	// 2026-06-19T21:04:11Z INFO  cache hit for key=session:abc123 (ttl 300s) (×40)
	// 710 -> 20 tokens by [blocks]
}
