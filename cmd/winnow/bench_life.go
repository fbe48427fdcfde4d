package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/marker"
	"winnow/internal/recall"
	"winnow/internal/state"
)

// commands runs what a session start and a curious person run, against the
// running daemon.
func (b *bencher) commands() error {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"Ensure/running=yes", []string{"serve", "--ensure"}},
		{"Status/running=yes", []string{"status"}},
	} {
		n, start := 0, time.Now()
		for time.Since(start) < b.o.time {
			if err := runSelf(b.ctx, append(c.args, "--state", string(b.dir))...); err != nil {
				return err
			}
			n++
		}
		b.line(c.name, n, time.Since(start), -1, -1)
	}
	return nil
}

// burst posts ten results at once, more than can be judged in time: how many were,
// and what that cost.
func (b *bencher) burst() error {
	const calls = 10
	before, err := b.c.Status(b.ctx)
	if err != nil {
		return err
	}
	cpu, start := cpuOf(b.pid), time.Now()
	if err := b.together(calls, 25<<10); err != nil {
		return err
	}
	wall, cpu := time.Since(start), cpuOf(b.pid)-cpu
	after, err := b.c.Status(b.ctx)
	if err != nil {
		return err
	}
	busy := after.Counts["reason.busy"] - before.Counts["reason.busy"]
	late := after.Counts["reason.deadline"] - before.Counts["reason.deadline"]
	fmt.Fprintf(b.w, "BenchmarkBurst/size=25KB/calls=%d \t%8d\t%12d ns/op\t%12d cpu-ns/op\t%6d judged\t%6d turned-away\t%6d late\n",
		calls, 1, wall.Nanoseconds(), cpu.Nanoseconds(), calls-busy-late, busy, late)
	return nil
}

// together posts n results of about size bytes at once.
func (b *bencher) together(n, size int) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		req := b.request(size, false)
		wg.Go(func() { errs[i] = b.c.Call(b.ctx, api.PathResult, req, nil) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// bodies posts six bodies of 16 MB at once and prints what the daemon took at most,
// and two seconds later.
func (b *bencher) bodies() error {
	reset := fmt.Sprintf("/proc/%d/clear_refs", b.pid)
	if err := os.WriteFile(reset, []byte("5"), 0); err != nil {
		return nil // not a system that says
	}
	const calls = 6
	start := time.Now()
	if err := b.together(calls, 16<<20); err != nil {
		return err
	}
	wall, most := time.Since(start), memoryMB(b.pid, "VmHWM:")
	time.Sleep(2 * time.Second)
	fmt.Fprintf(b.w, "BenchmarkBodies/size=16MB/calls=%d \t%8d\t%12d ns/op\t%12.1f MB-most\t%12.1f MB-resident\n", calls, 1, wall.Nanoseconds(), most, residentMB(b.pid))
	return nil
}

// startFull prints how long a daemon takes to listen, and to have its store open,
// that holds n originals.
func startFull(ctx context.Context, b *bencher, dir state.Dir, n int) error {
	if err := fillStore(dir, n); err != nil {
		return err
	}
	if err := os.WriteFile(dir.Env(), []byte("WINNOW_JUDGE=off\nWINNOW_PORT=0\n"), 0o600); err != nil {
		return err
	}
	start := time.Now()
	if err := ensure(ctx, dir); err != nil {
		return err
	}
	b.line(fmt.Sprintf("Start/what=listening/originals=%d", n), 1, time.Since(start), -1, -1)
	c, err := client.New(dir)
	if err != nil {
		return err
	}
	defer c.Close()
	for {
		st, err := c.Status(ctx)
		if err != nil {
			return err
		}
		if !st.StoreOpening {
			break
		}
		time.Sleep(time.Millisecond)
	}
	b.line(fmt.Sprintf("Start/what=store-open/originals=%d", n), 1, time.Since(start), -1, -1)
	return stop(context.WithoutCancel(ctx), dir)
}

func fillStore(dir state.Dir, n int) error {
	if err := dir.Make(); err != nil {
		return err
	}
	s, err := recall.Open(dir.Store(), recall.Options{NoSync: true})
	if err != nil {
		return err
	}
	defer s.Close()
	const batch = 1000
	for from := 0; from < n; from += batch {
		var items []recall.Item
		for i := from; i < min(n, from+batch); i++ {
			text := noise(i)
			items = append(items, recall.Item{Text: text, Issue: recall.Issue{
				Key: marker.KeyOf(text), First: 1, Last: 2, Session: fmt.Sprint("s", i/100), Loop: "main", ToolUseID: fmt.Sprint("toolu_", i)}})
		}
		if err := s.Put(items); err != nil {
			return err
		}
	}
	return nil
}

// noise is 1.5 KB that do not shrink much.
func noise(seed int) string {
	var b strings.Builder
	for k := range 60 {
		b.WriteString(string(marker.KeyOf(fmt.Sprint(seed, k))))
		b.WriteByte('\n')
	}
	return b.String()
}
