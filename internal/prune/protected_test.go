package prune

import (
	"strings"
	"testing"
)

func TestProtected(t *testing.T) {
	in := Input{Tool: Tool{Name: "Bash"}, Text: "a\nb\nc\nd\nError: no such file\nf\ng\nh\ni\n"}
	var got []string
	for _, c := range Protected(in) {
		got = append(got, c.String())
	}
	if s, want := strings.Join(got, ","), "edge,edge,,,word+trace,,,edge,edge,edge"; s != want {
		t.Errorf("Protected = %s, want %s", s, want)
	}
}
