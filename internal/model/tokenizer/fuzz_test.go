package tokenizer

import (
	"slices"
	"testing"
	"unicode/utf8"

	"winnow/internal/text"
)

// FuzzEncode holds what must be true of any bytes at all.
func FuzzEncode(f *testing.F) {
	tok := mustDefault(f)
	for _, c := range golden(f) {
		if len(c.Text) < 300 {
			f.Add(c.Text, 5)
		}
	}
	f.Add("caf\xc3 \xff\xfeA\xed\xa0\x80[SE\xffP]", 2)
	f.Fuzz(func(t *testing.T, s string, n int) {
		ids, spans := tok.Encode(s, -1)
		checkSpans(t, s, ids, spans, tok.Size())
		if n >= 0 {
			head, _ := tok.Encode(s, n)
			if want := ids[:min(n, len(ids))]; !slices.Equal(head, want) {
				t.Errorf("Encode(%q, %d) = %v, want %v", s, n, head, want)
			}
		}
		whole := tok.Append(nil, s, -1)
		if !slices.EqualFunc(whole, ids, func(a int32, b int64) bool { return int64(a) == b }) {
			t.Errorf("Append(%q) = %v, Encode %v", s, whole, ids)
		}
		if got := tok.Append(nil, string([]rune(s)), -1); !slices.Equal(got, whole) {
			t.Errorf("%q: %v, with U+FFFD for what is not UTF-8 %v", s, whole, got)
		}
		if got := tok.Append(tok.Append(nil, s, -1), "\n"+s, -1); !slices.Equal(got, tok.Append(nil, s+"\n"+s, -1)) {
			t.Errorf("%q: two lines together are not what they are alone", s)
		}
		split := splitHumps(s)
		got, want := tok.Camel().Append(nil, s, -1), tok.Append(nil, split, -1)
		if !slices.Equal(got, want) {
			t.Errorf("Camel().Append(%q) = %v, but of %q %v", s, got, split, want)
		}
	})
}

func checkSpans(t *testing.T, s string, ids []int64, spans []text.Span, size int) {
	t.Helper()
	if len(ids) != len(spans) {
		t.Fatalf("Encode(%q): %d ids, %d spans", s, len(ids), len(spans))
	}
	var last text.Span
	for i, sp := range spans {
		if ids[i] < 0 || ids[i] >= int64(size) {
			t.Errorf("Encode(%q): id %d", s, ids[i])
		}
		if sp.Start < last.Start || sp.End < last.End || sp.Start >= sp.End || sp.End > len(s) {
			t.Errorf("Encode(%q): span %v after %v", s, sp, last)
		}
		if sp.Start < last.End && sp != last {
			t.Errorf("Encode(%q): span %v overlaps %v", s, sp, last)
		}
		if !utf8.RuneStart(s[sp.Start]) && utf8.ValidString(s) {
			t.Errorf("Encode(%q): span %v splits a character", s, sp)
		}
		last = sp
	}
}

// splitHumps does by a new string what Camel does without one.
func splitHumps(s string) string {
	var out []byte
	for i := range len(s) {
		if i > 0 && s[i] >= 'A' && s[i] <= 'Z' && (s[i-1] >= 'a' && s[i-1] <= 'z' || s[i-1] >= '0' && s[i-1] <= '9') {
			out = append(out, ' ')
		}
		out = append(out, s[i])
	}
	return string(out)
}
