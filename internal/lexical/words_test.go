package lexical

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/prune"
)

func TestTerms(t *testing.T) {
	tests := []struct {
		word string
		want []string
	}{
		{"parser", []string{"parser"}},
		{"tests", []string{"test"}},
		{"class", []string{"class"}},
		{"parseConfig", []string{"parseconfig", "parse", "config"}},
		{"HTTPServer", []string{"httpserver", "http", "server"}},
		{"user_ids", []string{"user_id", "user", "ids"}},
		{"__init__", []string{"__init__", "init"}},
		{"utf8", []string{"utf8", "utf", "8"}},
		{"größeMax", []string{"größemax", "größe", "max"}},
		{strings.Repeat("aB", 40), []string{strings.Repeat("ab", 40)}},
	}
	for _, tt := range tests {
		var got []string
		terms(tt.word, func(s string) { got = append(got, s) })
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("terms(%q) differ:\n%s", tt.word, diff)
		}
	}
}

func TestIsIdentifier(t *testing.T) {
	for word, want := range map[string]bool{
		"parseConfig": true, "user_id": true, "utf16": true, "parser": false, "Parser": false,
		"_test": false, "12345": false, "aB": false, "HTTP": false,
	} {
		if got := isIdentifier(word); got != want {
			t.Errorf("isIdentifier(%q) = %v, want %v", word, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"order kept, names left out", `{"path":"b.go","n":3,"opts":{"glob":"*.go","all":true},"list":["x",{"k":"y"}]}`, "b.go\n*.go\nx\ny\n"},
		{"a string", `"ls -l"`, "ls -l\n"},
		{"nothing", ``, ""},
		{"broken", `{"a":"b","c":`, "b\n"},
		{"not JSON", `]}`, ""},
	}
	for _, tt := range tests {
		if got := arguments(json.RawMessage(tt.in)); got != tt.want {
			t.Errorf("%s: arguments(%s) = %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
	long := `{"a":"` + strings.Repeat("x", 3*maxArgs) + `","b":"y"}`
	if got := arguments(json.RawMessage(long)); len(got) > maxArgs+1 {
		t.Errorf("arguments of a long call = %d bytes, want at most %d", len(got), maxArgs)
	}
}

func TestKindOfTool(t *testing.T) {
	tests := []struct {
		name, input string
		want        toolKind
	}{
		{"Read", `{"file_path":"a.go"}`, toolRead},
		{"Grep", `{"pattern":"x"}`, toolSearch},
		{"Bash", `{"description":"Run","command":"go test ./..."}`, toolShell},
		{"Bash", `{"command":"cd /src && cat -n a.go | head -50"}`, toolRead},
		{"Bash", `{"command":"/usr/bin/grep -rn x ."}`, toolSearch},
		{"Bash", `{"command":"git grep x"}`, toolSearch},
		{"Bash", `{"command":"go test ./... 2>&1 | grep FAIL"}`, toolShell},
		{"exec_command", `{"cmd":"rg x"}`, toolSearch},
		{"shell", `{"command":["bash","-lc","sed -n 1,9p a.go"]}`, toolRead},
		{"Bash", `broken`, toolShell},
		{"WebFetch", `{"url":"http://example.com"}`, toolOther},
	}
	for _, tt := range tests {
		got := kindOfTool(prune.Tool{Name: tt.name, Input: json.RawMessage(tt.input)})
		if got != tt.want {
			t.Errorf("kindOfTool(%s %s) = %d, want %d", tt.name, tt.input, got, tt.want)
		}
	}
}
