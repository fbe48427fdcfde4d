package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// doc is a parsed text. Places in root are those of the text after the mark
// that some editors put at its start.
type doc struct {
	text []byte
	skip int // length of that mark
	// root is nil for a text without any value.
	root *hujson.Value
	nl   string // line end
	unit string // one step of indentation
}

var mark = []byte("\ufeff")

func parse(text []byte) (doc, error) {
	d := doc{text: text, nl: "\n", unit: "  "}
	if bytes.HasPrefix(text, mark) {
		d.skip = len(mark)
	}
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		d.nl = "\r\n"
	}
	body := text[d.skip:]
	if len(bytes.TrimSpace(body)) == 0 {
		return d, nil
	}
	v, err := hujson.Parse(slices.Clone(body))
	if err != nil {
		return d, plain(err)
	}
	o, isObject := v.Value.(*hujson.Object)
	if !isObject {
		return d, errors.New("line 1, column 1: not an object")
	}
	d.root = &v
	if len(o.Members) > 0 {
		if in, found := lastIndent(o.Members[0].Name.BeforeExtra); found && in != "" {
			d.unit = in
		}
	}
	return d, nil
}

// plain drops the library's name from its message, which begins with the place.
func plain(err error) error {
	return errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
}

// lastIndent is what stands between the last line break of an extra and its
// end; false without a line break.
func lastIndent(e hujson.Extra) (string, bool) {
	i := bytes.LastIndexByte(e, '\n')
	if i < 0 {
		return "", false
	}
	in := string(e[i+1:])
	return in[:len(in)-len(strings.TrimLeft(in, " \t"))], true
}

// find walks down path: the value there, or nil and how many keys were found. In
// an array a key is an index.
func (d doc) find(path []string) (v *hujson.Value, depth int, err error) {
	v = d.root
	if v == nil {
		return nil, 0, nil
	}
	for i, key := range path {
		if e := element(v, key); e != nil {
			v = e
			continue
		}
		o, isObject := v.Value.(*hujson.Object)
		if !isObject {
			return nil, i, d.not("an object", path[:i], v)
		}
		m := member(o, key)
		if m == nil {
			return v, i, nil
		}
		v = &m.Value
	}
	return v, len(path), nil
}

// element is the element of an array that key is the index of, nil for none.
func element(v *hujson.Value, key string) *hujson.Value {
	a, isArray := v.Value.(*hujson.Array)
	n, err := strconv.Atoi(key)
	if !isArray || err != nil || n < 0 || n >= len(a.Elements) {
		return nil
	}
	return &a.Elements[n]
}

// not says that the value at path is of another kind than it must be.
func (d doc) not(what string, path []string, v *hujson.Value) error {
	head := d.text[:d.skip+v.StartOffset]
	line := bytes.Count(head, []byte("\n")) + 1
	col := len(head) - bytes.LastIndexByte(head, '\n')
	return fmt.Errorf("line %d, column %d: %s is not %s", line, col, dotted(path), what)
}

// member is the member with a key; of several the last, which is the one that counts.
func member(o *hujson.Object, key string) *hujson.ObjectMember {
	for i := len(o.Members) - 1; i >= 0; i-- {
		if name, ok := o.Members[i].Name.Value.(hujson.Literal); ok && name.String() == key {
			return &o.Members[i]
		}
	}
	return nil
}

// get returns the value at path as plain JSON; nil when there is none.
func (d doc) get(path []string) (json.RawMessage, error) {
	v, depth, err := d.find(path)
	if err != nil || v == nil || depth < len(path) {
		return nil, err
	}
	return standard(*v), nil
}

func standard(v hujson.Value) json.RawMessage {
	v = v.Clone()
	v.BeforeExtra, v.AfterExtra = nil, nil
	v.Standardize()
	return v.Pack()
}

// same reports whether two values mean the same.
func same(a, b json.RawMessage) bool {
	x, errX := decode(a)
	y, errY := decode(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

func decode(b json.RawMessage) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	err = dec.Decode(&v)
	return v, err
}

func dotted(path []string) string {
	if len(path) == 0 {
		return "the whole"
	}
	return strings.Join(path, ".")
}
