package recall

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"winnow/internal/marker"
)

// BenchmarkPut is what a pruned result waits for: one transaction, synced.
func BenchmarkPut(b *testing.B) {
	for _, size := range []int{4 << 10, 256 << 10} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			s, err := Open(filepath.Join(b.TempDir(), FileName), Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			log := strings.Repeat("2026-09-01 10:00:00 INFO request handled in 12 ms\n", size/50)
			b.SetBytes(int64(len(log)))
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				i++
				put(b, s, item(fmt.Sprint(i, log), Issue{Session: "s", Loop: "main", ToolUseID: fmt.Sprint("t", i)}))
			}
		})
	}
}

func BenchmarkLive(b *testing.B) {
	s, err := Open(filepath.Join(b.TempDir(), FileName), Options{NoSync: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	put(b, s, item("x", Issue{}))
	for name, k := range map[string]marker.Key{"known": marker.KeyOf("x"), "unknown": marker.KeyOf("y")} {
		b.Run("key="+name, func(b *testing.B) {
			for b.Loop() {
				s.Live(k)
			}
		})
	}
}

// BenchmarkPutBeside is what a pruned result waits for while the store is
// compacted beside it; worst-ms is the longest of all waits.
func BenchmarkPutBeside(b *testing.B) {
	for _, beside := range []bool{false, true} {
		b.Run(fmt.Sprintf("compacting=%v", beside), func(b *testing.B) {
			s, _ := fat(b, Options{})
			ctx, cancel := context.WithCancel(b.Context())
			var wg sync.WaitGroup
			swaps := 0
			if beside {
				wg.Go(func() {
					for s.Compact(ctx) == nil {
						swaps++
					}
				})
			}
			log := strings.Repeat("2026-09-01 10:00:00 INFO request handled in 12 ms\n", 500)
			var worst time.Duration
			i := 0
			for b.Loop() {
				i++
				began := time.Now()
				put(b, s, item(fmt.Sprint(i, log), Issue{Session: "s", Loop: "main", ToolUseID: fmt.Sprint("t", i)}))
				worst = max(worst, time.Since(began))
			}
			cancel()
			wg.Wait()
			b.ReportMetric(float64(worst)/1e6, "worst-ms")
			b.ReportMetric(float64(swaps), "swaps")
		})
	}
}
