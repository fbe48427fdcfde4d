package prune

import (
	"strings"

	"winnow/internal/marker"
	"winnow/internal/text"
)

// render writes the text with a marker at each gap: the folds, and what keep
// leaves out if that is worth it. ok is false where nothing is hidden; with
// nothing but folds hidden, Result.Hidden is empty.
func render(in *Input, v *view, keep []bool, o Options) (Result, bool) {
	folds := fitting(in.Folds, len(keep))
	runs, saved := chooseRuns(in, v, keep, folds)
	if judged := saved.judge; judged > 0 && float64(judged) < o.MinSaving*float64(readable(in, v)-saved.folded) {
		for i := range keep {
			keep[i] = true
		}
		runs, saved = chooseRuns(in, v, keep, folds)
	}
	if len(runs) == 0 || saved.judge+saved.fold <= 0 {
		return Result{}, false
	}
	res := Result{StartLine: in.StartLine}
	edits := make([]text.Edit, len(runs))
	for i, r := range runs {
		edits[i] = text.Edit{Span: v.raw.RunSpan(r.Start, r.End), Note: r.note}
		if in.Renumbered && r.Start == 0 {
			res.StartLine = max(in.StartLine, 1) + r.End
		}
		if r.fold {
			res.Folded = append(res.Folded, r.Hidden)
		} else {
			res.Hidden = append(res.Hidden, r.Hidden)
		}
	}
	out, err := text.Apply(v.raw, edits)
	if err != nil || len(out) > len(in.Text) {
		return Result{}, false
	}
	res.Text = out
	return res, true
}

// readable counts the characters that the model reads of the original.
func readable(in *Input, v *view) int {
	total := text.Chars(in.Text)
	if in.Renumbered {
		for i := range v.raw.Len() {
			total += digits(v.number(in, i)) + 1
		}
	}
	return total
}

// run is a gap and what stands in its place.
type run struct {
	Hidden
	note string
	fold bool
}

// savings are what markers save in what the model reads, in characters: the
// judge's and the folds'. folded are the characters that folds hide.
type savings struct{ judge, fold, folded int }

// chooseRuns finds the gaps that are worth a marker and the characters they
// save in what the model reads. A fold and what the judge hides beside it stay
// two gaps.
func chooseRuns(in *Input, v *view, keep []bool, folds []Fold) (runs []run, saved savings) {
	hint, foldHint := in.Hint, in.FoldHint
	if hint == "" {
		hint = marker.DefaultHint
	}
	if foldHint == "" {
		foldHint = marker.FoldHint
	}
	for i := 0; i < len(keep); i++ {
		if len(folds) > 0 && folds[0].Start == i {
			f := folds[0]
			folds = folds[1:]
			if r, gain := makeRun(in, v, f.Start, f.End, foldHint, f.Digest); gain >= minGain {
				r.fold = true
				runs = append(runs, r)
				saved.fold += gain
				saved.folded += text.Chars(r.Text)
				foldHint = ""
			}
			i = f.End
			continue
		}
		if keep[i] {
			continue
		}
		end := i
		for end+1 < len(keep) && !keep[end+1] && (len(folds) == 0 || end+1 < folds[0].Start) {
			end++
		}
		r, gain := makeRun(in, v, i, end, hint, "")
		if gain >= minGain {
			runs = append(runs, r)
			saved.judge += gain
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
// it saves. said is its digest, "" for one made from the lines.
func makeRun(in *Input, v *view, first, last int, hint, said string) (run, int) {
	src := v.raw.Run(first, last)
	chars, n := text.Chars(src), last-first+1
	least := marker.KeyLen + len("<<ccr: 1_lines_offloaded>> lines 1-1") + len(hint)
	if chars <= least && !in.Renumbered { // no need to hash what cannot be worth it
		return run{}, 0
	}
	h := Hidden{Start: first, End: last, First: v.number(in, first), Last: v.number(in, last), Key: marker.KeyOf(src), Text: src}
	if said == "" {
		said = digest(v, first, last, digestSize(chars))
	}
	note := marker.Line(h.Key, n, h.First, h.Last, said, hint)
	gain := chars - text.Chars(note)
	if in.Renumbered {
		var blanks string
		blanks, gain = renumber(in, v, h, note)
		note += blanks
	}
	return run{Hidden: h, note: note}, gain
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
