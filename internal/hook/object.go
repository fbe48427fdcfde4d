package hook

import (
	"fmt"
	"slices"
	"strconv"

	"winnow/internal/text"
)

// obj is an object inside a document; its spans count from the document's start.
type obj struct {
	doc []byte
	ms  []member
}

func object(raw []byte) (obj, error) { return objectAt(raw, text.Span{End: len(raw)}) }

// objectAt reads the object that stands at span.
func objectAt(doc []byte, span text.Span) (obj, error) {
	ms, err := members(doc[span.Start:span.End])
	if err != nil {
		return obj{}, fmt.Errorf("%v: %w", err, ErrShape)
	}
	for i := range ms {
		ms[i].at += span.Start
		ms[i].val.Start += span.Start
		ms[i].val.End += span.Start
	}
	return obj{doc, ms}, nil
}

// span returns where key's value stands, the empty span when there is none.
func (o obj) span(key string) text.Span {
	for _, m := range o.ms {
		if m.key == key {
			return m.val
		}
	}
	return text.Span{}
}

// raw returns key's value as written and whether there is one.
func (o obj) raw(key string) (string, bool) {
	s := o.span(key)
	return string(o.doc[s.Start:s.End]), s.Len() > 0
}

// str returns key's string.
func (o obj) str(key string) (str, error) {
	at := o.span(key)
	if at.Len() == 0 || o.doc[at.Start] != '"' {
		return str{}, fmt.Errorf("%s is no string: %w", key, ErrShape)
	}
	is, err := unquote(o.doc[at.Start:at.End])
	return str{at, is}, err
}

// int returns key's whole number.
func (o obj) int(key string) (int64, error) {
	v, _ := o.raw(key)
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is no whole number: %w", key, ErrShape)
	}
	return n, nil
}

// obj returns the object that key holds.
func (o obj) obj(key string) (obj, error) {
	if o.span(key).Len() == 0 {
		return obj{}, fmt.Errorf("no %s: %w", key, ErrShape)
	}
	return objectAt(o.doc, o.span(key))
}

// without returns the spans to cut so that keys and their commas are gone.
func (o obj) without(keys ...string) []text.Span {
	var cuts []text.Span
	kept := -1 // the last member before this one that stays
	for i, m := range o.ms {
		switch {
		case !slices.Contains(keys, m.key):
			kept = i
		case kept >= 0:
			cuts = append(cuts, text.Span{Start: o.ms[i-1].val.End, End: m.val.End})
		case i+1 < len(o.ms):
			cuts = append(cuts, text.Span{Start: m.at, End: o.ms[i+1].at})
		}
	}
	return cuts
}
