package window

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
)

func TestCall(t *testing.T) {
	tests := []struct{ name, input, want string }{
		{"one argument", `{"command":"go test"}`, "T command: go test "},
		{"in the order given", `{"b":"2","a":"1","c":"3"}`, "T b: 2 a: 1 c: 3 "},
		{"twice the same name", `{"a":"1","a":"2"}`, "T a: 1 a: 2 "},
		{"nested values", `{"n":{"z":[1, 2],"a":{}},"on":true,"off":null}`, `T n: {"z":[1, 2],"a":{}} on: true off:  `},
		{"escapes", `{"a":"x\ny\u00e9"}`, "T a: x\nyé "},
		{"no arguments", `{}`, "T "},
		{"no input", ``, "T "},
		{"text", `"go test"`, `T "go test"`},
		{"a list", `["a",{"b":1}]`, `T ["a",{"b":1}]`},
		{"null", `null`, `T null`},
		{"broken off", `{"a":"1","b":`, "T a: 1 "},
		{"broken", `{"a" "1"}`, "T "},
		{"no JSON", `go test`, "T go test"},
	}
	for _, tt := range tests {
		if got := call(prune.Tool{Name: "T", Input: json.RawMessage(tt.input)}); got != tt.want {
			t.Errorf("%s: call(%s) = %q, want %q", tt.name, tt.input, got, tt.want)
		}
	}
}

func TestCallBounds(t *testing.T) {
	long := strings.Repeat("é", 2*callRunes)
	for _, input := range []string{`{"a":"` + long + `"}`, long, `["` + long + `"]`} {
		got := call(prune.Tool{Name: "Write", Input: json.RawMessage(input)})
		if n := len([]rune(got)); n != len("Write ")+callRunes || strings.ContainsRune(got, '\ufffd') {
			t.Errorf("call of a long argument has %d characters: %q", n, got)
		}
	}
}

func TestTail(t *testing.T) {
	tests := []struct {
		s    string
		n    int
		want string
	}{
		{"", 3, ""}, {"ab", 3, "ab"}, {"abc", 3, "abc"}, {"abcd", 3, "bcd"}, {"äöüß", 2, "üß"}, {"abc", 0, ""},
	}
	for _, tt := range tests {
		if got := tail(tt.s, tt.n); got != tt.want {
			t.Errorf("tail(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.want)
		}
	}
}

func TestQuery(t *testing.T) {
	tok := reader(t)
	accents := func(n int) string { return strings.Repeat("é", n) }
	many := strings.TrimSuffix(strings.Repeat("a ", partTokens), " ")
	tests := []struct {
		name string
		q    prune.Query
		want [Parts]string // all that is read
	}{
		{"nothing", prune.Query{}, [Parts]string{}},
		{
			"all parts",
			prune.Query{
				Task: prune.Task{Request: "fix parseConfig", Intent: "Running tests."},
				Tool: prune.Tool{Name: "Bash", Input: json.RawMessage(`{"command":"go test"}`)},
			},
			[Parts]string{"fix parseConfig", "Running tests.", "Bash command: go test"},
		},
		{
			"the head of a request, the end of an intent",
			prune.Query{Task: prune.Task{Request: "head " + accents(requestRunes), Intent: accents(intentRunes) + " end"}},
			[Parts]string{"head " + accents(requestRunes-len("head ")), accents(intentRunes-len(" end")) + " end"},
		},
		{
			"no more tokens than there is room for",
			prune.Query{Task: prune.Task{Request: many + " b b b", Intent: many}},
			[Parts]string{many, tail(many, intentRunes)},
		},
	}
	for _, tt := range tests {
		var want [Parts][]int64
		for i, s := range tt.want {
			want[i] = ids(tok, s)
		}
		got := Query(tok, tt.q)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: parts differ:\n%s", tt.name, diff)
		}
		for i, part := range got {
			if len(part) > partTokens+2 {
				t.Errorf("%s: part %d has %d tokens", tt.name, i, len(part))
			}
		}
	}
}

func FuzzQuery(f *testing.F) {
	tok := reader(f)
	f.Add("fix it", "now\xff", "Bash", `{"a":{"b":[1]},"c":"d"}`)
	f.Add("", "", "", `{"a":]`)
	f.Fuzz(func(t *testing.T, request, intent, name, input string) {
		q := prune.Query{
			Task: prune.Task{Request: request, Intent: intent},
			Tool: prune.Tool{Name: name, Input: json.RawMessage(input)},
		}
		got := Query(tok, q)
		for i, part := range got {
			if n := len(part); n < 2 || n > partTokens+2 || part[0] != int64(tok.CLS()) || part[n-1] != int64(tok.SEP()) {
				t.Errorf("part %d is %v", i, part)
			}
		}
		if !cmp.Equal(got, Query(tok, q)) {
			t.Error("the same query gives other parts")
		}
	})
}
