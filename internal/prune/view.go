package prune

import (
	"strings"

	"winnow/internal/prune/detect"
	"winnow/internal/text"
)

// view is what the steps share about a text.
type view struct {
	raw    text.Doc // Input.Text
	doc    text.Doc // without a Read's margin, line for line
	nums   []int    // the margin's numbers, nil without a margin
	kind   toolKind
	args   *args
	source detect.Family // of a Read source file, else detect.None
	inDiff bool          // the text holds hunks of a diff
	// lenient says that code which a shell's search found is exempt from the
	// floor like that of a Grep: what is folded still stands in the context.
	lenient bool
	// The body is lines [from, to): a tool's header and what a host appended
	// (reminders) are outside.
	from, to int
}

func newView(in *Input) view {
	v := view{raw: text.Split(in.Text), kind: kindOf(in.Tool.Name), args: readArgs(in.Tool.Input)}
	v.doc = v.raw
	if v.kind == readTool && !in.Renumbered {
		v.doc, v.nums, _ = text.Margin(v.raw)
	}
	v.from, v.to = body(in, &v)
	v.inDiff = strings.Contains(v.doc.Src, "\n@@ -")
	if v.kind == readTool && v.from < v.to {
		v.source = detect.Source(v.args.path, v.doc.Run(v.from, v.to-1))
	}
	return v
}

// Judged returns the text that a judge reads for a tool's output, line for
// line: without a Read's margin.
func Judged(t Tool, output string) text.Doc {
	v := newView(&Input{Tool: t, Text: output})
	return v.doc
}

// number returns the number by which the reader knows line i.
func (v *view) number(in *Input, i int) int {
	switch {
	case v.nums != nil:
		return v.nums[i]
	case in.Renumbered:
		return max(in.StartLine, 1) + i
	}
	return i + 1
}

// headers end what a recorded shell tool prints above the output itself.
const headers = 8

// body finds the lines that are the output itself.
func body(in *Input, v *view) (from, to int) {
	n := v.doc.Len()
	if v.nums != nil {
		for from < n && v.nums[from] == 0 {
			from++
		}
		to = from
		for to < n && v.nums[to] != 0 {
			to++
		}
		return from, to
	}
	if v.kind == shellTool && in.Tool.Name != "Bash" {
		for i := range min(n, headers) {
			if v.doc.Line(i) == "Output:" {
				from = i + 1
			}
		}
	}
	to = n
	for to > from {
		line := strings.TrimSpace(v.doc.Line(to - 1))
		if line == "" {
			to--
			continue
		}
		if !strings.HasSuffix(line, reminderClose) {
			break
		}
		open := to - 1
		for open > from && !opensReminder(v.doc.Line(open)) {
			open--
		}
		if l := v.doc.Line(open); !strings.HasPrefix(l, reminderOpen) || !opensReminder(l) {
			break
		}
		to = open
	}
	return from, to
}

const (
	reminderOpen  = "<system-reminder" // attributes may follow
	reminderClose = "</system-reminder>"
)

func opensReminder(line string) bool {
	i := strings.Index(line, reminderOpen)
	return i >= 0 && i+len(reminderOpen) < len(line) && (line[i+len(reminderOpen)] == '>' || line[i+len(reminderOpen)] == ' ')
}
