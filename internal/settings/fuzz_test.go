package settings

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzEdits holds for any text that parses: an addition changes nothing else,
// taking it away leaves the old meaning with every comment, and an undo gives
// the old bytes.
func FuzzEdits(f *testing.F) {
	for _, s := range []string{
		"", "{}", "{\r\n\t\"a\": [1, 2,],\r\n}", "// x\n{\"a\": {\"b\": [] /* y */ }, // z\n\"l\": [1 // one\n,2]}",
		"\ufeff{ \"a\" : null }\n\n", "{\"k\":{\"n\":1},\"l\":[ ]}", "{\"l\":[{\"x\":1},\n{\"x\":2}],\"k\":{}}",
		"{\"a\":1 // c\n}", "{\"a\":1, // c\n \"k\" : {\"q\":2}, \"b\":3}", "{ // c\n \"l\":[// d\n]}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		old, err := parse([]byte(text))
		if err != nil {
			t.Skip()
		}
		file := &File{Path: "s", before: []byte(text), doc: old}
		meaning := whole(t, old)
		if err := file.Set(map[string]any{"x": []int{7}}, "k", "new"); err != nil {
			return // k is not an object
		}
		if err := file.Append("new", "l"); err != nil {
			return
		}
		want := whole(t, old)
		into(want, "k")["new"] = map[string]any{"x": []any{json.Number("7")}}
		list, _ := want["l"].([]any)
		had := len(list)
		if !bytes.Contains(standardOf(t, list), []byte(`"new"`)) {
			want["l"] = append(list, "new")
		}
		if got := whole(t, file.doc); !reflect.DeepEqual(got, want) {
			t.Errorf("%q became %q: %v, want %v", text, file.doc.text, got, want)
		}
		u := file.Undo()
		saved := &File{Path: "s", before: file.doc.text, doc: file.doc}
		if !saved.Revert(u) || string(saved.doc.text) != text {
			t.Errorf("revert of %q = %q", text, saved.doc.text)
		}
		if strings.Contains(text, "new") {
			return
		}
		must(t, file.Delete("k", "new"))
		must(t, file.Remove(is(`"new"`), "l"))
		got := whole(t, file.doc)
		for key, n := range map[string]int{"k": len(into(whole(t, old), "k")), "l": had} {
			if n == 0 { // an empty one may go with what was in it
				delete(got, key)
				delete(meaning, key)
			}
		}
		if !reflect.DeepEqual(got, meaning) {
			t.Errorf("%q became %q: %v, want %v", text, file.doc.text, got, meaning)
		}
	})
}

func whole(t *testing.T, d doc) map[string]any {
	t.Helper()
	raw, err := d.get(nil)
	must(t, err)
	if raw == nil {
		return map[string]any{}
	}
	v, err := decode(raw)
	must(t, err)
	return v.(map[string]any)
}

func into(m map[string]any, key string) map[string]any {
	if _, ok := m[key].(map[string]any); !ok {
		m[key] = map[string]any{}
	}
	return m[key].(map[string]any)
}

func standardOf(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	must(t, err)
	return b
}
