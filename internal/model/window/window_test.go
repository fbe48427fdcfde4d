package window

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/model/tokenizer"
	"winnow/internal/text"
)

func reader(tb testing.TB) *tokenizer.Tokenizer {
	tb.Helper()
	tok, err := tokenizer.Default()
	if err != nil {
		tb.Fatal(err)
	}
	return tok.Camel()
}

// ids are all of s, between [CLS] and [SEP] where several lines are given.
func ids(tok *tokenizer.Tokenizer, lines ...string) []int64 {
	out := []int64{int64(tok.CLS())}
	for _, s := range lines {
		of, _ := tok.Encode(s, -1)
		out = append(append(out, of...), int64(tok.SEP()))
	}
	return out
}

func TestCut(t *testing.T) {
	tok := reader(t)
	long := strings.Repeat("a ", 60)
	tests := []struct {
		name, src string
		want      []Window
	}{
		{"empty", "", nil},
		{"blank lines", "\n \n\t\n\r\n\x1b[0m\n\u00a0", nil},
		{"one line", "go test", []Window{{ids(tok, "go test"), []Line{{0, 1, 3}}}}},
		{
			"blank lines are skipped", "\ngo test\n\n  \nok\n",
			[]Window{{ids(tok, "go test", "ok"), []Line{{1, 1, 3}, {4, 4, 5}}}},
		},
		{
			"a long line is cut", "x\n" + long + "\ny",
			[]Window{{ids(tok, "x", long[:2*LineTokens], "y"), []Line{{0, 1, 2}, {1, 3, 51}, {2, 52, 53}}}},
		},
		{
			"escape sequences and ends of line", "\x1b[31mgo\x1b[0m test\r\nok\r",
			[]Window{{ids(tok, "go test", "ok"), []Line{{0, 1, 3}, {1, 4, 5}}}},
		},
		{
			"other scripts", "日本 x\nпривет\n",
			[]Window{{ids(tok, "日本 x", "привет"), []Line{{0, 1, 4}, {1, 5, 5 + len(ids(tok, "привет")) - 2}}}},
		},
		{
			"not UTF-8", "go\xff test\n\xff\xfe\nok",
			[]Window{{ids(tok, "go test", "ok"), []Line{{0, 1, 3}, {2, 4, 5}}}},
		},
		{
			"the name of a special token", "[SEP]\nok",
			[]Window{{ids(tok, "[SEP]", "ok"), []Line{{0, 1, 2}, {1, 3, 4}}}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := text.Split(tt.src)
			got := Cut(tok, d)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Cut(%q) differs:\n%s", tt.src, diff)
			}
			check(t, tok, d, got)
		})
	}
}

// Where a window ends: after the line with which it is as long as it may be.
func TestCutFull(t *testing.T) {
	tok := reader(t)
	tests := []struct {
		name string
		line string
		n    int
		want []int // lines of each window
	}{
		{"lines of one token", "a", 251, []int{125, 125, 1}},
		{"lines that fit exactly", strings.Repeat("a ", 24), 21, []int{10, 10, 1}},
		{"lines that do not", strings.Repeat("a ", 25), 10, []int{9, 1}},
		{"lines that are cut", strings.Repeat("a ", 400), 11, []int{5, 5, 1}},
	}
	for _, tt := range tests {
		d := text.Split(strings.TrimSuffix(strings.Repeat(tt.line+"\n", tt.n), "\n"))
		windows := Cut(tok, d)
		var got []int
		for _, w := range windows {
			got = append(got, len(w.Lines))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: lines of the windows differ:\n%s", tt.name, diff)
		}
		check(t, tok, d, windows)
	}
}

func TestCutLongLine(t *testing.T) {
	tok := reader(t)
	for _, unit := range []string{"word ", "x", "日本", "\x1b[31mred ", "\xff", "a\r", "{\"key\": 1}, "} {
		d := text.Split("first\n" + strings.Repeat(unit, (1<<20)/len(unit)) + "\nlast")
		windows := Cut(tok, d)
		check(t, tok, d, windows)
		if len(windows) != 1 {
			t.Errorf("three lines, one of 1 MB of %q, are %d windows", unit, len(windows))
		}
	}
}

func TestShown(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"plain", "  go test", "  go test"},
		{"end of line of another system", "ok\r", "ok"},
		{"only the last return", "a\rb\r\r", "a\rb\r"},
		{"colours", "\x1b[1;31mred\x1b[0m", "red"},
		{"long", strings.Repeat("é", lineRunes+1), strings.Repeat("é", lineRunes)},
		{"what is not seen does not count", strings.Repeat("\x1b[31mx", lineRunes+1), strings.Repeat("x", lineRunes)},
	}
	for _, tt := range tests {
		if got := Shown(tt.line); got != tt.want {
			t.Errorf("%s: Shown(%q) = %q, want %q", tt.name, tt.line, got, tt.want)
		}
	}
}

func FuzzCut(f *testing.F) {
	tok := reader(f)
	f.Add("go test\n\nok\r\n\x1b[31mFAIL\x1b[0m", 3)
	f.Add("[CLS] [SEP]\xff\xfe\n日本語\n"+strings.Repeat("long ", 90), 40)
	f.Add(" \n\t", 49)
	f.Fuzz(func(t *testing.T, src string, n int) {
		d := text.Split(strings.Repeat(src+"\n", 1+max(0, n)%50))
		check(t, tok, d, Cut(tok, d))
	})
}

// check holds what must be true of the windows of any text.
func check(t *testing.T, tok *tokenizer.Tokenizer, d text.Doc, windows []Window) {
	t.Helper()
	var got, want []string
	for i := range d.Len() {
		if of, _ := tok.Encode(Shown(d.Line(i)), LineTokens); len(of) > 0 {
			want = append(want, fmt.Sprint(i, of))
		}
	}
	for i, w := range windows {
		checkWindow(t, tok, w)
		for _, l := range w.Lines {
			got = append(got, fmt.Sprint(l.N, w.IDs[l.From:l.To]))
		}
		if i > 0 {
			before, first := windows[i-1], w.Lines[0]
			if len(before.IDs)+first.To-first.From <= Tokens {
				t.Errorf("window %d begins with a line that has room in the one before", i)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines read are not the lines with tokens in their order:\n%s", diff)
	}
	if !cmp.Equal(windows, Cut(tok, d)) {
		t.Error("the same text gives other windows")
	}
}

func checkWindow(t *testing.T, tok *tokenizer.Tokenizer, w Window) {
	t.Helper()
	if len(w.Lines) == 0 || w.IDs[0] != int64(tok.CLS()) || len(w.IDs) > Tokens+1 {
		t.Fatalf("a window of %d lines, %d tokens, begins with %d", len(w.Lines), len(w.IDs), w.IDs[0])
	}
	at := 1
	for _, l := range w.Lines {
		if l.From != at || l.To <= l.From || l.To-l.From > LineTokens || l.To >= len(w.IDs) || w.IDs[l.To] != int64(tok.SEP()) {
			t.Fatalf("line %+v after %d in a window of %d tokens", l, at, len(w.IDs))
		}
		at = l.To + 1
	}
	if at != len(w.IDs) {
		t.Errorf("a window of %d tokens, the last line ends at %d", len(w.IDs), at)
	}
	if i := slices.IndexFunc(w.IDs, func(id int64) bool { return id < 0 || id >= int64(tok.Size()) }); i >= 0 {
		t.Errorf("token %d is %d", i, w.IDs[i])
	}
}

func FuzzShown(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\r")
	f.Fuzz(func(t *testing.T, line string) {
		got := Shown(line)
		if n := utf8.RuneCountInString(got); n > lineRunes || len(got) > len(line) {
			t.Errorf("Shown(%q) has %d characters", line, n)
		}
	})
}
