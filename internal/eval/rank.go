package eval

import (
	"cmp"
	"math"
	"slices"
)

// ranked is one line of a pooled ranking, lowest first.
type ranked struct {
	rank   float64
	rec    int32 // whose weight counts
	chars  int32
	needed bool
}

// pool ranks the lines of all records together.
func pool(recs []*record) []ranked {
	var all []ranked
	for k, r := range recs {
		for _, l := range r.lines {
			all = append(all, ranked{l.rank(), int32(k), l.chars, l.needed})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

// ties calls do for each run of equally ranked lines, lowest first, until it
// returns false.
func ties(all []ranked, do func(tie []ranked) bool) {
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].rank == all[i].rank {
			j++
		}
		if !do(all[i:j]) {
			return
		}
		i = j
	}
}

// auc is the chance that a needed line ranks above one that is not, ties
// counting half; NaN without both kinds.
func auc(all []ranked, w []uint16) float64 {
	var below, pos, pairs float64 // below: lines not needed so far
	ties(all, func(tie []ranked) bool {
		var p, n float64
		for _, l := range tie {
			if l.needed {
				p += float64(w[l.rec])
			} else {
				n += float64(w[l.rec])
			}
		}
		pairs += p * (below + n/2)
		below += n
		pos += p
		return true
	})
	return pairs / (pos * below)
}

// hiddenAt is the share of characters that can be hidden by rank alone before
// more than percent of the needed lines are lost.
func hiddenAt(all []ranked, w []uint16, percent int) float64 {
	var needed, total, lost, hidden, best int
	for _, l := range all {
		total += int(w[l.rec]) * int(l.chars)
		if l.needed {
			needed += int(w[l.rec])
		}
	}
	limit := float64(needed*percent) / 100
	ties(all, func(tie []ranked) bool {
		for _, l := range tie {
			hidden += int(w[l.rec]) * int(l.chars)
			if l.needed {
				lost += int(w[l.rec])
			}
		}
		if float64(lost) > limit {
			return false
		}
		best = hidden
		return true
	})
	return float64(best) / float64(total)
}

// caseAUC is one case's own AUC.
func caseAUC(r *record) float64 { return auc(pool([]*record{r}), []uint16{1}) }

// recall is the share of a case's needed lines among the best ranked when
// percent of its lines are dropped, the earlier of two equals being kept; NaN
// where nothing is needed. At least one line is kept.
func recall(r *record, percent int) float64 {
	order := identity(len(r.lines))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.lines[b].rank(), r.lines[a].rank()) })
	kept := max(1, int(math.RoundToEven(float64(len(order)*(100-percent))/100)))
	var got, all float64
	for i, k := range order {
		if !r.lines[k].needed {
			continue
		}
		all++
		if i < kept {
			got++
		}
	}
	return got / all
}
