package tokenizer

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"winnow/internal/text"
)

func mustDefault(t testing.TB) *Tokenizer {
	t.Helper()
	tok, err := Default()
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// goldenCase is a text and what the Python package makes of it; see gen.py.
type goldenCase struct {
	Name  string
	Text  string
	IDs   []int64
	Spans [][2]int // nil: the Python package has them wrong
	Camel []int64
}

func golden(t testing.TB) []goldenCase {
	t.Helper()
	raw, err := os.ReadFile("testdata/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []goldenCase
	for line := range bytes.Lines(raw) {
		var c goldenCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if len(all) < 300 {
		t.Fatalf("%d golden cases: the file is cut short", len(all))
	}
	return all
}

func TestGolden(t *testing.T) {
	tok := mustDefault(t)
	for _, c := range golden(t) {
		t.Run(c.Name, func(t *testing.T) {
			ids, spans := tok.Encode(c.Text, -1)
			if d := cmp.Diff(c.IDs, ids); d != "" {
				t.Fatalf("Encode(%q) ids (-want +got):\n%s", c.Text, d)
			}
			want := make([]text.Span, len(c.Spans))
			for i, s := range c.Spans {
				want[i] = text.Span{Start: s[0], End: s[1]}
			}
			if d := cmp.Diff(want, spans); d != "" && c.Spans != nil {
				t.Errorf("Encode(%q) spans (-want +got):\n%s", c.Text, d)
			}
			ids, _ = tok.Camel().Encode(c.Text, -1)
			if d := cmp.Diff(c.Camel, ids); d != "" {
				t.Errorf("Camel().Encode(%q) ids (-want +got):\n%s", c.Text, d)
			}
		})
	}
}

func TestInvalidUTF8(t *testing.T) {
	tok := mustDefault(t)
	for name, s := range map[string]string{
		"inside a word":     "fai\xffled",
		"alone":             "\xff\xfe",
		"cut character":     "caf\xc3",
		"cut at the start":  "\xa9 x",
		"surrogate":         "a\xed\xa0\x80b",
		"overlong":          "a\xc0\xafb",
		"beyond the range":  "a\xf4\x90\x80\x80b",
		"before upper-case": "a\xffB",
		"binary":            "\x7fELF\x02\x01\x01\x00\x00\x90\xc8",
	} {
		t.Run(name, func(t *testing.T) {
			want := tok.Append(nil, string([]rune(s)), -1)
			if got := tok.Append(nil, s, -1); !slices.Equal(got, want) {
				t.Errorf("Append(%q) = %v, want %v as with U+FFFD", s, got, want)
			}
		})
	}
	ids, spans := tok.Encode("x fai\xffled\xff", -1)
	if want := []text.Span{{Start: 0, End: 1}, {Start: 2, End: 9}}; !slices.Equal(spans, want) {
		t.Errorf("spans = %v, want %v", spans, want)
	}
	if want, _ := tok.Encode("x failed", -1); !slices.Equal(ids, want) {
		t.Errorf("ids = %v, want %v", ids, want)
	}
}

func TestMax(t *testing.T) {
	tok := mustDefault(t)
	for _, c := range golden(t) {
		for n := range min(len(c.IDs)+2, 60) {
			want := c.IDs[:min(n, len(c.IDs))]
			ids, spans := tok.Encode(c.Text, n)
			if !slices.Equal(ids, want) || len(spans) != len(ids) {
				t.Fatalf("Encode(%q, %d) = %v with %d spans, want %v", c.Text, n, ids, len(spans), want)
			}
		}
	}
}

func TestAppendKeepsWhatWasThere(t *testing.T) {
	tok := mustDefault(t)
	// Of the second word only [UNK] may remain, and only what was added for it goes.
	got := tok.Append([]int32{7, 8}, "error unhappyᚠ", -1)
	want := append([]int32{7, 8}, tok.Append(nil, "error", -1)...)
	want = append(want, tok.UNK())
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Append (-want +got):\n%s", d)
	}
}

// TestHuge would not end in a tokenizer that is quadratic.
func TestHuge(t *testing.T) {
	tok := mustDefault(t).Camel()
	const n = 1 << 20
	for _, c := range []struct {
		name, unit string
		want       int // tokens for n units
	}{
		{"letters", "a", 1},
		{"upper and lower", "aB", n + 1},
		{"accented", "é", 1},
		{"marks only", "\u0301", 0},
		{"controls only", "\x01", 0},
		{"not UTF-8", "\xff", 0},
		{"brackets", "[", n},
		{"ideographs", "中", n},
		{"syllables", "한", 1},
		{"emoji", "🎉", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := len(tok.Append(nil, strings.Repeat(c.unit, n), -1)); got != c.want {
				t.Errorf("%d times %q gives %d tokens, want %d", n, c.unit, got, c.want)
			}
		})
	}
}

func TestConcurrent(t *testing.T) {
	tok := mustDefault(t)
	cases := golden(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, c := range cases {
				if ids, _ := tok.Encode(c.Text, -1); !slices.Equal(ids, c.IDs) {
					t.Errorf("Encode(%q) = %v, want %v", c.Text, ids, c.IDs)
				}
			}
		})
	}
	wg.Wait()
}

func TestAppendAllocates(t *testing.T) {
	tok := mustDefault(t).Camel()
	dst := make([]int32, 0, 4096)
	for _, c := range golden(t) {
		if n := testing.AllocsPerRun(5, func() { dst = tok.Append(dst[:0], c.Text, -1) }); n != 0 {
			t.Errorf("Append(%q): %v allocations, want 0", c.Text, n)
		}
	}
}

func TestDefault(t *testing.T) {
	tok := mustDefault(t)
	got := []int32{tok.PAD(), tok.UNK(), tok.CLS(), tok.SEP(), tok.MASK(), int32(tok.Size())}
	if want := []int32{0, 100, 101, 102, 103, 30522}; !slices.Equal(got, want) {
		t.Errorf("PAD, UNK, CLS, SEP, MASK, Size = %v, want %v", got, want)
	}
}

// rawVocab unpacks the vocabulary and holds it against the hash beside it.
func rawVocab(t testing.TB) []byte {
	t.Helper()
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	raw, err := dec.DecodeAll(packedVocab, nil)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("vocab/vocab.sha256")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); !strings.HasPrefix(string(want), got) {
		t.Fatalf("SHA-256 of the vocabulary = %s, want %s", got, want)
	}
	return raw
}

// TestVocabulary: each piece is found where the vocabulary has it.
func TestVocabulary(t *testing.T) {
	tok := mustDefault(t)
	n := 0
	for line := range bytes.Lines(rawVocab(t)) {
		piece := strings.TrimSuffix(string(line), "\n")
		root := uint32(wordRoot)
		if rest, ok := strings.CutPrefix(piece, "##"); ok {
			piece, root = rest, innerRoot
		}
		if id, ok := tok.trie.find(root, piece); !ok || int(id) != n {
			t.Errorf("line %d, %q: found %v with id %d", n+1, line, ok, id)
		}
		n++
	}
	if n != tok.Size() {
		t.Errorf("%d pieces, Size() = %d", n, tok.Size())
	}
}

func TestNew(t *testing.T) {
	const special = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"
	broken := errors.New("broken")
	for _, c := range []struct {
		name  string
		vocab io.Reader
		want  string // in the error
	}{
		{"empty", strings.NewReader(""), "empty"},
		{"no special", strings.NewReader("a\nb\n"), "no [PAD]"},
		{"special as continuation", strings.NewReader("##[PAD]\n[UNK]\n"), "no [PAD]"},
		{"empty line", strings.NewReader(special + "\na\n"), "line 6"},
		{"not UTF-8", strings.NewReader(special + "a\n\xff\n"), "line 7"},
		{"twice", strings.NewReader(special + "ab\nc\nab\n"), `lines 6 and 8 are both "ab"`},
		{"continuation twice", strings.NewReader(special + "##ab\n##ab\n"), `lines 6 and 7 are both "ab"`},
		{"reader fails", iotest.ErrReader(broken), "broken"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(c.vocab); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("New = %v, want an error with %q", err, c.want)
			}
		})
	}
	t.Run("small", func(t *testing.T) {
		tok, err := New(strings.NewReader(special + "un\r\n##happ\n##y\nhappy\n##\n"))
		if err != nil {
			t.Fatal(err)
		}
		got := tok.Append(nil, "Unhappy happy y #", -1)
		if want := []int32{5, 6, 7, 8, 1, 1}; !slices.Equal(got, want) {
			t.Errorf("ids = %v, want %v", got, want)
		}
	})
}
