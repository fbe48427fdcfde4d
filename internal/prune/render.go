package prune

import (
	"strings"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// render writes the text with a marker at each gap. ok is false where too
// little would be saved.
func render(in *Input, v *view, keep []bool, o Options) (Result, bool) {
	runs, saved := chooseRuns(in, v, keep)
	if len(runs) == 0 {
		return Result{}, false
	}
	total := text.Chars(in.Text)
	if in.Renumbered {
		for i := range v.raw.Len() {
			total += digits(v.number(in, i)) + 1
		}
	}
	if saved <= 0 || float64(saved) < o.MinSaving*float64(total) {
		return Result{}, false
	}
	res := Result{StartLine: in.StartLine}
	edits := make([]text.Edit, len(runs))
	for i, r := range runs {
		edits[i] = text.Edit{Span: v.raw.RunSpan(r.Start, r.End), Note: r.note}
		if in.Renumbered && r.Start == 0 {
			res.StartLine = max(in.StartLine, 1) + r.End
		}
		res.Hidden = append(res.Hidden, r.Hidden)
	}
	out, err := text.Apply(v.raw, edits)
	if err != nil || len(out) > len(in.Text) {
		return Result{}, false
	}
	res.Text = out
	return res, true
}

// run is a gap and what stands in its place.
type run struct {
	Hidden
	note string
}

// chooseRuns finds the gaps that are worth a marker and the characters they
// save in what the model reads.
func chooseRuns(in *Input, v *view, keep []bool) (runs []run, saved int) {
	hint := in.Hint
	if hint == "" {
		hint = marker.DefaultHint
	}
	for i := 0; i < len(keep); i++ {
		if keep[i] {
			continue
		}
		end := i
		for end+1 < len(keep) && !keep[end+1] {
			end++
		}
		r, gain := makeRun(in, v, i, end, hint)
		if gain >= minGain {
			runs = append(runs, r)
			saved += gain
			hint = "" // once per result
		}
		i = end
	}
	return runs, saved
}

// minGain is the least number of characters a marker must save: for less, the
// reader is not interrupted.
const minGain = 32

// makeRun builds the gap of lines first to last and says how many characters
// it saves.
func makeRun(in *Input, v *view, first, last int, hint string) (run, int) {
	src := v.raw.Run(first, last)
	chars, n := text.Chars(src), last-first+1
	least := marker.KeyLen + len("<<ccr: 1_lines_offloaded>> lines 1-1") + len(hint)
	if chars <= least && !in.Renumbered { // no need to hash what cannot be worth it
		return run{}, 0
	}
	h := Hidden{Start: first, End: last, First: v.number(in, first), Last: v.number(in, last), Key: marker.KeyOf(src), Text: src}
	note := marker.Line(h.Key, n, h.First, h.Last, digest(v, first, last, digestSize(chars)), hint)
	gain := chars - text.Chars(note)
	if in.Renumbered {
		var blanks string
		blanks, gain = renumber(in, v, h, note)
		note += blanks
	}
	return run{h, note}, gain
}

// renumber returns the empty lines that must follow a marker so that the
// host's own numbers stay true, and the gain counted with those numbers. A
// hidden head raises the first number instead, a hidden tail has none after it.
func renumber(in *Input, v *view, h Hidden, note string) (blanks string, gain int) {
	n := h.End - h.Start + 1
	for i := h.Start; i <= h.End; i++ {
		gain += text.Chars(v.raw.Line(i))
	}
	gain -= text.Chars(note)
	if h.Start == 0 || h.End == v.raw.Len()-1 {
		for i := h.Start; i < h.End; i++ {
			gain += digits(v.number(in, i)) + 2
		}
		return "", gain
	}
	return strings.Repeat("\n", n-1), gain
}

func digits(n int) int {
	d := 1
	for n >= 10 {
		n /= 10
		d++
	}
	return d
}

// digestSize is how long a digest may be: a short gap gets a short one.
func digestSize(chars int) int { return max(32, min(marker.MaxDigest, chars/6)) }
