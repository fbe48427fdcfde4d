package recall

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/internal/text"
)

// TestPage: the text is lines 5 to 9 of a result: "five" ... "nine".
func TestPage(t *testing.T) {
	const s = "five\nsix is longer\n\neight\r\nnine"
	for name, tc := range map[string]struct {
		lines, pattern string
		max            int
		page, note     string
	}{
		"all":                     {"", "", 0, s, ""},
		"the word for all":        {" All ", "", 0, s, ""},
		"one line":                {"6", "", 0, "six is longer", ""},
		"an empty line":           {"7", "", 0, "", ""},
		"range":                   {"7-8", "", 0, "\neight\r", ""},
		"as the marker prints it": {"lines 5-9", "", 0, s, ""},
		"as the note prints it":   {"next: lines 6+4-9", "", 0, s[9:], ""},
		"to the end":              {"8-", "", 0, "eight\r\nnine", ""},
		"as others write it":      {"`L5..L6`", "", 0, "five\nsix is longer", ""},
		"with a dash":             {"5 – 6", "", 0, "five\nsix is longer", ""},
		"wider than the marker":   {"1-6", "", 0, "five\nsix is longer", "this marker hides only lines 5-9"},
		"first page":              {"", "", 10, "five\n", "next: lines 6-9"},
		"page of two lines":       {"", "", 19, "five\nsix is longer\n", "next: lines 7-9"},
		"a long line":             {"6-9", "", 4, "six ", "next: lines 6+4-9"},
		"a long line goes on":     {"6+4-9", "", 12, "is longer\n\n", "next: lines 8-9"},
		"at a line's end":         {"5+4-6", "", 1, "\n", "next: lines 6-6"},
		"rest of one line":        {"6+4", "", 0, "is longer", ""},
		"wide and paged":          {"5-99", "", 10, "five\n", "this marker hides only lines 5-9; next: lines 6-9"},
		"pattern":                 {"", "i", 0, "5: five\n6: six is longer\n8: eight\r\n9: nine", "4 of 5 lines match"},
		"pattern in a range":      {"8-9", "^e", 0, "8: eight\r", "1 of 2 lines match"},
		"pattern before a return": {"", "t$", 0, "8: eight\r", "1 of 5 lines match"},
		"pattern, empty line":     {"", "^$", 0, "7: ", "1 of 5 lines match"},
		"pattern, paged":          {"", "i", 12, "5: five", "4 of 5 lines match; next: lines 6-9 with the same pattern"},
		"pattern, long line":      {"", "six|nine", 9, "6: six is", "2 of 5 lines match; line 6 is too long and shown in part, lines 6 without a pattern gives all of it; next: lines 9-9 with the same pattern"},
		"pattern, none":           {"", "ten", 0, "", "0 of 5 lines match; without the pattern you get all of lines 5-9"},
	} {
		page, note, err := Page(s, Issue{First: 5, Last: 9}, tc.lines, tc.pattern, tc.max)
		if page != tc.page || note != tc.note || err != nil {
			t.Errorf("%s: Page(%q, %q) = %q, %q, %v; want %q, %q", name, tc.lines, tc.pattern, page, note, err, tc.page, tc.note)
		}
	}
}

func TestPageErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		lines, pattern string
		want           []string
	}{
		"words":                     {"the first ten", "", []string{`"the first ten"`, "write it as a-b", "5-6"}},
		"negative":                  {"-3", "", []string{"write it as a-b"}},
		"huge":                      {"99999999999999999999", "", []string{"write it as a-b"}},
		"two ranges":                {"5-5,6-6", "", []string{"write it as a-b"}},
		"very long":                 {strings.Repeat("9,", 500), "", []string{"...", "write it as a-b"}},
		"backwards":                 {"6-5", "", []string{"lines 6-5 runs backwards", "lines 5-6"}},
		"before":                    {"1-4", "", []string{"outside", "lines 5-6", "leave lines out"}},
		"after":                     {"7-", "", []string{"outside", "lines 5-6"}},
		"offset too large":          {"5+99-6", "", []string{"line 5 has no byte 99", "5-6"}},
		"offset of an earlier line": {"4+1-6", "", []string{"line 4 has no byte 1"}},
		"not RE2":                   {"", "(?=x)", []string{"not a valid RE2 expression", "look-around"}},
		"unbalanced":                {"", "f(", []string{"backslash"}},
		"pattern too long":          {"", strings.Repeat("a", 1001), []string{"1,000 characters"}},
	} {
		page, note, err := Page("five\nsix", Issue{First: 5, Last: 6}, tc.lines, tc.pattern, 0)
		if err == nil || page != "" || note != "" {
			t.Errorf("%s: Page = %q, %q, %v; want an error alone", name, page, note, err)
			continue
		}
		for _, w := range tc.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: error %q does not say %q", name, err, w)
			}
		}
		if len(err.Error()) > 400 {
			t.Errorf("%s: error of %d bytes", name, len(err.Error()))
		}
	}
}

// A pattern sees a line as it is read: without colours and a Read's margin.
func TestPagePatternSeesThroughDress(t *testing.T) {
	s := "    12\tfunc main() {\n13→}\n\x1b[31mred\x1b[0m end"
	for pattern, want := range map[string]string{
		"^func": "12:     12\tfunc main() {", "^}$": "13: 13→}", "^red end$": "14: \x1b[31mred\x1b[0m end", `^ +12\t`: "12:     12\tfunc main() {",
	} {
		page, _, err := Page(s, Issue{First: 12, Last: 14}, "", pattern, 0)
		if page != want || err != nil {
			t.Errorf("Page(%q) = %q, %v; want %q", pattern, page, err, want)
		}
	}
}

// readAll follows the notes from a first request and joins the pages.
func readAll(t *testing.T, s string, is Issue, lines string, max int) string {
	t.Helper()
	var b strings.Builder
	for range len(s) + 2 {
		page, note, err := Page(s, is, lines, "", max)
		if err != nil {
			t.Fatalf("Page(%q): %v", lines, err)
		}
		if n := utf8.RuneCountInString(page); n > max {
			t.Fatalf("page of lines %q has %d characters, want at most %d", lines, n, max)
		}
		b.WriteString(page)
		if note == "" {
			return b.String()
		}
		next, ok := strings.CutPrefix(note, "next: lines ")
		if !ok || next == lines {
			t.Fatalf("note %q after lines %q", note, lines)
		}
		if !strings.Contains(next, "+") && !strings.HasSuffix(page, "\n") {
			t.Fatalf("page of lines %q ends inside of a line, note %q", lines, note)
		}
		if valid := utf8.ValidString(s); valid && !utf8.ValidString(page) {
			t.Fatalf("page of lines %q ends inside of a character", lines)
		}
		lines = next
	}
	t.Fatalf("pages do not end: %d bytes of %d", b.Len(), len(s))
	return ""
}

func FuzzPage(f *testing.F) {
	f.Add("five\nsix is longer\n\neight\r\nnine", 5, 0, 3, 7)
	f.Add("a long line without end "+strings.Repeat("é", 30), 1, 0, 0, 3)
	f.Add("\n\n\n", 100, 1, 2, 1)
	f.Add("\xff\xfe\n\xe3\x81", -4, 0, 1, 1)
	f.Add("", 0, 0, 0, 20000)
	f.Fuzz(func(t *testing.T, s string, first, from, to, size int) {
		if size < 1 || size > MaxPage || first > 1<<29 || len(s) > 1<<12 {
			t.Skip()
		}
		is := Issue{First: first}
		if got := readAll(t, s, is, "", size); got != s {
			t.Errorf("pages of %d characters give %q, want %q", size, got, s)
		}
		d := text.Split(s)
		from, to = abs(from)%d.Len(), abs(to)%d.Len()
		if from > to {
			from, to = to, from
		}
		lines := fmt.Sprintf("%d-%d", max(first, 1)+from, max(first, 1)+to)
		got := readAll(t, s, is, lines, size)
		if want := d.Run(from, to); got != want {
			t.Errorf("lines %s give %q, want %q", lines, got, want)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func FuzzPagePattern(f *testing.F) {
	f.Add("five\nsix", "5-6", "i", 9)
	f.Add("\x1b[31mred", "", "(a|b)*$", 1)
	f.Add("a\nb", "5+1-", "[", 100)
	f.Fuzz(func(t *testing.T, s, lines, pattern string, max int) {
		page, note, err := Page(s, Issue{First: 5}, lines, pattern, max)
		if err != nil {
			if page != "" || note != "" || err.Error() == "" || errors.Unwrap(err) != nil {
				t.Errorf("Page = %q, %q beside %v", page, note, err)
			}
			return
		}
		if max > 0 && utf8.RuneCountInString(page) > max {
			t.Errorf("page of %d characters, want at most %d", utf8.RuneCountInString(page), max)
		}
		if pattern == "" && !strings.Contains(s, page) {
			t.Errorf("page %q is not of the text", page)
		}
		if pattern != "" && note == "" {
			t.Errorf("no tally for pattern %q", pattern)
		}
	})
}
