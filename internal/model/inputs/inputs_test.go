package inputs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"winnow/internal/lexical"
)

func TestMargin(t *testing.T) {
	bare := `{"id":"x","task":{"user_request":"fix parseTimeout"},"tool":{"name":"Read","input":{}},"output":"one\nparseTimeout()\nthree"}`
	margin := strings.Replace(bare, `one\nparseTimeout()\nthree`, `     1→one\n     2→parseTimeout()\n     3→three`, 1)
	var a, b bytes.Buffer
	if err := errors.Join(Write(strings.NewReader(bare), &a), Write(strings.NewReader(margin), &b)); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("a Read's margin changes what is read of it:\n%s%s", a.String(), b.String())
	}
}

func TestWrite(t *testing.T) {
	in := `{"id":"a","task":{"user_request":"r","assistant_intent":"i"},"tool":{"name":"Bash","input":{"command":"ls"}},"output":"x\ny\n"}
{"id":"b","tool":{"name":"Bash"},"output":""}
`
	var out bytes.Buffer
	if err := Write(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var ids []string
	dec := json.NewDecoder(&out)
	for dec.More() {
		var r Row
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, fmt.Sprint(r.ID, " ", len(r.Lines), len(r.Lines[0]) == lexical.LineDim, len(r.Doc) == lexical.DocDim))
	}
	if diff := cmp.Diff([]string{"a 3 true true", "b 1 true true"}, ids); diff != "" {
		t.Errorf("rows differ:\n%s", diff)
	}
	if err := Write(strings.NewReader(in+"{"), &out); err == nil {
		t.Error("Write of a broken case succeeded")
	}
}
