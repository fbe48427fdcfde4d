package second

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	const asked = 30
	tests := []struct {
		name, reply string
		hide        []Run
		unsure      []Run
	}{
		{"as asked", `{"hide":"3-7,12","unsure":"20-25"}`, []Run{{3, 7}, {12, 12}}, []Run{{20, 25}}},
		{"nothing to hide", `{"hide":"","unsure":""}`, nil, nil},
		{"no word of doubt", `{"hide":"0-29"}`, []Run{{0, 29}}, nil},
		{"blanks", "{ \"hide\" : \" 3 - 7 , 12 \" ,\n\"unsure\": \"\" }", []Run{{3, 7}, {12, 12}}, nil},
		{"not in order", `{"hide":"12,3-7"}`, []Run{{12, 12}, {3, 7}}, nil},
		{"fenced", "```json\n{\"hide\":\"1\"}\n```\n", []Run{{1, 1}}, nil},
		{"words around it", "The set {of lines} is:\n{\"hide\":\"1\"} and {that} is all.", []Run{{1, 1}}, nil},
		{"said twice alike", `{"hide":"1"} So: {"hide":"1","unsure":""}`, []Run{{1, 1}}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Parse(tt.reply, asked)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(Verdict{Hide: tt.hide, Unsure: tt.unsure, Asked: asked}, v); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, reply string }{
		{"nothing", ""},
		{"a refusal", "I can't help with that."},
		{"words only", "hide 3-7"},
		{"a list", `["3-7"]`},
		{"out of range", `{"hide":"29-30"}`},
		{"far out of range", `{"hide":"0-99999999999999999999"}`},
		{"reversed", `{"hide":"7-3"}`},
		{"overlapping", `{"hide":"3-7,7"}`},
		{"hidden and unsure", `{"hide":"3-7","unsure":"5"}`},
		{"negative", `{"hide":"-3"}`},
		{"open range", `{"hide":"3-"}`},
		{"three ends", `{"hide":"3-5-7"}`},
		{"everything, in words", `{"hide":"all"}`},
		{"signed", `{"hide":"+3"}`},
		{"hexadecimal", `{"hide":"0x3"}`},
		{"another script's digits", `{"hide":"٣"}`},
		{"empty parts", `{"hide":"3,,4"}`},
		{"numbers", `{"hide":[3,7]}`},
		{"a number", `{"hide":3}`},
		{"null", `{"hide":null}`},
		{"another key", `{"hide":"3","keep":"1-9"}`},
		{"a key of ours", `{"hide":"3","key":"0123456789abcdef01234567"}`},
		{"text", `{"hide":"3","text":"all tests passed"}`},
		{"other case", `{"Hide":"3"}`},
		{"a key twice", `{"hide":"3","hide":"1-9"}`},
		{"doubt alone", `{"unsure":"3"}`},
		{"nested", `{"answer":{"hide":"3"}}`},
		{"two answers", `{"hide":"3"} {"hide":"4"}`},
		{"an example and an answer", `Like {"hide":"0-9"}: {"hide":"3"}`},
		{"cut off", `{"hide":"3-7","uns`},
		{"cut off before the brace", `{"hide":"3-7"`},
		{"endless", `{"hide":"` + strings.Repeat("3,", 20_000) + `"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := Parse(tt.reply, 30)
			if !errors.Is(err, ErrReply) {
				t.Errorf("Parse = %+v, %v; want it refused", v, err)
			}
			if err != nil && strings.Contains(err.Error(), "passed") {
				t.Errorf("the error quotes the reply: %v", err)
			}
		})
	}
}
