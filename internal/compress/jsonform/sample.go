package jsonform

import (
	"strconv"
	"strings"

	"winnow/internal/compress"
	"winnow/internal/compress/rows"
)

// Codec is the lossless form as an encoder of the router.
type Codec struct{}

var _ compress.Encoder = Codec{}

// Name implements [compress.Encoder].
func (Codec) Name() string { return "json" }

// Encode implements [compress.Encoder].
func (Codec) Encode(in compress.Input) (string, bool) {
	form, err := Encode(in.Text)
	return form, err == nil
}

// Decode implements [compress.Encoder].
func (Codec) Decode(form string) (string, error) { return Decode(form) }

// Sampler keeps of long lists the ends, the failures, what stands out and what
// the task names, and cuts long strings. What it keeps is byte for byte the
// original; its answer is JSON, or JSON lines, if the text was.
type Sampler struct{}

var _ compress.Sampler = Sampler{}

// Name implements [compress.Sampler].
func (Sampler) Name() string { return "json-sample" }

// Sample implements [compress.Sampler]: the first gap shows the tag.
func (s Sampler) Sample(in compress.Input, tag string) (string, bool) {
	first := true
	return s.Render(in, s.Gaps(in), func(string) string {
		if !first {
			return ""
		}
		first = false
		return tag
	})
}

// Gaps says what a sample leaves out, in the order of the text; nothing where
// the text is no JSON, small, or has nothing to leave out.
func (Sampler) Gaps(in compress.Input) []Gap {
	lim := in.Limits.WithDefaults()
	if len(in.Text)/4 < lim.MinTokens {
		return nil
	}
	t, err := parse(in.Text)
	if err != nil {
		return nil
	}
	s := &sampler{t: t, lim: lim, query: rows.ParseQuery(in.Query)}
	s.walk(0, false)
	return s.gaps
}

// Render puts a note in place of each gap. tag gives for the hidden bytes of a
// gap the marker's tag that its note begins with, "" for none. Each note tells
// how much is hidden and, where they were not told before, the keys.
func (Sampler) Render(in compress.Input, gaps []Gap, tag func(hidden string) string) (string, bool) {
	if len(gaps) == 0 {
		return "", false
	}
	var b strings.Builder
	at, told := 0, ""
	for _, g := range gaps {
		hidden := in.Text[g.Span.Start:g.Span.End]
		keys := listOf(g.Keys)
		if keys == told {
			keys = ""
		} else if keys != "" {
			told = keys
		}
		b.WriteString(in.Text[at:g.Span.Start])
		b.WriteString(g.note(tag(hidden), keys))
		at = g.Span.End
	}
	b.WriteString(in.Text[at:])
	if b.Len() >= len(in.Text) {
		return "", false
	}
	if _, err := parse(b.String()); err != nil {
		return "", false // never an answer that is no JSON
	}
	return b.String(), true
}

// note is what stands in place of a gap.
func (g Gap) note(tag, keys string) string {
	what := [...]string{"items", "members", "characters"}[g.form]
	s := strconv.Itoa(g.Count) + " " + what + " hidden"
	if tag != "" {
		s = tag + " " + s
	}
	if keys != "" {
		s += ": " + keys
	}
	switch g.form {
	case ofElements:
		s = `"` + s + `"`
	case ofMembers:
		s = `"` + s + `":null`
	case ofString:
		s = "… " + s
	}
	for range g.level {
		s = string(appendEscaped(nil, []byte(s)))
	}
	return s
}

// maxKeys bounds the keys that a note tells, in bytes.
const maxKeys = 240

func listOf(keys []string) string {
	var b strings.Builder
	for i, k := range keys {
		if b.Len()+len(k) > maxKeys {
			b.WriteString(", +" + strconv.Itoa(len(keys)-i))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k)
	}
	return b.String()
}
