package router

import (
	"strings"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// failing are the causes for which a line must stand in any form of a text.
const failing = prune.Word | prune.Trace | prune.Summary | prune.Warning | prune.Notice

// failuresStay reports whether a sample of text, which is not made of the text's own
// lines, still shows every line that fails, warns or sums up, without its colours;
// what was written over on a screen counts as a line.
func failuresStay(t prune.Tool, raw, form string) bool {
	states := strings.ReplaceAll(plain(raw), "\r", "\n")
	shown := plain(form)
	d := text.Split(states)
	for i, c := range prune.Protected(prune.Input{Tool: t, Text: states}) {
		if c&failing == 0 || i >= d.Len() {
			continue
		}
		if l := strings.TrimSpace(rubbed(d.Line(i))); l != "" && !strings.Contains(shown, l) {
			return false
		}
	}
	return true
}

// plain takes escape sequences out line by line: none goes over a line's end.
func plain(s string) string {
	if strings.IndexByte(s, 0x1b) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for l := range strings.Lines(s) {
		b.WriteString(text.Plain(strings.TrimSuffix(l, "\n")))
		if strings.HasSuffix(l, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// rubbed is a line without what backspaces took off.
func rubbed(l string) string {
	if strings.IndexByte(l, '\b') < 0 {
		return l
	}
	out := make([]byte, 0, len(l))
	for i := range len(l) {
		if l[i] != '\b' {
			out = append(out, l[i])
		} else if n := len(out); n > 0 {
			out = out[:n-1]
		}
	}
	return string(out)
}
