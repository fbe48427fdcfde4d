package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"winnow/internal/compress"
	"winnow/internal/compress/fidelity"
	"winnow/internal/compress/router"
	"winnow/internal/prune/detect"
)

func benchCompressCmd() *cobra.Command {
	var size int
	var d time.Duration
	cmd := &cobra.Command{
		Use:   "compress",
		Short: "Measure the reducer's speed by kind (Go benchmark lines)",
		Long: "Detect, fold and route texts of each kind, and beside them copy and zstd-compress the same bytes in the same run.\n" +
			"fold is the encoders alone, route is all of `winnow compress` but the store. Each time is the fastest run's.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return benchCompress(cmd.Context(), cmd.OutOrStdout(), size, d)
		},
	}
	cmd.Flags().IntVar(&size, "size", 256<<10, "bytes of each text")
	cmd.Flags().DurationVar(&d, "time", 300*time.Millisecond, "how long each benchmark runs")
	return cmd
}

func benchCompress(ctx context.Context, w io.Writer, size int, d time.Duration) error {
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: winnow/cmd/winnow\n", runtime.GOOS, runtime.GOARCH)
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	r := router.New(router.Options{CacheBytes: -1})
	set := router.Builtin()
	for _, k := range fidelity.Kinds {
		text := fidelity.Sample(k, size)
		src, dst := []byte(text), make([]byte, 0, 2*len(text))
		in := compress.Input{Text: text, Kind: k, Limits: compress.Limits{}.WithDefaults()}
		for _, b := range []struct {
			name string
			do   func()
		}{
			{"copy", func() { dst = append(dst[:0], src...) }},
			{"zstd", func() { dst = z.EncodeAll(src, dst[:0]) }},
			{"detect", func() { detect.Of(text, detect.Hint{}) }},
			{"fold", func() {
				for _, e := range set.Encoders[k] {
					e.Encode(in)
				}
			}},
			{"route", func() { r.Compress(ctx, router.Block{Text: text}) }},
		} {
			if b.name == "fold" && set.Encoders[k] == nil {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			timed(w, fmt.Sprintf("Compress/kind=%s/what=%s", k, b.name), len(text), d, b.do)
		}
	}
	return nil
}

// timed prints one benchmark line. The time is that of the fastest run: whatever
// else the machine does only adds to the others.
func timed(w io.Writer, name string, size int, d time.Duration, do func()) {
	do()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	n, start := 0, time.Now()
	best := time.Duration(1 << 62)
	for time.Since(start) < d {
		began := time.Now()
		do()
		best = min(best, time.Since(began))
		n++
	}
	runtime.ReadMemStats(&after)
	best = max(best, 1)
	fmt.Fprintf(w, "Benchmark%s \t%8d\t%12d ns/op\t%10.2f MB/s\t%10d B/op\t%8d allocs/op\n", name, n, best.Nanoseconds(),
		float64(size)/1e6/best.Seconds(), (after.TotalAlloc-before.TotalAlloc)/uint64(max(n, 1)), (after.Mallocs-before.Mallocs)/uint64(max(n, 1)))
}
