package text

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      []string
	}{
		{"empty", "", []string{""}},
		{"one line", "a", []string{"a"}},
		{"final newline gives an empty last line", "a\n", []string{"a", ""}},
		{"carriage returns stay", "a\r\nb\rc", []string{"a\r", "b\rc"}},
		{"other breaks stay", "a\u2028b\vc\fd", []string{"a\u2028b\vc\fd"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := Split(tc.src)
			var got []string
			for i := range d.Len() {
				got = append(got, d.Line(i))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("Split(%q) (-want +got):\n%s", tc.src, diff)
			}
			if s := strings.Join(got, "\n"); s != tc.src {
				t.Errorf("joined = %q, want %q", s, tc.src)
			}
		})
	}
}

func TestRun(t *testing.T) {
	d := Split("a\nbb\nccc\n")
	if got, want := d.Run(1, 2), "bb\nccc"; got != want {
		t.Errorf("Run(1, 2) = %q, want %q", got, want)
	}
	if got, want := d.RunSpan(1, 2), (Span{2, 8}); got != want || got.Len() != 6 {
		t.Errorf("RunSpan(1, 2) = %v, want %v", got, want)
	}
}

func TestApply(t *testing.T) {
	d := Split("a\nbb\nccc")
	got, err := Apply(d, []Edit{{d.RunSpan(0, 0), "X"}, {d.RunSpan(2, 2), ""}})
	if want := "X\nbb\n"; err != nil || got != want {
		t.Errorf("Apply = %q, %v, want %q", got, err, want)
	}
	for name, edits := range map[string][]Edit{
		"overlap":   {{Span{0, 3}, ""}, {Span{2, 4}, ""}},
		"backwards": {{Span{4, 3}, ""}},
		"outside":   {{Span{4, 99}, ""}},
	} {
		if _, err := Apply(d, edits); !errors.Is(err, ErrEdits) {
			t.Errorf("%s: Apply error = %v, want ErrEdits", name, err)
		}
	}
}

func TestMargin(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      string
		nums      []int
	}{
		{"tab", "9\ta\n10\t\tb\n11\t", "a\n\tb\n", []int{9, 10, 11}},
		{"arrow, padded", "    9→a\n   10→  b", "a\n  b", []int{9, 10}},
		{"one line", "1\tonly", "only", []int{1}},
		{"a reminder below has no number", "1\ta\n2\tb\n\n<system-reminder>\n3\tx\n", "a\nb\n\n<system-reminder>\n3\tx\n", []int{1, 2, 0, 0, 0, 0}},
		{"a header above has none", "<content>\n1: a\n2:\n3: c\n</content>", "<content>\na\n\nc\n</content>", []int{0, 1, 2, 3, 0}},
		{"padded with bars", "00001| a\n00002| b", "a\nb", []int{1, 2}},
		{"dots", "1. a\n2. \n3. c", "a\n\nc", []int{1, 2, 3}},
		{"carriage returns stay", "1\ta\r\n2\tb\r", "a\r\nb\r", []int{1, 2}},
		{"plain text", "a\nb", "", nil},
		{"numbers that do not rise", "5\ta\n5\tb", "", nil},
		{"one numbered line of prose", "1. a\nb", "", nil},
		{"zero is no line", "0\ta\n1\tb\nx", "0\ta\nb\nx", nil},
		{"empty", "", "", nil},
		{"huge number", "99999999999\ta\n2\tb", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d, nums, ok := Margin(Split(tc.src))
			if ok != (tc.nums != nil) {
				t.Fatalf("Margin(%q) ok = %v, nums %v", tc.src, ok, nums)
			}
			if !ok {
				if d.Src != tc.src {
					t.Errorf("Margin(%q) changed the text to %q", tc.src, d.Src)
				}
				return
			}
			if d.Src != tc.want {
				t.Errorf("Margin(%q) = %q, want %q", tc.src, d.Src, tc.want)
			}
			if diff := cmp.Diff(tc.nums, nums); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(Split(d.Src).Lines, d.Lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"nothing to strip", "abc", "abc"},
		{"colours inside a word", "1 fai\x1b[0m\x1b[31mled", "1 failed"},
		{"link", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"},
		{"title ended by BEL", "\x1b]0;t\aok", "ok"},
		{"cursor and erase", "\x1b[2K\x1b[1Gdone", "done"},
		{"charset", "\x1b(Bx", "x"},
		{"cut at the end", "x\x1b", "x"},
		{"cut inside", "x\x1b[31", "x"},
		{"broken sequence keeps the text", "\x1b[3é", "é"},
		{"escape before a character", "\x1bé", "é"},
	} {
		if got := Plain(tc.in); got != tc.want {
			t.Errorf("%s: Plain(%q) = %q, want %q", tc.name, tc.in, got, tc.want)
		}
	}
}

func TestHead(t *testing.T) {
	for _, tc := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 2, "ab"}, {"äöü", 2, "äö"}, {"äöü", 3, "äöü"}, {"abc", 9, "abc"}, {"abc", 0, ""}} {
		if got := Head(tc.in, tc.n); got != tc.want {
			t.Errorf("Head(%q, %d) = %q, want %q", tc.in, tc.n, got, tc.want)
		}
	}
	if got := Chars("äb\xff"); got != 3 {
		t.Errorf("Chars = %d, want 3", got)
	}
}

func FuzzMargin(f *testing.F) {
	for _, s := range []string{"1\ta\n2\tb", "  1→a\n  2→b\n\nx", "1: a\n2:\n", "", "a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		d := Split(src)
		got, nums, ok := Margin(d)
		if !ok {
			return
		}
		if got.Len() != d.Len() || len(nums) != d.Len() {
			t.Fatalf("Margin(%q): %d lines, %d numbers, want %d", src, got.Len(), len(nums), d.Len())
		}
		for i := range d.Len() {
			if !strings.HasSuffix(d.Line(i), got.Line(i)) {
				t.Errorf("line %d: %q is no tail of %q", i, got.Line(i), d.Line(i))
			}
		}
	})
}
