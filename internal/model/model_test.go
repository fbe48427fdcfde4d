//go:build cgo

package model

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"winnow/internal/lexical"
	"winnow/internal/ortlib"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// cacheDir is shared by the tests of one process: the environment keeps the
// first library it was given.
var cacheDir string

func TestMain(m *testing.M) {
	if os.Getenv("WINNOW_TEST_QUIET") != "" {
		quietChild()
		return
	}
	if os.Getenv("WINNOW_TEST_MEMORY") != "" {
		memoryChild()
		return
	}
	dir, err := os.MkdirTemp("", "winnow-model-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cacheDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// open returns a Model, or skips where the build step has fetched no library.
func open(tb testing.TB, o Options) *Model {
	tb.Helper()
	o.CacheDir = cacheDir
	m, err := Open(tb.Context(), o)
	if errors.Is(err, ortlib.ErrNone) {
		tb.Skip("no onnxruntime library in this build: run make build")
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := m.Close(); err != nil {
			tb.Errorf("Close = %v", err)
		}
	})
	return m
}

var query = prune.Query{
	Task: prune.Task{Request: "the parseConfig test fails, find out why", Intent: "Running the config tests."},
	Tool: prune.Tool{Name: "Bash", Input: json.RawMessage(`{"command":"go test ./config"}`)},
}

// sample returns a made-up test log of about size bytes.
func sample(size int) text.Doc {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		switch i % 9 {
		case 4:
			fmt.Fprintf(&b, "    config_test.go:%d: parseConfig(%q) = nil, want error\n", i, "key")
		case 7:
			b.WriteByte('\n')
		default:
			fmt.Fprintf(&b, "=== RUN   TestCase%d/with_some_longer_name_and_numbers_%d\n", i, i*7)
		}
	}
	return text.Split(b.String())
}

// sparse returns a text of n lines of which few have anything to read.
func sparse(n int) text.Doc {
	var b strings.Builder
	for i := range n - 1 {
		if i%97 == 5 {
			fmt.Fprintf(&b, "parseConfig step %d failed", i)
		}
		b.WriteByte('\n')
	}
	return text.Split(b.String())
}

func score(tb testing.TB, s prune.Scorer, d text.Doc) prune.Scores {
	tb.Helper()
	got, err := s.Score(tb.Context(), query, d)
	if err != nil {
		tb.Fatal(err)
	}
	return got
}

func TestScore(t *testing.T) {
	m := open(t, Options{})
	for _, d := range []text.Doc{
		text.Split(""), text.Split("one"), text.Split("\n \n\t\n"), text.Split("\xff\x00\x1b[\n\xfe"),
		text.Split(strings.Repeat("x", 1<<20)), sample(300), sample(60 << 10), sparse(chunk + 10),
	} {
		first := score(t, m, d)
		if len(first.Line) != d.Len() {
			t.Fatalf("Score gave %d scores for %d lines", len(first.Line), d.Len())
		}
		for i, p := range append(first.Line, first.Failure) {
			if !(0 <= p && p <= 1) || p != lexical.Round(p) {
				t.Fatalf("score %d = %v, want a rounded probability", i, p)
			}
		}
		if diff := cmp.Diff(first, score(t, m, d)); diff != "" {
			t.Fatalf("scores of one text differ:\n%s", diff)
		}
	}
}

// The graph's failure head and the lexical judge's are the same numbers.
func TestFailureAgrees(t *testing.T) {
	m := open(t, Options{})
	for _, src := range []string{"fine", "Exit code 2\nError: no", "3 failed, 2 passed", "--- PASS: A\nok  \tx\t0.1s"} {
		got, want := score(t, m, text.Split(src)).Failure, score(t, lexical.New(), text.Split(src)).Failure
		if math.Abs(got-want) > 0.0011 {
			t.Errorf("Failure of %q = %v, the lexical judge says %v", src, got, want)
		}
	}
}

// With the default thresholds something is hidden and something is kept.
func TestScoreBands(t *testing.T) {
	m := open(t, Options{})
	var code strings.Builder
	for i := range 400 {
		fmt.Fprintf(&code, "// name%03d tells the shelf.\nfunc name%03d(s string) string {\n\treturn s + \"-%03d\"\n}\n\n", i, i, i)
	}
	read := prune.Query{
		Task: prune.Task{Request: "name217 returns the wrong suffix, fix it"},
		Tool: prune.Tool{Name: "Read", Input: json.RawMessage(`{"file_path":"/src/names.go"}`)},
	}
	tests := []struct {
		name string
		q    prune.Query
		d    text.Doc
	}{
		{"a long log", query, sample(20_000)},
		{"a source file of 2,000 lines", read, text.Split(code.String())},
	}
	for _, tt := range tests {
		got, err := m.Score(t.Context(), tt.q, tt.d)
		if err != nil {
			t.Fatal(err)
		}
		low, best := 0, 0.0
		for _, p := range got.Line {
			best = max(best, p)
			if p < 0.1 {
				low++
			}
		}
		if share := float64(low) / float64(tt.d.Len()); share < 0.3 || best < 0.1 || got.Failure >= 0.5 {
			t.Errorf("%s: %.2f of the lines below 0.1, best line %v, failure %v", tt.name, share, best, got.Failure)
		}
	}
}

// Python's onnxruntime on the same files, from what this code says it reads.
func TestParity(t *testing.T) {
	m := open(t, Options{})
	data, err := os.ReadFile("testdata/parity.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID      string
		Task    prune.Task
		Tool    prune.Tool
		Output  string
		P       []float64
		Failure float64
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		d := prune.Judged(c.Tool, c.Output)
		got, err := m.Score(t.Context(), prune.Query{Task: c.Task, Tool: c.Tool}, d)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range c.P {
			if strings.TrimSpace(d.Line(i)) != "" { // blank lines follow their neighbours
				near(t, fmt.Sprintf("%s, line %d", c.ID, i), got.Line[i], p)
			}
		}
		near(t, c.ID+", failure", got.Failure, c.Failure)
	}
	if len(cases) == 0 {
		t.Error("no cases")
	}
}

// near allows for rounding to three digits and 5e-4 beside it.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-3 {
		t.Errorf("%s = %v, Python's onnxruntime says %v", what, got, want)
	}
}

// The weights and what is said about them belong together.
func TestWeightsDescribed(t *testing.T) {
	data, err := os.ReadFile("weights/judge.json")
	if err != nil {
		t.Fatal(err)
	}
	var about struct {
		Features string
		SHA256   map[string]string
	}
	if err := json.Unmarshal(data, &about); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for name, graph := range map[string][]byte{"reader.onnx": readerONNX, "features.onnx": featuresONNX, "judge.onnx": judgeONNX} {
		sum := sha256.Sum256(graph)
		got[name] = hex.EncodeToString(sum[:])
	}
	if diff := cmp.Diff(about.SHA256, got); diff != "" {
		t.Errorf("judge.json describes other graphs:\n%s", diff)
	}
	if about.Features != lexical.Version {
		t.Errorf("trained on features %q, this build makes %q", about.Features, lexical.Version)
	}
}

func TestOpenAgain(t *testing.T) {
	d := sample(2000)
	before := made.Load()
	var first prune.Scores
	for round := range 3 {
		m := open(t, Options{})
		got := score(t, m, d)
		score(t, m, d)
		if round == 0 {
			first = got
		} else if diff := cmp.Diff(first, got); diff != "" {
			t.Errorf("scores after opening again differ:\n%s", diff)
		}
		if err := m.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
		if _, err := m.Score(t.Context(), query, d); !errors.Is(err, ErrClosed) {
			t.Errorf("Score after Close = %v, want ErrClosed", err)
		}
	}
	if got := made.Load() - before; got != 3*3 {
		t.Errorf("%d sessions were made by 3 calls of Open, want 3 by each", got)
	}
}

func TestConcurrent(t *testing.T) {
	m := open(t, Options{Runs: 3})
	docs := []text.Doc{sample(500), sample(4_000), sample(15_000)}
	var want []prune.Scores
	for _, d := range docs {
		want = append(want, score(t, m, d))
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 2 * len(docs) {
				k := (g + i) % len(docs)
				got, err := m.Score(t.Context(), query, docs[k])
				if err != nil {
					t.Errorf("Score = %v", err)
				} else if !cmp.Equal(want[k], got) {
					t.Errorf("goroutine %d got other scores for text %d", g, k)
				}
			}
		})
	}
	wg.Wait()
}

func TestCancelled(t *testing.T) {
	m := open(t, Options{Runs: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Score(ctx, query, sample(100)); !errors.Is(err, context.Canceled) {
		t.Errorf("Score with a context that is done = %v", err)
	}
}

func TestCancelWaiting(t *testing.T) {
	m := open(t, Options{Runs: 1})
	m.runs <- struct{}{} // the only place is taken
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error)
	go func() {
		_, err := m.Score(ctx, query, sample(100))
		got <- err
	}()
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("Score of one who waited = %v, want context.Canceled", err)
	}
	<-m.runs
	score(t, m, sample(100)) // the place was given back
}

// countdown is a context that is done after it was asked n times.
type countdown struct {
	context.Context
	mu   sync.Mutex
	n    int
	done chan struct{}
}

func (c *countdown) tick() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n--; c.n == 0 {
		close(c.done)
	}
	return c.n <= 0
}

func (c *countdown) Done() <-chan struct{} { c.tick(); return c.done }

func (c *countdown) Err() error {
	if c.tick() {
		return context.Canceled
	}
	return nil
}

// Wherever the context ends, Score ends with it and gives no half an answer.
func TestCancelMidway(t *testing.T) {
	m := open(t, Options{})
	d := sample(60 << 10)
	for n := 1; ; n = n*5/4 + 1 {
		m.reader.recent = recent{} // the query too is read each time
		ctx := &countdown{Context: t.Context(), n: n, done: make(chan struct{})}
		got, err := m.Score(ctx, query, d)
		if err == nil {
			if n < 50 { // windows alone are more
				t.Errorf("Score looked at its context less than %d times in 60 KB", n)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || got.Line != nil {
			t.Fatalf("Score stopped at look %d = %v, %v", n, got, err)
		}
	}
}

// closer is a context that never ends; the nth who waits for its end has the
// model closed meanwhile.
type closer struct {
	context.Context
	m      *Model
	n      int
	closed chan error
}

func (c *closer) Done() <-chan struct{} {
	if c.n--; c.n == 0 {
		go func() { c.closed <- c.m.Close() }()
		<-c.m.done
	}
	return nil
}

// Close does not wait until a long text is read to its end.
func TestCloseWhileReading(t *testing.T) {
	for _, n := range []int{2, 5, 9} { // the cheap stage, the query, the text
		m := open(t, Options{})
		ctx := &closer{Context: t.Context(), m: m, n: n, closed: make(chan error)}
		if got, err := m.Score(ctx, query, sample(60<<10)); !errors.Is(err, ErrClosed) || got.Line != nil {
			t.Errorf("Score of a model closed at look %d = %v, %v, want ErrClosed", n, got, err)
		}
		if err := <-ctx.closed; err != nil {
			t.Errorf("Close = %v", err)
		}
	}
}

func TestCloseWhileScoring(t *testing.T) {
	m := open(t, Options{Runs: 1})
	m.runs <- struct{}{}
	got := make(chan error)
	go func() {
		_, err := m.Score(t.Context(), query, sample(100))
		got <- err
	}()
	if err := m.Close(); err != nil {
		t.Errorf("Close = %v", err)
	}
	if err := <-got; !errors.Is(err, ErrClosed) {
		t.Errorf("Score of one who waited = %v, want ErrClosed", err)
	}
}

// onnxruntime writes to the process's own stdout and stderr, past Go, so only
// another process can tell.
func TestQuiet(t *testing.T) {
	open(t, Options{})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WINNOW_TEST_QUIET="+cacheDir)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "" {
		t.Errorf("opening and scoring wrote %q (%v), want nothing", out, err)
	}
}

func quietChild() {
	m, err := Open(context.Background(), Options{CacheDir: os.Getenv("WINNOW_TEST_QUIET")})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	if _, err := m.Score(context.Background(), query, sample(5000)); err != nil {
		fmt.Println(err)
	}
	m.Close()
}

// A library that does not load is "unavailable", in this process for good; so
// it is tried in another one.
func TestOpenBrokenLibrary(t *testing.T) {
	broken := t.TempDir() + "/lib.so"
	if err := os.WriteFile(broken, bytes.Repeat([]byte{0}, 100), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "WINNOW_TEST_QUIET="+t.TempDir(), ortlib.EnvPath+"="+broken)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), ErrUnavailable.Error()) {
		t.Errorf("Open with a broken library = %q (%v), want %v", out, err, ErrUnavailable)
	}
}

func BenchmarkScore(b *testing.B) {
	for _, kb := range []int{4, 25, 256} {
		b.Run(fmt.Sprintf("kb=%d", kb), func(b *testing.B) {
			m := open(b, Options{})
			d := sample(kb << 10)
			b.SetBytes(int64(len(d.Src)))
			b.ReportAllocs()
			for b.Loop() {
				score(b, m, d)
			}
		})
	}
}
