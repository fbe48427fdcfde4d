package tokens

import (
	"strings"
	"testing"
)

func TestEstimate(t *testing.T) {
	for in, want := range map[string]int{"": 0, "a": 1, "abcd": 1, "abcde": 2, "äöüß": 1, "\xff\xfe": 1} {
		if got := Estimate(in); got != want {
			t.Errorf("Estimate(%q) = %d, want %d", in, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, tc := range []struct {
		name, in string
		want     int
	}{
		{"", "hello world", 3},
		{"estimate", "hello world", 3},
		{"o200k", "hello world", 2},
		{"cl100k", "hello world\n", 3},
		{"o200k", "", 0},
		{"o200k", strings.Repeat("word ", 4000), 4001},
	} {
		c, err := Named(tc.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := c(tc.in); got != tc.want {
			t.Errorf("%s of %.20q = %d, want %d", tc.name, tc.in, got, tc.want)
		}
	}
	if _, err := Named("p50"); err == nil || !strings.Contains(err.Error(), "o200k") {
		t.Errorf("Named(p50) error = %v, want one that lists the names", err)
	}
}

// A word without end is cut, so that its merging stays cheap; what it counts
// may differ from the whole by a token a cut.
func TestEndlessWord(t *testing.T) {
	c, err := Named("o200k")
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []string{"a", "0123456789abcdef", "é"} {
		whole := strings.Repeat(unit, maxWord/len(unit))
		one, ten := c(whole), c(strings.Repeat(whole, 10))
		if ten < 10*one-10 || ten > 10*one+10 {
			t.Errorf("%q: ten times %d tokens counted as %d", unit, one, ten)
		}
	}
}
