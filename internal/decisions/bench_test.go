package decisions

import (
	"fmt"
	"path/filepath"
	"testing"

	"winnow/internal/prune"
)

// BenchmarkWrite is what a decision costs behind the answer.
func BenchmarkWrite(b *testing.B) {
	for _, lines := range []int{200, 2000} {
		b.Run(fmt.Sprintf("lines=%d", lines), func(b *testing.B) {
			e := result("c")
			e.Judged, e.Scores = true, prune.Scores{Line: make([]float64, lines)}
			for i := range e.Scores.Line {
				e.Scores.Line[i] = float64(i%997) / 997
			}
			l := &Log{o: Options{Count: func(string, int64) {}}, heard: map[string]map[string]bool{},
				file: &file{path: filepath.Join(b.TempDir(), FileName), max: 16 << 20}}
			defer l.file.close()
			b.ReportAllocs()
			for b.Loop() {
				l.write(e)
			}
		})
	}
}
