package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"winnow/internal/api"
	"winnow/internal/client"
	"winnow/internal/state"
)

func benchCmd() *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the daemon on this machine (Go benchmark lines)",
		Long: "Start a daemon of this binary on a private folder, post results to it over its socket, and print Go\n" +
			"benchmark lines: wall time, CPU time of the daemon, its memory. benchstat reads them.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM) // to clean up
			defer cancel()
			return bench(ctx, cmd.OutOrStdout(), o)
		},
	}
	cmd.AddCommand(benchFidelityCmd(), benchCompressCmd(), benchDataCmd())
	cmd.Flags().StringVar(&o.judge, "judge", "onnx", "judge: onnx, lexical, fake")
	cmd.Flags().DurationVar(&o.time, "time", time.Second, "how long each benchmark runs")
	cmd.Flags().IntVar(&o.count, "count", 1, "how often the whole is run")
	return cmd
}

type benchOptions struct {
	judge string
	time  time.Duration
	count int
}

// bench runs everything count times against fresh daemons.
func bench(ctx context.Context, w io.Writer, o benchOptions) error {
	fmt.Fprintf(w, "goos: %s\ngoarch: %s\npkg: winnow/cmd/winnow\n", runtime.GOOS, runtime.GOARCH)
	for range o.count {
		if err := benchOnce(ctx, w, o); err != nil {
			return err
		}
	}
	return nil
}

func benchOnce(ctx context.Context, w io.Writer, o benchOptions) error {
	tmp, err := os.MkdirTemp("", "winnow-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	b, err := startBench(ctx, w, o, state.Dir(filepath.Join(tmp, "state")))
	if err != nil {
		return err
	}
	err = b.all()
	b.stop()
	if err != nil {
		return err
	}
	return startFull(ctx, b, state.Dir(filepath.Join(tmp, "full")), 50_000)
}

// bencher is a private daemon and what it is asked.
type bencher struct {
	ctx context.Context
	w   io.Writer
	o   benchOptions
	dir state.Dir
	c   *client.Client
	pid int
	seq int
}

func startBench(ctx context.Context, w io.Writer, o benchOptions, dir state.Dir) (*bencher, error) {
	if err := dir.Make(); err != nil {
		return nil, err
	}
	env := fmt.Sprintf("WINNOW_MODE=active\nWINNOW_JUDGE=%s\nWINNOW_PORT=0\n", o.judge)
	if err := os.WriteFile(dir.Env(), []byte(env), 0o600); err != nil {
		return nil, err
	}
	b := &bencher{ctx: ctx, w: w, o: o, dir: dir}
	start := time.Now()
	if err := ensure(ctx, dir); err != nil {
		return nil, err
	}
	listening := time.Since(start)
	var err error
	if b.c, err = client.New(dir); err != nil {
		return nil, err
	}
	for {
		st, err := b.c.Status(ctx)
		if err != nil {
			return nil, err
		}
		if b.pid = st.Pid; st.JudgeState != "loading" {
			break
		}
		time.Sleep(time.Millisecond)
	}
	b.line("Start/what=listening", 1, listening, -1, -1)
	b.line("Start/what=model-ready", 1, time.Since(start), -1, -1)
	return b, b.c.Call(ctx, api.PathOffer, api.OfferRequest{Session: "bench", Loop: "main"}, nil)
}

func (b *bencher) stop() {
	ctx := context.WithoutCancel(b.ctx)
	b.c.Stop(ctx)
	b.c.Close()
	client.Gone(ctx, b.dir, 5*time.Second)
}

// line prints one benchmark line: the time of the caller, and where they are
// not negative the CPU time of the whole daemon (the socket's included) and the
// time inside its handlers.
func (b *bencher) line(name string, n int, wall, cpu, inside time.Duration) {
	fmt.Fprintf(b.w, "Benchmark%s \t%8d\t%12d ns/op", name, n, wall.Nanoseconds()/int64(n))
	if cpu >= 0 {
		fmt.Fprintf(b.w, "\t%12d cpu-ns/op", cpu.Nanoseconds()/int64(n))
	}
	if inside >= 0 {
		fmt.Fprintf(b.w, "\t%12d daemon-ns/op", inside.Nanoseconds()/int64(n))
	}
	fmt.Fprintln(b.w)
}

// inside asks the daemon for the time spent in its handlers so far.
func (b *bencher) inside() time.Duration {
	st, err := b.c.Status(b.ctx)
	if err != nil {
		return 0
	}
	return time.Duration(st.Counts["ns.handlers"])
}

func (b *bencher) all() error {
	for _, s := range []struct {
		name  string
		size  int
		gated bool
	}{
		{"Result/judged=no/size=2KB", 2 << 10, true}, {"Result/judged=no/size=30KB", 30 << 10, true},
		{"Result/judged=yes/size=4KB", 4 << 10, false}, {"Result/judged=yes/size=25KB", 25 << 10, false},
		{"Result/judged=yes/size=256KB", 256 << 10, false},
	} {
		if err := b.results(s.name, s.size, s.gated); err != nil {
			return err
		}
	}
	for _, f := range []func() error{b.commands, b.burst, b.bodies, b.memory} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// results posts texts of about size bytes, each another one, so that no cache
// answers; gated ones have no task and are never judged.
func (b *bencher) results(name string, size int, gated bool) error {
	inside, cpu := b.inside(), cpuOf(b.pid)
	n, start := 0, time.Now()
	for time.Since(start) < b.o.time {
		if err := b.post(size, gated); err != nil {
			return err
		}
		n++
	}
	wall := time.Since(start)
	cpu = cpuOf(b.pid) - cpu
	b.line(name, n, wall, cpu, b.inside()-inside)
	return nil
}

func (b *bencher) post(size int, gated bool) error {
	var reply api.ResultReply
	return b.c.Call(b.ctx, api.PathResult, b.request(size, gated), &reply)
}

func (b *bencher) request(size int, gated bool) api.ResultRequest {
	b.seq++
	req := api.ResultRequest{
		Session: "bench", Loop: "main", ToolUseID: fmt.Sprintf("toolu_%d", b.seq), Tool: "Bash",
		Input: json.RawMessage(`{"command":"make check","description":"Run all checks"}`),
		Texts: []string{benchText(b.seq, size)},
	}
	if !gated {
		req.Rows = []api.Row{{Text: "Why does the session store drop entries after a restart?", Door: "prompt"}}
		req.Assistant = "Let me look at the checks of the session store."
	}
	return req
}

// benchText looks like a build with tests; seed makes each one another.
func benchText(seed, size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&b, "=== RUN   TestStore%d/case_%d\n", seed, i)
		case 1:
			fmt.Fprintf(&b, "    store_test.go:%d: opened session %d with %d entries\n", i%400+1, i*seed%9973, i%61)
		case 2:
			fmt.Fprintf(&b, "--- PASS: TestStore%d/case_%d (0.0%ds)\n", seed, i-2, i%9)
		case 3:
			fmt.Fprintf(&b, "compiling internal/session/file_%d.go\n", i)
		default:
			fmt.Fprintf(&b, "ok  \tgithub.com/acme/shop/internal/pkg%d\t0.%03ds\n", i, i*seed%997)
		}
	}
	return b.String()
}

// memory posts a thousand mixed results and prints the daemon's resident size.
func (b *bencher) memory() error {
	sizes := []int{1 << 10, 2 << 10, 8 << 10, 25 << 10, 64 << 10}
	const calls = 1000
	start := time.Now()
	for i := range calls {
		size := sizes[i%len(sizes)]
		if i%100 == 99 {
			size = 256 << 10
		}
		if err := b.post(size, i%3 == 0); err != nil {
			return err
		}
	}
	fmt.Fprintf(b.w, "BenchmarkMixed/calls=1000 \t%8d\t%12d ns/op\t%12.1f MB-resident\n", calls, time.Since(start).Nanoseconds()/calls, residentMB(b.pid))
	return nil
}

// residentMB reads VmRSS of a process in MB (0 where the system does not say).
func residentMB(pid int) float64 { return memoryMB(pid, "VmRSS:") }

func memoryMB(pid int, what string) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(data, []byte(what))
	var kb float64
	fmt.Sscan(string(rest), &kb)
	return kb / 1024
}

// cpuOf reads the user and system time of a process (fields 14 and 15 of
// /proc/PID/stat, in ticks of 10 ms; see proc_pid_stat(5)); 0 where there is none.
func cpuOf(pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	var user, system int64
	fmt.Sscan(f[11], &user)
	fmt.Sscan(f[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}

func runSelf(ctx context.Context, args ...string) error {
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	return exec.CommandContext(ctx, exe, args...).Run()
}
