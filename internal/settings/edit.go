package settings

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tailscale/hujson"
)

// set returns the splices that put value at path; none when it is there.
func (d doc) set(value any, path []string) ([]Splice, error) {
	v, depth, err := d.find(path)
	if err != nil {
		return nil, err
	}
	raw, err := marshal(value)
	if err != nil {
		return nil, err
	}
	if v != nil && depth == len(path) {
		if same(standard(*v), raw) {
			return nil, nil
		}
		return []Splice{{d.skip + v.StartOffset, v.EndOffset - v.StartOffset, d.render(raw, d.indentOf(v), d.flat())}}, nil
	}
	return d.insert(v, path[depth:], raw, path[:depth])
}

// insert puts raw below what is there of its path; rest are the missing keys.
func (d doc) insert(v *hujson.Value, rest []string, raw json.RawMessage, have []string) ([]Splice, error) {
	for i := len(rest) - 1; i > 0; i-- {
		raw = object(rest[i], raw)
	}
	if v == nil { // the file is empty
		raw = object(rest[0], raw)
		return []Splice{{d.skip, len(d.text) - d.skip, d.render(raw, "", false) + d.nl}}, nil
	}
	if _, isObject := v.Value.(*hujson.Object); !isObject {
		return nil, d.not("an object", have, v)
	}
	return d.put(v, rest[0], raw), nil
}

// add returns the splices that append value to the array at path.
func (d doc) add(value any, path []string) ([]Splice, error) {
	v, depth, err := d.find(path)
	if err != nil {
		return nil, err
	}
	raw, err := marshal(value)
	if err != nil {
		return nil, err
	}
	if v == nil || depth < len(path) {
		return d.insert(v, path[depth:], bytes.Join([][]byte{[]byte("["), raw, []byte("]")}, nil), path[:depth])
	}
	a, isArray := v.Value.(*hujson.Array)
	if !isArray {
		return nil, d.not("an array", path, v)
	}
	for _, e := range a.Elements {
		if same(standard(e), raw) {
			return nil, nil
		}
	}
	return d.put(v, "", raw), nil
}

// put adds an item at the end of an object or array, written as its others are.
func (d doc) put(v *hujson.Value, key string, raw json.RawMessage) []Splice {
	items, tail := d.items(v)
	if len(items) == 0 {
		return d.first(v, key, raw)
	}
	last := items[len(items)-1]
	lead := last.lead // what stands between the comma before it and the item
	broken := bytes.ContainsRune(lead, '\n')
	in, flat := d.indentOf(v)+d.unit, !broken && d.flat()
	if got, found := lastIndent(lead); found {
		in = got
	}
	var sep string
	switch {
	case broken || bytes.ContainsRune(bytes.TrimRight(tail.rest, " \t\r\n"), '\n') || bytes.Contains(tail.rest, []byte("//")):
		sep = d.nl + in
		flat = false
	case len(items) > 1:
		sep = string(lead)
	case d.spaced():
		sep = " "
	}
	item := sep + d.item(key, raw, in, flat)
	// Comments behind the last item stay behind it.
	at := tail.at + len(bytes.TrimRight(tail.rest, " \t\r\n"))
	if tail.comma {
		return []Splice{{at, 0, item + ","}}
	}
	if at == last.end {
		return []Splice{{at, 0, "," + item}}
	}
	return []Splice{{last.end, 0, ","}, {at, 0, item}}
}

// first fills an object or array that has no items, but perhaps comments.
func (d doc) first(v *hujson.Value, key string, raw json.RawMessage) []Splice {
	open, end := d.skip+v.StartOffset+1, d.skip+v.EndOffset-1
	held := bytes.TrimRight(d.text[open:end], " \t\r\n")
	at := open + len(held)
	if d.flat() && len(held) == 0 {
		return []Splice{{at, end - at, d.item(key, raw, "", true)}}
	}
	in := d.indentOf(v)
	return []Splice{{at, end - at, d.nl + in + d.unit + d.item(key, raw, in+d.unit, false) + d.nl + in}}
}

func (d doc) item(key string, raw json.RawMessage, in string, flat bool) string {
	if key == "" {
		return d.render(raw, in, flat)
	}
	name, _ := marshal(key)
	colon := ": "
	if !d.spaced() {
		colon = ":"
	}
	return string(name) + colon + d.render(raw, in, flat)
}

// render writes a value as the file is written: on one line, or indented.
func (d doc) render(raw json.RawMessage, in string, flat bool) string {
	var b bytes.Buffer
	if flat {
		_ = json.Compact(&b, raw) // raw comes from marshal
		return b.String()
	}
	_ = json.Indent(&b, raw, in, d.unit)
	return strings.ReplaceAll(b.String(), "\n", d.nl)
}

// flat reports whether the file is written on one line.
func (d doc) flat() bool {
	return d.root != nil && !bytes.ContainsRune(bytes.TrimSpace(d.text[d.skip:]), '\n') && len(d.root.Value.(*hujson.Object).Members) > 0
}

// spaced reports whether a space follows colons, as it does unless the file is
// written without.
func (d doc) spaced() bool {
	if d.root == nil {
		return true
	}
	o := d.root.Value.(*hujson.Object)
	return len(o.Members) == 0 || len(o.Members[0].Value.BeforeExtra) > 0
}

// indentOf is the indentation of the line on which v begins.
func (d doc) indentOf(v *hujson.Value) string {
	head := d.text[d.skip : d.skip+v.StartOffset]
	line := head[bytes.LastIndexByte(head, '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func object(key string, raw json.RawMessage) json.RawMessage {
	name, _ := marshal(key)
	return bytes.Join([][]byte{[]byte("{"), name, []byte(":"), raw, []byte("}")}, nil)
}

// marshal is JSON without escapes that only HTML needs: a person reads it.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
