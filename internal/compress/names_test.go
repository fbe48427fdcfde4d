package compress

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/text"
)

func TestNames(t *testing.T) {
	d := text.Split(strings.Repeat("src/shop/a.go\n", 40) + "src/shop/order_total.go\nПрайс\n")
	n := NamesOf(Input{Query: "Why is Order_Total wrong in src/shop? Please check the прайс and Прайс."}, d)
	for line, want := range map[string]bool{
		"x order_total.go": true, "ORDER_TOTAL": true, "order_totals": false, "src/shop/a.go": false, "please check": false, "Прайс": true, "": false,
	} {
		if got := n.In(line); got != want {
			t.Errorf("In(%q) = %v, want %v", line, got, want)
		}
	}
	if NamesOf(Input{}, d).In("src order_total") {
		t.Error("a name without a task")
	}
}

func TestCutsOf(t *testing.T) {
	lines := strings.Split("h h . _ h k h h _ k h", " ")
	hide := make([]bool, len(lines))
	for i, l := range lines {
		hide[i] = l == "h"
	}
	got := CutsOf(hide, func(i int) bool { return lines[i] == "_" }, 2, func(first, last int) string { return "a\nb" })
	want := []Cut{{0, 1, "a b"}, {6, 7, "a b"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("CutsOf (-want +got):\n%s", diff)
	}
	long := CutsOf([]bool{true}, func(int) bool { return false }, 1, func(int, int) string { return strings.Repeat("é", 200) })
	if got := long[0].Digest; len(got) > maxDigest || !strings.HasSuffix(got, "é") {
		t.Errorf("digest %q", got)
	}
}
