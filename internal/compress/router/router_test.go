package router

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/compress"
	"winnow/internal/marker"
	"winnow/internal/prune"
	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// fakeEncoder writes short and gives back whatever it was given.
type fakeEncoder struct {
	form string
	lie  bool
	last *string
}

func (f fakeEncoder) Name() string { return "fake-encoder" }
func (f fakeEncoder) Encode(in compress.Input) (string, bool) {
	*f.last = in.Text
	return f.form, f.form != ""
}
func (f fakeEncoder) Decode(string) (string, error) {
	if f.lie {
		return "something else", nil
	}
	return *f.last, nil
}

type fakeSampler struct {
	form func(in compress.Input, tag string) string
}

func (f fakeSampler) Name() string { return "fake-sampler" }
func (f fakeSampler) Sample(in compress.Input, tag string) (string, bool) {
	s := f.form(in, tag)
	return s, s != "-"
}

type fakeEditor struct{ cuts []compress.Cut }

func (f fakeEditor) Name() string                       { return "fake-editor" }
func (f fakeEditor) Cuts(compress.Input) []compress.Cut { return f.cuts }

func sampled(form func(in compress.Input, tag string) string) Set {
	return Set{Samplers: map[detect.Kind][]compress.Sampler{detect.JSON: {fakeSampler{form}}}}
}

func tagOnly(_ compress.Input, tag string) string { return "[" + tag + "]" }

// array is JSON of n rows, lined is a log of n lines.
func array(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,{"id":%d,"name":"item-%d"}`, i, i)
	}
	return "[" + b.String()[1:] + "]"
}

func lined(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "2026-05-02T09:%02d:%02dZ INFO request %d handled by worker %d\n", i/60, i%60, i*7, i%5)
	}
	return b.String()
}

// check restores a result and compares it with the block.
func check(t *testing.T, b Block, res Result) {
	t.Helper()
	got, err := res.Restore(keys(t, res))
	if err != nil || got != b.Text {
		t.Errorf("Restore: %v; got %.200q, want %.200q", err, got, b.Text)
	}
	if res.Changed() != (res.Text != b.Text) || len(res.Text) > len(b.Text) || res.Changed() && res.After >= res.Before {
		t.Errorf("changed %v, %d of %d bytes, %d of %d tokens", res.Changed(), len(res.Text), len(b.Text), res.After, res.Before)
	}
}

func keys(t *testing.T, res Result) Get {
	return func(k marker.Key) (string, error) {
		for _, h := range res.Hidden {
			if h.Key == k {
				if marker.KeyOf(h.Text) != k {
					t.Errorf("key %s does not fit its text", k)
				}
				return h.Text, nil
			}
		}
		return "", errors.New("no such key")
	}
}

func run1(o Options, b Block) Result { return New(o).Compress(context.Background(), b) }

func TestGate(t *testing.T) {
	long := array(200)
	for _, tc := range []struct {
		name string
		b    Block
		want string
	}{
		{"user", Block{Text: long, Role: "user"}, whyRole},
		{"system", Block{Text: long, Role: "system"}, whyRole},
		{"assistant", Block{Text: long, Role: "assistant"}, whyRole},
		{"tool", Block{Text: long, Role: "tool"}, ""},
		{"failed", Block{Text: long, Failed: true}, whyFailed},
		{"cache-marked", Block{Text: long, Cached: true}, whyCached},
		{"own tool", Block{Text: long, Tool: prune.Tool{Name: "mcp__winnow__recall"}}, whyOwn},
		{"own command", Block{Text: long, Tool: prune.Tool{Name: "Bash", Input: []byte(`{"command":"winnow retrieve x"}`)}}, whyOwn},
		{"small", Block{Text: "[1,2]"}, whySmall},
		{"empty", Block{}, whySmall},
		{"marked", Block{Text: long + "\n" + marker.Tag(marker.KeyOf("x"), 3)}, whyMarked},
		{"no recall", Block{Text: long, NoRecall: true}, whyNothing},
		{"lossless only", Block{Text: long, Lossless: true}, whyNothing},
		{"unknown words", Block{Text: strings.Repeat("Nothing here repeats itself in form or in words. ", 1)}, whySmall},
	} {
		res := run1(Options{Set: sampled(tagOnly)}, tc.b)
		if res.Untouched != tc.want {
			t.Errorf("%s: untouched %q, want %q (%+v)", tc.name, res.Untouched, tc.want, res.Chain)
		}
		check(t, tc.b, res)
	}
}

func TestAcceptance(t *testing.T) {
	b := Block{Text: array(200)}
	for _, tc := range []struct {
		name     string
		form     func(in compress.Input, tag string) string
		pressure float64
		want     string
	}{
		{"good", tagOnly, 0, ""},
		{"empty", func(compress.Input, string) string { return "" }, 0, whyNoTag},
		{"no tag", func(compress.Input, string) string { return "[]" }, 0, whyNoTag},
		{"tag twice", func(_ compress.Input, tag string) string { return tag + tag }, 0, whyNoTag},
		{"larger", func(in compress.Input, tag string) string { return in.Text + tag }, 0, whyLarger},
		{"a tenth is too little with an empty context", part10, 0, whyLittle},
		{"and enough with a full one", part10, 1, ""},
		{"refused", func(compress.Input, string) string { return "-" }, 0, whyNone},
		{"panic", func(compress.Input, string) string { panic("x") }, 0, whyPanic},
	} {
		b.Pressure = tc.pressure
		res := run1(Options{Set: sampled(tc.form)}, b)
		if len(res.Chain) != 1 || res.Chain[0].Refused != tc.want || res.Changed() != (tc.want == "") {
			t.Errorf("%s: %q %+v, want %q", tc.name, res.Untouched, res.Chain, tc.want)
		}
		check(t, b, res)
	}
}

// part10 saves about a tenth.
func part10(in compress.Input, tag string) string { return in.Text[:len(in.Text)*9/10] + tag }

func TestFoldBeforeLoss(t *testing.T) {
	last := ""
	kinds := func(e compress.Encoder, s compress.Sampler) Set {
		return Set{
			Encoders: map[detect.Kind][]compress.Encoder{detect.JSON: {e}},
			Samplers: map[detect.Kind][]compress.Sampler{detect.JSON: {s}},
		}
	}
	b := Block{Text: array(200)}
	for _, tc := range []struct {
		name  string
		enc   fakeEncoder
		b     Block
		names []string
	}{
		{"a fold that is small enough is all", fakeEncoder{form: strings.Repeat("x", 400)}, b, []string{"fake-encoder"}},
		{"a large fold leaves room for a sample", fakeEncoder{form: strings.Repeat("x", 3000)}, b, []string{"fake-encoder", "fake-sampler"}},
		{"lossless only", fakeEncoder{form: strings.Repeat("x", 3000)}, Block{Text: b.Text, Lossless: true}, []string{"fake-encoder"}},
		{"a decoder that lies is not believed", fakeEncoder{form: "x", lie: true}, b, []string{"fake-sampler"}},
	} {
		tc.enc.last = &last
		res := run1(Options{Set: kinds(tc.enc, fakeSampler{tagOnly})}, tc.b)
		if diff := cmp.Diff(tc.names, res.Accepted()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
		check(t, tc.b, res)
	}
}

func TestEditsOnly(t *testing.T) {
	last := ""
	set := Set{
		Encoders: map[detect.Kind][]compress.Encoder{detect.Log: {fakeEncoder{form: strings.Repeat("x", 400), last: &last}}},
		Editors:  map[detect.Kind][]compress.Editor{detect.Log: {fakeEditor{[]compress.Cut{{First: 10, Last: 150, Digest: "requests"}}}}},
	}
	b := Block{Text: lined(200), EditsOnly: true}
	res := run1(Options{Set: set}, b)
	if diff := cmp.Diff([]string{"fake-editor"}, res.Accepted()); diff != "" {
		t.Errorf("on a hook's path (-want +got):\n%s", diff)
	}
	check(t, b, res)
	for line := range strings.Lines(res.Text) {
		if !strings.Contains(line, marker.Open) && !strings.Contains(b.Text, line) {
			t.Errorf("line %q is no line of the input", line)
		}
	}
}

func TestEditorsAreCorrected(t *testing.T) {
	failing := strings.Replace(lined(200), "INFO request 700", "ERROR connection refused: request 700", 1)
	for _, tc := range []struct {
		name string
		in   string
		cuts []compress.Cut
		want string
		keep string
	}{
		{"a failure is taken out of a cut", failing, []compress.Cut{{First: 10, Last: 190, Digest: "all requests"}}, "", "ERROR connection refused"},
		{"backwards", lined(200), []compress.Cut{{First: 90, Last: 95}, {First: 10, Last: 80}}, whyOutOfOrder, ""},
		{"beyond the end", lined(200), []compress.Cut{{First: 90, Last: 950}}, whyOutOfOrder, ""},
		{"edges", lined(200), []compress.Cut{{First: 0, Last: 199}}, "", "request 0 "},
		{"one short line pays nothing", lined(200), []compress.Cut{{First: 50, Last: 50}}, whyLittle, ""},
	} {
		b := Block{Text: tc.in, Kind: detect.Log, Tool: prune.Tool{Name: "Bash"}}
		res := run1(Options{Set: Set{Editors: map[detect.Kind][]compress.Editor{detect.Log: {fakeEditor{tc.cuts}}}}}, b)
		if res.Chain[0].Refused != tc.want || !strings.Contains(res.Text, tc.keep) {
			t.Errorf("%s: %+v, want %q and %q in the text", tc.name, res.Chain, tc.want, tc.keep)
		}
		check(t, b, res)
	}
}

func TestMarginIsLookedThrough(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "%6d→2026-05-02T09:%02d:%02dZ INFO request %d handled by worker\n", i+41, i/60, i%60, i*7)
	}
	src := strings.TrimSuffix(b.String(), "\n") + "\n\n<system-reminder>\nbe careful\n</system-reminder>"
	got := ""
	set := Set{Editors: map[detect.Kind][]compress.Editor{detect.Log: {editorFunc(func(in compress.Input) []compress.Cut {
		got = in.Text
		return []compress.Cut{{First: 20, Last: 150, Digest: "requests"}}
	})}}}
	blk := Block{Text: src, Tool: prune.Tool{Name: "Read", Input: []byte(`{"file_path":"/p/a.log"}`)}}
	res := run1(Options{Set: set, Hint: "[ask for them]"}, blk)
	if strings.Contains(got, "→") || strings.Contains(got, "reminder") {
		t.Errorf("the editor was given %.80q … %.80q", got, got[max(0, len(got)-80):])
	}
	if !strings.Contains(res.Text, "131_lines_offloaded>> lines 61-191: requests [ask for them]") {
		t.Errorf("no marker with the file's numbers in %q", res.Text)
	}
	check(t, blk, res)
}

type editorFunc func(in compress.Input) []compress.Cut

func (f editorFunc) Name() string                          { return "editor-func" }
func (f editorFunc) Cuts(in compress.Input) []compress.Cut { return f(in) }

func TestMixed(t *testing.T) {
	value := array(120)
	prose := "Here is what the service answered, as far as it can be told from the outside:\n"
	quoted := quotePlain("{\"rows\":" + value + "}")
	for _, tc := range []struct {
		name, in string
		has      []string
		kind     detect.Kind
	}{
		{"a fence", prose + "```json\n" + value + "\n```\nThat is all of it.\n", []string{prose + "```json\n[<<ccr:", "\n```\nThat is all of it.\n"}, detect.Mixed},
		{"no fence", prose + value + "\nThat is all of it.\n", []string{prose + "[<<ccr:", "]\nThat is all of it.\n"}, detect.Mixed},
		{"tags and a reminder", "<tool_result>\n" + value + "\n</tool_result>\n<system-reminder>\n" + value + "\n</system-reminder>", []string{"<tool_result>\n[<<ccr:", "]\n</tool_result>\n<system-reminder>\n" + value + "\n</system-reminder>"}, detect.Mixed},
		{"JSON in a string is unwrapped", prose + quoted + "\nThat is all of it.\n", []string{prose + "[<<ccr:", "]\nThat is all of it.\n"}, detect.Mixed},
		{"sure code is not cut", "package a\n\nfunc f() error {\n\treturn nil\n}\n" + strings.Repeat("\nvar x = `\n"+value+"\n`\n\nfunc g() error {\n\tif true {\n\t\treturn nil\n\t}\n\treturn nil\n}\n", 1), nil, detect.Code},
	} {
		b := Block{Text: tc.in}
		res := run1(Options{Set: sampled(tagOnly)}, b)
		if res.Kind != tc.kind {
			t.Errorf("%s: kind %s (%.2f), want %s", tc.name, res.Kind, res.Confidence, tc.kind)
		}
		for _, s := range tc.has {
			if !strings.Contains(res.Text, s) {
				t.Errorf("%s: no %.80q in %.400q", tc.name, s, res.Text)
			}
		}
		check(t, b, res)
	}
}

func TestBreaker(t *testing.T) {
	clock := time.Unix(0, 0)
	calls, broken := 0, true
	r := New(Options{CacheBytes: -1, Now: func() time.Time { return clock }, Set: sampled(func(_ compress.Input, tag string) string {
		if calls++; broken {
			panic("broken")
		}
		return tag
	})})
	b := Block{Text: array(200)}
	ask := func() Result { return r.Compress(context.Background(), b) }
	for range maxFailures + 5 {
		check(t, b, ask())
	}
	if calls != maxFailures || ask().Chain[0].Refused != whyCoolDown {
		t.Errorf("%d calls after it failed %d times", calls, maxFailures)
	}
	if diff := cmp.Diff([]string{"fake-sampler"}, r.Stats().Cooling); diff != "" {
		t.Errorf("cooling (-want +got):\n%s", diff)
	}
	clock = clock.Add(coolDown)
	if ask(); calls != maxFailures+1 {
		t.Errorf("%d calls after the cool-down, want one try", calls)
	}
	if ask(); calls != maxFailures+1 {
		t.Error("a failed try does not rest again")
	}
	clock, broken = clock.Add(coolDown), false
	for range 3 {
		if res := ask(); !res.Changed() {
			t.Errorf("after it works again: %+v", res.Chain)
		}
	}
}

func TestCache(t *testing.T) {
	calls := 0
	r := New(Options{CacheBytes: 64 << 10, Set: sampled(func(_ compress.Input, tag string) string {
		calls++
		return tag
	})})
	ask := func(b Block) Result { return r.Compress(context.Background(), b) }
	b := Block{Text: array(200)}
	first, second := ask(b), ask(b)
	if calls != 1 || first.Cached || !second.Cached || first.Text != second.Text {
		t.Errorf("%d calls, cached %v then %v", calls, first.Cached, second.Cached)
	}
	check(t, b, second)
	for _, other := range []Block{{Text: b.Text, Pressure: 0.5}, {Text: b.Text, EditsOnly: true}, {Text: b.Text, Task: prune.Task{Request: "x"}}, {Text: b.Text, Tool: prune.Tool{Name: "mcp__a__b"}}, {Text: b.Text, File: "a.json"}} {
		if ask(other).Cached {
			t.Errorf("%+v was answered from the cache of another configuration", other)
		}
	}
	for i := range 50 {
		ask(Block{Text: array(200 + i)})
	}
	if r.cache.bytes > 64<<10 || len(r.cache.byKey) != r.cache.order.Len() {
		t.Errorf("%d bytes in %d entries", r.cache.bytes, len(r.cache.byKey))
	}
	if res := ask(b); res.Cached {
		t.Error("the oldest is still there")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := Block{Text: array(333)}
	if r.Compress(ctx, x); ask(x).Cached {
		t.Error("an unfinished answer was remembered")
	}
}

func TestInterceptor(t *testing.T) {
	only := fakeSampler{func(in compress.Input, tag string) string {
		if !strings.Contains(in.Text, "item-7") {
			return "-"
		}
		return "seven " + tag
	}}
	r := New(Options{Interceptor: only, Set: sampled(tagOnly)})
	b := Block{Text: array(200)}
	res := r.Compress(context.Background(), b)
	if !strings.HasPrefix(res.Text, "seven ") || len(res.Chain) != 1 {
		t.Errorf("%.80q %+v", res.Text, res.Chain)
	}
	check(t, b, res)
	b.Text = strings.ReplaceAll(b.Text, "item-", "thing-")
	if res = r.Compress(context.Background(), b); !strings.HasPrefix(res.Text, "[<<") || len(res.Chain) != 2 {
		t.Errorf("%.80q %+v", res.Text, res.Chain)
	}
	check(t, b, res)
}

// judged hides what does not hold the needle.
type judged struct{}

func (judged) Score(_ context.Context, q prune.Query, d text.Doc) (prune.Scores, error) {
	s := prune.Scores{Line: make([]float64, d.Len())}
	for i := range d.Len() {
		if strings.Contains(d.Line(i), q.Task.Request) {
			s.Line[i] = 1
		}
	}
	return s, nil
}

func TestJudge(t *testing.T) {
	set := Set{Editors: map[detect.Kind][]compress.Editor{detect.Diff: {fakeEditor{}}, detect.Log: {fakeEditor{}}}}
	o := Options{Set: set, Judge: prune.New(judged{}, prune.Options{})}
	task := prune.Task{Request: "request 777 "}
	diff := "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,300 +1,300 @@\n" + strings.Repeat(" some context that nobody asked for\n", 300)
	for _, tc := range []struct {
		name string
		b    Block
		want []string
	}{
		{"after a compressor that found nothing", Block{Text: lined(200), Task: task, Tool: prune.Tool{Name: "Bash"}}, []string{"judge"}},
		{"without a task", Block{Text: lined(200), Tool: prune.Tool{Name: "Bash"}}, []string{}},
		{"never on a diff", Block{Text: diff, Task: task, Tool: prune.Tool{Name: "Bash"}}, []string{}},
		{"not where nothing may be lost", Block{Text: lined(200), Task: task, Lossless: true}, []string{}},
	} {
		res := run1(o, tc.b)
		if diff := cmp.Diff(tc.want, res.Accepted()); diff != "" {
			t.Errorf("%s: %+v (-want +got):\n%s", tc.name, res.Chain, diff)
		}
		check(t, tc.b, res)
	}
	o.Set = Set{Editors: map[detect.Kind][]compress.Editor{detect.Log: {fakeEditor{[]compress.Cut{{First: 10, Last: 100}}}}}}
	b := Block{Text: lined(200), Task: task, Tool: prune.Tool{Name: "Bash"}}
	if diff := cmp.Diff([]string{"fake-editor"}, run1(o, b).Accepted()); diff != "" {
		t.Errorf("one lossy compressor a block (-want +got):\n%s", diff)
	}
}

func TestFileNameIsAHint(t *testing.T) {
	text := strings.Repeat("alpha,1\nbeta,2\n", 40)
	for file, want := range map[string]detect.Kind{"a.csv": detect.Table, "a.md": detect.Prose} {
		if res := run1(Options{}, Block{Text: text, File: file}); res.Kind != want {
			t.Errorf("%s is taken for %s, want %s", file, res.Kind, want)
		}
	}
}
