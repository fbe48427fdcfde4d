package detect

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValidJSON(t *testing.T) {
	deep := strings.Repeat("[", 500) + strings.Repeat("]", 500)
	for _, s := range []string{
		`{}`, `[]`, `[[],{}]`, `{"a":[1,2,{"b":null}],"c":true}`, `[-0.5e+3,0,10]`, `["\u00e9\n\"\\"]`, " [1 , 2 ] ", `{"a" : 1}`, deep, `"x"`, `1`,
		`[`, `]`, `{`, `[1,]`, `{"a":1,}`, `[01]`, `[1.]`, `[.5]`, `[1e]`, `[-]`, `{"a"}`, `{a:1}`, `["\x"]`, `["\u12"]`, "[\"\n\"]", `[1}`, `{"a":1]`, `[tru]`, `[true`, `[] []`, `[1 2]`, `["`, `["\`, ``, `,`, `{"a":1 "b":2}`, `{,}`,
	} {
		trimmed := strings.TrimSpace(s)
		if got, want := validJSON(trimmed), json.Valid([]byte(trimmed)); got != want {
			t.Errorf("validJSON(%q) = %v, want %v", s, got, want)
		}
	}
}

func FuzzValidJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,"\u0000",null,true,false]}`, `[[]]`, `{}`, "[\"\xff\"]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.TrimSpace(s)
		if got, want := validJSON(s), json.Valid([]byte(s)); got != want {
			t.Errorf("validJSON(%q) = %v, want %v", s, got, want)
		}
	})
}
