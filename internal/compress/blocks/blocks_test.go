package blocks

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/compress"
	"winnow/internal/text"
)

const trace = `Traceback (most recent call last):
  File "app/server.py", line 41, in handle
    total = price(order)
  File "app/price.py", line 9, in price
    raise KeyError(order.sku)
KeyError: 'A-17'`

const notice = "We use cookies to make this site work. By going on you accept that we count visits and remember your choices."

func TestFold(t *testing.T) {
	hit := "2026-06-19T21:04:11Z INFO  cache hit for key=session:abc123 (ttl 300s)"
	for _, tc := range []struct{ name, in, want string }{
		{"equal lines", strings.Repeat(hit+"\n", 40), hit + " (×40)\n"},
		{"two equal lines", hit + "\n" + hit, hit + " (×2)"},
		{"blank lines", "a" + strings.Repeat("\n", 20) + "b", "a\n (×19)\nb"},
		{"few blank lines stay", "a\n\n\n\nb", "a\n\n\n\nb"},
		{"carriage returns", strings.Repeat(hit+"\r\n", 3), hit + " (×3)\r\n"},
		{"a block of one line", "Title\n\n" + notice + "\n\nOne\n\n" + notice + "\n\nTwo\n\n" + notice,
			"Title\n\n" + notice + "\n\nOne\n\n⟦↺#3⟧\n\nTwo\n\n⟦↺#3⟧"},
		{"a block in a row", strings.Repeat(trace+"\n\n", 4) + "end", trace + "\n\n⟦↺#1-7×3⟧\nend"},
		{"a count in the text", hit + "\n" + hit + "\n" + hit + "\nseen (×3)", hit + " (×3)\nseen (×3) (×1)"},
		{"a reference in the text", hit + "\n" + hit + "\n⟦↺#1⟧", hit + " (×2)\n⟦↺#1⟧ (×1)"},
		{"what is nearly a fold stays", hit + "\n" + hit + "\n(×2)\nx (×0)\nx (×02)\nsee ⟦↺#1⟧ there\n⟦↺#0⟧\n⟦↺#2-1⟧",
			hit + " (×2)\n(×2)\nx (×0)\nx (×02)\nsee ⟦↺#1⟧ there\n⟦↺#0⟧\n⟦↺#2-1⟧"},
		{"prose", "Nothing here is said twice.\n\nIt is short, and each line\nis its own.\n", "Nothing here is said twice.\n\nIt is short, and each line\nis its own.\n"},
		{"empty", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := Fold(tc.in, Options{})
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Fold (-want +got):\n%s", diff)
			}
			if ok != (got != tc.in) {
				t.Errorf("ok = %v for a text that did change: %v", ok, got != tc.in)
			}
			if !ok {
				return
			}
			if back, err := Decode(got); err != nil || back != tc.in {
				t.Errorf("Decode = %q, %v, want %q", back, err, tc.in)
			}
		})
	}
}

// tokens is the rule of thumb by which the figures below were published.
func tokens(s string) int { return (text.Chars(s) + 3) / 4 }

func TestFigures(t *testing.T) {
	line := "2026-06-19T21:04:11Z INFO  cache hit for key=session:abc123 (ttl 300s)"
	equal, _ := Fold(strings.TrimSuffix(strings.Repeat(line+"\n", 40), "\n"), Options{})
	if got := tokens(equal); got > 19 {
		t.Errorf("40 equal lines: %d tokens, want at most 19", got)
	}
	short := trace[:strings.LastIndexByte(trace[:strings.Index(trace, "    raise")], '\n')]
	traces := strings.TrimSuffix(strings.Repeat(short+"\n\n", 6), "\n\n")
	folded, _ := Fold(traces, Options{})
	if saved := 1 - float64(tokens(folded))/float64(tokens(traces)); saved < 0.79 {
		t.Errorf("six traces of %d tokens: %.3f saved, want 0.79\n%s", tokens(traces), saved, folded)
	}
}

func TestOptions(t *testing.T) {
	in := strings.Repeat(notice+"\n", 3) + "x\n" + notice + "\n"
	for _, tc := range []struct {
		o    Options
		want string
	}{
		{Options{NoBlocks: true}, notice + " (×3)\nx\n" + notice + "\n"},
		{Options{NoRuns: true}, notice + "\n⟦↺#1×2⟧\nx\n⟦↺#1⟧\n"},
		{Options{NoRuns: true, NoBlocks: true}, in},
	} {
		if got, _ := Fold(in, tc.o); got != tc.want {
			t.Errorf("Fold(%+v) = %q, want %q", tc.o, got, tc.want)
		}
	}
	if got, ok := Fold(in, Options{NoRuns: true}); !ok || got != notice+"\n⟦↺#1×2⟧\nx\n⟦↺#1⟧\n" {
		t.Errorf("blocks alone: %q, %v", got, ok)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, in := range []string{
		"⟦↺#1⟧", "a\n⟦↺#1-2⟧", "a\n⟦↺#3⟧", " (×999999999)", strings.Repeat("x", 1000) + " (×999999)",
		"a\n⟦↺#1×999999999⟧", "a (×4000000)\n⟦↺#1-3999999⟧",
	} {
		if got, err := Decode(in); !errors.Is(err, ErrForm) {
			t.Errorf("Decode(%.40q) = %d bytes, %v, want ErrForm", in, len(got), err)
		}
	}
}

func TestCodec(t *testing.T) {
	in := compress.Input{Text: strings.Repeat(trace+"\n", 5)}
	form, ok := Codec{}.Encode(in)
	if !ok {
		t.Fatal("Encode refused")
	}
	if back, err := (Codec{}).Decode(form); err != nil || back != in.Text {
		t.Errorf("Decode = %q, %v", back, err)
	}
	if again, ok := (Codec{}).Encode(compress.Input{Text: form}); ok {
		t.Errorf("folded twice: %q", again)
	}
	if _, err := (Codec{}).Decode("plain\n"); !errors.Is(err, ErrForm) {
		t.Errorf("Decode of plain text: %v, want ErrForm", err)
	}
}

// adversarial are texts on which a search for repeats could take long.
func adversarial(n int) map[string]string {
	var deep, alike strings.Builder
	for i := range n {
		deep.WriteString(strings.Repeat("a", i%64) + "\n")
		fmt.Fprintf(&alike, "the same words before the number of this line, which is %d\nthe same\n", i%7*i)
	}
	ab := strings.Repeat("a line of the first kind, which is long enough to count\nb\n", n/2)
	return map[string]string{
		"blank": strings.Repeat("\n", n), "equal": strings.Repeat("x\n", n), "two": ab, "fibonacci": fibonacci(n),
		"stairs": deep.String(), "alike": alike.String(), "seven blank": strings.Repeat("\n\n\n\n\n\nx\n", n/7),
	}
}

// fibonacci repeats itself at every distance.
func fibonacci(n int) string {
	a, b := "one line of some length, to make a block\n", "another line of some length, for the same\n"
	for strings.Count(b, "\n") < n {
		a, b = b, b+a
	}
	return b
}

func TestLinear(t *testing.T) {
	for name := range adversarial(8) {
		ops := func(n int) float64 {
			s := adversarial(n)[name]
			e := newEncoder(s, Options{})
			e.run()
			return float64(e.ops) / float64(strings.Count(s, "\n"))
		}
		small, large := ops(1000), ops(32000)
		if large > 2*small+4 || large > 2*minBlock {
			t.Errorf("%s: %.1f steps a line for 1,000 lines, %.1f for 32,000", name, small, large)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, s := range adversarial(60) {
		f.Add(s)
	}
	for _, s := range []string{
		"", "\n", "a", "a (×3)", "a (×3)\r\n", "⟦↺#1⟧\n⟦↺#1⟧", strings.Repeat(trace+"\n\n", 3), "\xff\xfe\n\xff\xfe\n" + strings.Repeat("\xff", 99),
		strings.Repeat("┌──┐\n│日本│\n└──┘\n", 9), " (×2)\n (×2)\n (×2)\n", strings.Repeat("x (×2)\n", 20), strings.Repeat("⟦↺#1⟧\n", 20), "\r\n\r\n\r\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, o := range []Options{{}, {NoRuns: true}, {NoBlocks: true}} {
			enc := Encode(s, o)
			if back, err := Decode(enc); err != nil || back != s {
				t.Fatalf("Decode(%q) = %q, %v, want %q", enc, back, err, s)
			}
			out, ok := Fold(s, o)
			if ok && (len(out) >= len(s) || text.Chars(out) >= text.Chars(s)) || !ok && out != s {
				t.Fatalf("Fold(%q) = %q, %v", s, out, ok)
			}
		}
		if form, ok := (Codec{}).Encode(compress.Input{Text: s}); ok {
			if _, ok := (Codec{}).Encode(compress.Input{Text: form}); ok {
				t.Fatalf("%q folds twice", s)
			}
		}
		if back, err := decode(s, 4096, 512); err == nil && len(back) > 4096+len(s) {
			t.Fatalf("Decode(%q) has %d bytes", s, len(back))
		}
	})
}

func BenchmarkFold(b *testing.B) {
	var log strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&log, "2026-06-19T21:04:%02dZ INFO request %d served in %d ms from cache\n", i/7%60, i, i*i%97)
		if i%50 == 0 {
			log.WriteString(trace + "\n")
		}
	}
	for _, kind := range []struct{ name, text string }{
		{"log", log.String()}, {"equal", strings.Repeat("the same line again and again\n", 40000)}, {"traces", strings.Repeat(trace+"\n\n", 5000)},
	} {
		b.Run("kind="+kind.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(kind.text)))
			for b.Loop() {
				Fold(kind.text, Options{})
			}
		})
	}
}
