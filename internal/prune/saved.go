package prune

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/internal/marker"
	"winnow/internal/text"
)

const (
	// maxSavedJudged is the size up to which a judge sees a saved output; a
	// larger one would cost more time than a tool call may wait.
	maxSavedJudged = 1 << 20
	// maxDistinct bounds the memory for telling failure lines apart.
	maxDistinct = 200_000
	// maxCandidates bounds the lines that compete for a place in the view: more
	// never fit.
	maxCandidates = 2000
)

// survey is what one pass over a saved output finds.
type survey struct {
	failures, distinct int
	overflow           bool  // more distinct lines than maxDistinct
	fresh              []int // first lines of each shape of failure, in order
	more               []int // further distinct failure lines
}

// renderSaved answers for a result that the host stored in a file: the lines
// worth most within [MaxView] characters, and one marker for all of them.
func renderSaved(in *Input, v *view, s Scores, o Options) (Result, bool) {
	failure := hintFailure
	if v.kind == shellTool {
		failure |= hintShell
	}
	sv := surveyLines(v.raw, failure)
	key, n := marker.KeyOf(in.Text), v.raw.Len()
	lines := n
	if strings.HasSuffix(in.Text, "\n") {
		lines--
	}
	hint := in.Hint
	if hint == "" {
		hint = marker.DefaultHint
	}
	head := savedHead(in, sv, lines)
	tail := marker.Line(key, n, 1, n, "the whole output, "+count(lines, "line", "lines"), hint)
	room := MaxView - text.Chars(head) - text.Chars(tail) - 1
	chosen := chooseLines(v.raw, sv, s, o, room)
	if len(chosen) == 0 {
		return Result{}, false
	}
	var b strings.Builder
	b.WriteString(head)
	for _, i := range chosen {
		b.WriteString(prefix(i))
		b.WriteString(v.raw.Line(i))
		b.WriteByte('\n')
	}
	b.WriteString(tail)
	h := Hidden{Start: 0, End: n - 1, First: 1, Last: n, Key: key, Text: in.Text}
	return Result{Text: b.String(), Hidden: []Hidden{h}, StartLine: in.StartLine}, true
}

// savedHead says what the host would have said, and what the view shows.
func savedHead(in *Input, sv *survey, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Output too large (%s", size(in.Saved.Size))
	if !in.Saved.Partial {
		fmt.Fprintf(&b, ", %s", count(lines, "line", "lines"))
	}
	fmt.Fprintf(&b, "). Full output saved to: %s\n", in.Saved.Path)
	if in.Saved.Partial {
		fmt.Fprintf(&b, "Only its first %s (%s) were read.\n", size(int64(len(in.Text))), count(lines, "line", "lines"))
	}
	switch {
	case sv.overflow:
		fmt.Fprintf(&b, "More than %d distinct failure lines, %d in all. Selected lines, by number:\n", sv.distinct, sv.failures)
	case sv.failures > 0:
		fmt.Fprintf(&b, "%s, %d in all. Selected lines, by number:\n", count(sv.distinct, "distinct failure line", "distinct failure lines"), sv.failures)
	default:
		b.WriteString("Selected lines, by number:\n")
	}
	return b.String()
}

// size writes a number of bytes as the host does.
func size(n int64) string {
	switch {
	case n >= 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + "MB"
	case n >= 1<<10:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + "KB"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

func prefix(i int) string { return fmt.Sprintf("%6d: ", i+1) }

var seed = maphash.MakeSeed() // only compares lines of one text with each other

// surveyLines finds the failure lines, those that speak of failure, in one pass.
func surveyLines(d text.Doc, failure hint) *survey {
	sv := new(survey)
	seen := map[uint64]struct{}{}
	shapes := map[uint64]struct{}{}
	for i := range d.Len() {
		line := text.Plain(d.Line(i))
		if hints(line)&failure == 0 {
			continue
		}
		sv.failures++
		if sv.overflow {
			continue
		}
		key := maphash.String(seed, strings.TrimSpace(line))
		if _, ok := seen[key]; ok {
			continue
		}
		if len(seen) == maxDistinct {
			sv.overflow = true
			continue
		}
		seen[key] = struct{}{}
		sv.distinct++
		if len(sv.fresh) >= maxCandidates {
			continue
		}
		form := maphash.String(seed, shape(line))
		if _, ok := shapes[form]; !ok {
			shapes[form] = struct{}{}
			sv.fresh = append(sv.fresh, i)
		} else if len(sv.more) < maxCandidates {
			sv.more = append(sv.more, i)
		}
	}
	return sv
}

// chooseLines picks lines in the order of their worth while they fit, and
// returns them in the order of the text.
func chooseLines(d text.Doc, sv *survey, s Scores, o Options, room int) []int {
	taken := map[int]bool{}
	take := func(lines []int) {
		for _, i := range lines {
			if taken[i] || !utf8.ValidString(d.Line(i)) { // a partial text ends anywhere
				continue
			}
			if n := text.Chars(prefix(i)) + text.Chars(d.Line(i)) + 1; n <= room {
				room -= n
				taken[i] = true
			}
		}
	}
	verdict, ends := lastLines(d)
	room -= verdictRoom
	take(sv.fresh)
	room += verdictRoom
	take(verdict)
	take(sv.more)
	take(best(s, d.Len(), o))
	take(ends)
	chosen := make([]int, 0, len(taken))
	for i := range taken {
		chosen = append(chosen, i)
	}
	slices.Sort(chosen)
	return chosen
}

// verdictRoom is kept free for the last verdict however many failures there are.
const verdictRoom = 400

// lastLines returns the lines that give the last verdict, and the edges.
func lastLines(d text.Doc) (verdict, ends []int) {
	var tail []int
	for i := d.Len() - 1; i >= 0 && i >= d.Len()-summaryWindow; i-- {
		l := strings.TrimSpace(text.Plain(d.Line(i)))
		if l == "" {
			continue
		}
		if len(tail) < 5 {
			tail = append(tail, i)
		}
		if len(verdict) < summaryLines && (isCount(l) || isVerdict(l)) {
			verdict = append(verdict, i)
		}
	}
	if len(tail) > 0 {
		verdict = append([]int{tail[0]}, verdict...)
	}
	ends = append(ends, tail...)
	for i := range min(3, d.Len()) {
		if strings.TrimSpace(d.Line(i)) != "" {
			ends = append(ends, i)
		}
	}
	return verdict, ends
}

// best returns those of n lines that reached drop, the best first.
func best(s Scores, n int, o Options) []int {
	var lines []int
	for i, p := range s.Line[:min(n, len(s.Line))] {
		if p >= o.Drop {
			lines = append(lines, i)
		}
	}
	slices.SortStableFunc(lines, func(a, b int) int {
		switch {
		case s.Line[a] > s.Line[b]:
			return -1
		case s.Line[a] < s.Line[b]:
			return 1
		}
		return 0
	})
	return lines[:min(len(lines), maxCandidates)]
}
