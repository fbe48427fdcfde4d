package prune

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkPrune measures gate, protection and rendering (the fake judge costs
// nothing):
//
//	go test -run xx -bench Prune ./internal/prune
func BenchmarkPrune(b *testing.B) {
	kinds := []struct {
		name, tool, input string
		line              func(i int) string
	}{
		{"log", "Bash", `{"command":"cat x.log"}`, func(i int) string {
			return fmt.Sprintf("2026-05-02T09:%02d:%02dZ INFO worker %04d finished batch %d in %d ms", i/60%60, i%60, i, i, i%30)
		}},
		{"code", "Read", `{"file_path":"/p/x.go"}`, func(i int) string {
			return fmt.Sprintf("%d\t", i+1) + []string{"func f%d(a int) error {", "\tif a > %d {", "\t\treturn fmt.Errorf(\"too large: %d\")", "\t}", "\treturn nil", "}", ""}[i%7]
		}},
		{"grep", "Grep", `{"pattern":"x","output_mode":"content"}`, func(i int) string {
			return fmt.Sprintf("src/pkg%02d/file%03d.go:%d:\tx := lookup(ctx, key%d)", i%20, i%300, i, i)
		}},
		{"tests", "Bash", `{"command":"npx vitest"}`, func(i int) string {
			return fmt.Sprintf(" ✓ src/lib/format%03d.test.ts (%d tests) %dms", i, i%9+1, i%70)
		}},
		{"prose", "Read", `{"file_path":"/p/x.md"}`, func(i int) string {
			return fmt.Sprintf("%d\tThe quick brown fox %d jumps over the lazy dog, again and again.", i+1, i)
		}},
		{"listing", "Bash", `{"command":"ls -l"}`, func(i int) string {
			return fmt.Sprintf("-rw-r--r--  1 user  staff  %5d Mar  %d 10:%02d file%04d.txt", i*7%9000, i%28+1, i%60, i)
		}},
		{"errors", "Bash", `{"command":"make"}`, func(i int) string {
			return []string{"cc -c -o obj/file%d.o src/file.c", "src/file.c:%d:3: error: use of undeclared identifier", "   12 |   foo(%d);", "      |   ^~~", "cc -O2 -c %d"}[i%5]
		}},
	}
	for _, k := range kinds {
		for _, size := range []int{2 << 10, 25 << 10, 256 << 10} {
			var sb strings.Builder
			for i := 0; sb.Len() < size; i++ {
				line := k.line(i)
				if strings.Contains(line, "%d") {
					line = fmt.Sprintf(line, i)
				}
				sb.WriteString(line)
				sb.WriteByte('\n')
			}
			p := New(Fake{}, Options{AllowNothing: true})
			in := Input{Task: Task{Request: "find the cause"}, Tool: Tool{Name: k.tool, Input: json.RawMessage(k.input)}, Text: sb.String(), CanRecall: true}
			b.Run(fmt.Sprintf("kind=%s/kb=%d", k.name, size>>10), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(in.Text)))
				for b.Loop() {
					p.Prune(context.Background(), in)
				}
			})
		}
	}
}

// BenchmarkSaved measures the view of a large saved output.
func BenchmarkSaved(b *testing.B) {
	for _, failures := range []int{0, 20} { // of a hundred lines
		var sb strings.Builder
		for i := 0; sb.Len() < 64<<20; i++ {
			word := "done"
			if i%100 < failures {
				word = "failed"
			}
			fmt.Fprintf(&sb, "2026-05-02T09:%02d:%02dZ INFO worker %04d %s batch %d in %d ms\n", i/60%60, i%60, i%10000, word, i, i%30)
		}
		in := Input{Task: Task{Request: "x"}, Tool: Tool{Name: "Bash"}, Text: sb.String(), CanRecall: true, Saved: &Saved{Path: "/p", Size: int64(sb.Len())}}
		p := New(Fake{}, Options{AllowNothing: true})
		b.Run(fmt.Sprintf("mb=64/failures=%d", failures), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(in.Text)))
			for b.Loop() {
				p.Prune(context.Background(), in)
			}
		})
	}
}
