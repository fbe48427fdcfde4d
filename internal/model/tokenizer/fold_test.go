package tokenizer

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseFoldsErrors(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"few fields", "drop 0", "line 1: 2 fields"},
		{"kind", "# head\nword 41 41 61\nodd 1 2", `line 3: kind "odd"`},
		{"number", "drop 0 x", `code point "x"`},
		{"beyond Unicode", "drop 0 110000", `code point "110000"`},
		{"backwards", "drop 5 4", "line 1: range"},
		{"two marks", "punct 41 41 21 21", "line 1: punct"},
		{"not Hangul", "hangul AC00 D7A4", "not syllables"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := parseFolds(c.src); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("parseFolds(%q) = %v, want an error with %q", c.src, err, c.want)
			}
		})
	}
}

// TestClass: the fast table for ASCII and the table of all code points agree.
func TestClass(t *testing.T) {
	folds, err := defaultFolds()
	if err != nil {
		t.Fatal(err)
	}
	of := map[kind]uint8{drop: others, space: blanks, punct: marks}
	for c := range rune(utf8.RuneSelf) {
		f := folds.of(c)
		out := f.out
		if out == "" {
			out = string(c)
		}
		want, ok := of[f.kind]
		if !ok {
			want = lowers
			if f.out != "" {
				want = uppers
			}
		}
		if class[c] != want || string(rune(lower[c])) != out {
			t.Errorf("%q: class %d and %q, want %d and %q", c, class[c], lower[c], want, out)
		}
	}
}
