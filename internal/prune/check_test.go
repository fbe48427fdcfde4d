package prune

import (
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// checkResult checks what must hold for every result, whatever the input.
func checkResult(t testing.TB, in Input, res Result) {
	t.Helper()
	if res.Reason == Internal {
		t.Fatalf("internal: %v", res.Err)
	}
	if res.Reason != Pruned {
		if res.Text != in.Text || len(res.Hidden) > 0 {
			t.Errorf("reason %s, but the text was changed", res.Reason)
		}
		return
	}
	if len(res.Hidden) == 0 {
		t.Fatal("pruned, but nothing is hidden")
	}
	if utf8.ValidString(in.Text) && !utf8.ValidString(res.Text) {
		t.Error("valid text became invalid UTF-8")
	}
	for _, h := range res.Hidden {
		if marker.KeyOf(h.Text) != h.Key {
			t.Errorf("key %s is not that of its text", h.Key)
		}
		if n := strings.Count(h.Text, "\n") + 1; n != h.End-h.Start+1 {
			t.Errorf("hidden lines %d-%d hold %d lines", h.Start, h.End, n)
		}
		if tag := marker.Tag(h.Key, h.End-h.Start+1); strings.Count(res.Text, tag) == 0 {
			t.Errorf("no marker %s in the text", tag)
		}
	}
	if in.Saved != nil {
		if n := text.Chars(res.Text); n > MaxView {
			t.Errorf("the view has %d characters", n)
		}
		return
	}
	if text.Chars(res.Text) >= text.Chars(in.Text) || len(res.Text) > len(in.Text) {
		t.Errorf("%d characters became %d", text.Chars(in.Text), text.Chars(res.Text))
	}
	if got := restore(t, in, res); got != in.Text {
		t.Errorf("hidden text put back gives another text:\n%s", firstDifference(in.Text, got))
	}
}

// restore puts the hidden text in the place of each marker line.
func restore(t testing.TB, in Input, res Result) string {
	t.Helper()
	var out []string
	lines := strings.Split(res.Text, "\n")
	k := 0
	for i := 0; i < len(lines); i++ {
		if k < len(res.Hidden) {
			h := res.Hidden[k]
			n := h.End - h.Start + 1
			if strings.HasPrefix(lines[i], marker.Tag(h.Key, n)) && len(out) == h.Start {
				out = append(out, strings.Split(h.Text, "\n")...)
				if in.Renumbered && h.Start > 0 && len(out) < strings.Count(in.Text, "\n")+1 {
					i += n - 1 // the empty lines that keep later numbers true
				}
				k++
				continue
			}
		}
		out = append(out, lines[i])
	}
	if k != len(res.Hidden) {
		t.Errorf("found %d of %d markers in place", k, len(res.Hidden))
	}
	return strings.Join(out, "\n")
}

func firstDifference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	cut := func(s string) string { return s[max(0, min(i-60, len(s))):min(len(s), i+60)] }
	return "want ..." + cut(want) + "...\ngot  ..." + cut(got) + "..."
}
