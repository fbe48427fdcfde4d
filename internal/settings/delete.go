package settings

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/tailscale/hujson"
)

// item is a member of an object or an element of an array, by its place in the text.
type item struct {
	key        string
	start, end int
	// lead is what stands before it, from the brace or comma on.
	lead []byte
	// after is what stands between it and the comma or brace behind it.
	after hujson.Extra
	value *hujson.Value
}

// tail is what stands behind the last item's value or, with a trailing comma, behind that.
type tail struct {
	at    int
	rest  []byte
	comma bool
}

func (d doc) items(v *hujson.Value) (out []item, t tail) {
	add := func(key string, head, value *hujson.Value) {
		start := d.skip + head.StartOffset
		out = append(out, item{key, start, d.skip + value.EndOffset, d.text[start-len(head.BeforeExtra) : start], value.AfterExtra, value})
	}
	var extra hujson.Extra
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			add(m.Name.Value.(hujson.Literal).String(), &m.Name, &m.Value)
		}
		extra = c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			add("", &c.Elements[i], &c.Elements[i])
		}
		extra = c.AfterExtra
	}
	if len(out) == 0 {
		return nil, t
	}
	last := out[len(out)-1]
	end := d.skip + v.EndOffset - 1
	t = tail{at: last.end, rest: d.text[last.end:end]}
	if last.after != nil { // a trailing comma
		t = tail{at: end - len(extra), rest: d.text[end-len(extra) : end], comma: true}
	}
	return out, t
}

// remove returns the splices that remove the key at the end of path, or the
// outermost object that holds nothing else.
func (d doc) remove(path []string) ([]Splice, error) {
	v, depth, err := d.find(path)
	if err != nil || v == nil || depth < len(path) || depth == 0 {
		return nil, err
	}
	return d.cut(path), nil
}

// leaf returns the splices that remove the key at the end of path alone.
func (d doc) leaf(path []string) ([]Splice, error) {
	v, depth, err := d.find(path)
	if err != nil || v == nil || depth < len(path) || depth == 0 {
		return nil, err
	}
	return d.cutAt(path), nil
}

// cut removes the last key of path. Parents that hold only that go with it.
func (d doc) cut(path []string) []Splice {
	for n := len(path) - 1; ; n-- {
		v, _, _ := d.find(path[:n])
		items, _ := d.items(v)
		if n == 0 || len(items) > 1 || bytes.ContainsAny(d.comments(v), "/") {
			return d.cutAt(path[:n+1])
		}
	}
}

func (d doc) cutAt(path []string) []Splice {
	n := len(path) - 1
	v, _, _ := d.find(path[:n])
	items, _ := d.items(v)
	i := len(items) - 1
	if _, isArray := v.Value.(*hujson.Array); isArray {
		i, _ = strconv.Atoi(path[n]) // find was here
	} else {
		for items[i].key != path[n] {
			i--
		}
	}
	return d.without(v, i)
}

// comments is what stands in a container around its items.
func (d doc) comments(v *hujson.Value) []byte {
	items, t := d.items(v)
	out := append([]byte(nil), t.rest...)
	for _, it := range items {
		out = append(append(out, it.lead...), it.after...)
	}
	return out
}

// drop returns the splices that remove the first matching element of the array at path.
func (d doc) drop(match func(json.RawMessage) bool, path []string) ([]Splice, error) {
	v, depth, err := d.find(path)
	if err != nil || v == nil || depth < len(path) {
		return nil, err
	}
	if _, isArray := v.Value.(*hujson.Array); !isArray {
		return nil, d.not("an array", path, v)
	}
	items, _ := d.items(v)
	for i, it := range items {
		if !match(standard(*it.value)) {
			continue
		}
		if len(items) == 1 && depth > 0 && !bytes.ContainsAny(d.comments(v), "/") {
			return d.cut(path), nil
		}
		return d.without(v, i), nil
	}
	return nil, nil
}

// without removes the i-th item with its comma and its line; comments stay.
func (d doc) without(v *hujson.Value, i int) []Splice {
	items, t := d.items(v)
	it := items[i]
	switch {
	case len(items) == 1 && !bytes.ContainsAny(d.comments(v), "/"):
		open, end := d.skip+v.StartOffset+1, d.skip+v.EndOffset-1
		return []Splice{{open, end - open, ""}}
	case i < len(items)-1 || t.comma:
		comma := it.end + len(it.after)
		if len(bytes.TrimSpace(it.after)) == 0 {
			start := d.lineStart(it, comma+1)
			return []Splice{{start, comma + 1 - start, ""}}
		}
		start := d.lineStart(it, it.end)
		return []Splice{{start, it.end - start, ""}, {comma, 1, ""}}
	case i == 0:
		start := d.lineStart(it, it.end)
		return []Splice{{start, it.end - start, ""}}
	}
	before, start := items[i-1], d.lineStart(it, it.end)
	return []Splice{{before.end + len(before.after), 1, ""}, {start, it.end - start, ""}}
}

// lineStart is where the white space before an item begins that goes with it
// when the text goes on at next. A line break that ends a comment must stay
// unless another one follows.
func (d doc) lineStart(it item, next int) int {
	held := bytes.TrimRight(it.lead, " \t\r\n")
	start := it.start - len(it.lead) + len(held)
	line := held[bytes.LastIndexByte(held, '\n')+1:]
	follows := bytes.TrimLeft(d.text[next:], " \t\r")
	if bytes.Contains(line, []byte("//")) && !bytes.HasPrefix(follows, []byte("\n")) {
		start += bytes.IndexByte(it.lead[len(held):], '\n') + 1
	}
	return start
}
