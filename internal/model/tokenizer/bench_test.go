package tokenizer

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// BenchmarkAppend reads made-up lines. For a big text of one's own:
//
//	WINNOW_BENCH_TEXT=FILE go test -bench Append/text=file ./internal/model/tokenizer
func BenchmarkAppend(b *testing.B) {
	inputs := []struct {
		name  string
		lines []string
	}{{name: "ascii"}, {name: "mixed"}}
	for _, c := range golden(b) {
		kind, _, _ := strings.Cut(c.Name, "/")
		switch kind {
		case "code", "log", "path", "diff", "hash":
			if isASCII(c.Text) {
				inputs[0].lines = append(inputs[0].lines, c.Text)
			}
		case "accent", "greek-cyrillic", "cjk", "scripts", "emoji":
			inputs[1].lines = append(inputs[1].lines, c.Text)
		}
	}
	if name := os.Getenv("WINNOW_BENCH_TEXT"); name != "" {
		raw, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		inputs = append(inputs, struct {
			name  string
			lines []string
		}{"file", strings.Split(string(raw), "\n")})
	}
	tok := mustDefault(b)
	for _, in := range inputs {
		for _, camel := range []bool{false, true} {
			t, name := tok, "text="+in.name+"/camel=no"
			if camel {
				t, name = tok.Camel(), "text="+in.name+"/camel=yes"
			}
			b.Run(name, func(b *testing.B) { benchLines(b, t, in.lines) })
		}
	}
}

func benchLines(b *testing.B, tok *Tokenizer, lines []string) {
	n := 0
	for _, l := range lines {
		n += len(l) + 1
	}
	dst := make([]int32, 0, 1<<16)
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			dst = tok.Append(dst[:0], l, -1)
		}
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7e }) < 0
}

func BenchmarkNew(b *testing.B) {
	raw := rawVocab(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(bytes.NewReader(raw)); err != nil {
			b.Fatal(err)
		}
	}
}
