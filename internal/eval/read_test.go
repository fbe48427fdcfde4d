package eval

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
)

func TestRanges(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want Ranges
		bad  bool
	}{
		{"", nil, false},
		{" ", nil, false},
		{"3", Ranges{{3, 3}}, false},
		{"3-7, 12,0-0", Ranges{{3, 7}, {12, 12}, {0, 0}}, false},
		{"3,,4", Ranges{{3, 3}, {4, 4}}, false},
		{"7-3", nil, true},
		{"-3", nil, true},
		{"3-", nil, true},
		{"a", nil, true},
		{"1-2-3", nil, true},
	} {
		got, err := parseRanges(tc.in)
		if (err != nil) != tc.bad {
			t.Errorf("parseRanges(%q) error = %v, want one: %v", tc.in, err, tc.bad)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("parseRanges(%q) (-want +got):\n%s", tc.in, diff)
		}
	}
	in, err := Ranges{{1, 2}, {2, 3}}.mark(5)
	if diff := cmp.Diff([]bool{false, true, true, true, false}, in); err != nil || diff != "" {
		t.Errorf("mark: %v (-want +got):\n%s", err, diff)
	}
}

func TestReadLabels(t *testing.T) {
	got, err := ReadLabels(strings.NewReader(`{"id":"a","needed":"1","useful":"2-3","why":"x"}` + "\n\n" + `{"id":"b"}`))
	want := Labels{"a": {Ranges{{1, 1}}, Ranges{{2, 3}}}, "b": {}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("labels: %v (-want +got):\n%s", err, diff)
	}
	for in, want := range map[string]string{
		"{\"id\":\"a\"}\n{":                  "label on line 2: unexpected end of JSON input",
		`{"id":"a","needed":"x"}`:            `label a: bad range "x"`,
		`{"id":"a","useful":"2-1"}`:          `label a: bad range "2-1"`,
		"{\"id\":\"a\"}\n{\"id\":\"a\"}":     "label a: graded twice",
		`{"id":"a","needed":["not ranges"]}`: "label on line 1: json: cannot unmarshal array into Go struct field line.Needed of type string",
	} {
		if _, err := ReadLabels(strings.NewReader(in)); err == nil || err.Error() != want {
			t.Errorf("ReadLabels(%s) error = %v, want %s", in, err, want)
		}
	}
}

func TestReadScores(t *testing.T) {
	got, err := ReadScores(strings.NewReader(`{"id":"a","scores":[0.5,null,0],"failure":0.7}` + "\n" + `{"id":"b","scores":[]}`))
	want := map[string]prune.Scores{"a": {Line: []float64{0.5, math.NaN(), 0}, Failure: 0.7}, "b": {Line: []float64{}}}
	if diff := cmp.Diff(want, got, cmp.Comparer(near)); err != nil || diff != "" {
		t.Errorf("scores: %v (-want +got):\n%s", err, diff)
	}
	if _, err := ReadScores(strings.NewReader("{\"id\":\"a\"}\n{\"id\":\"a\"}")); err == nil {
		t.Error("scores given twice are accepted")
	}
}

func TestCases(t *testing.T) {
	n := 0
	for c, err := range Cases(strings.NewReader(`{"id":"a","task":{"user_request":"r","assistant_intent":"i"},"tool":{"name":"Bash","input":{"command":"x"}},"output":"o\n","kind":"k","group":"g","next":[1]}` + "\n" + `{"id":`)) {
		n++
		if n == 2 {
			if err == nil || !strings.HasPrefix(err.Error(), "case on line 2: ") {
				t.Errorf("error = %v", err)
			}
			continue
		}
		want := Case{ID: "a", Task: prune.Task{Request: "r", Intent: "i"}, Tool: prune.Tool{Name: "Bash", Input: []byte(`{"command":"x"}`)}, Output: "o\n", Kind: "k", Group: "g"}
		if diff := cmp.Diff(want, c); err != nil || diff != "" {
			t.Errorf("case: %v (-want +got):\n%s", err, diff)
		}
	}
	if n != 2 {
		t.Errorf("%d yields, want 2", n)
	}
}
