package logs

import (
	"strconv"
	"strings"
)

// digest says what lines first to last were, by the rules that hid them.
func (p *pass) digest(first, last int) string {
	var n [frame + 1]int
	var at [frame + 1]int
	for i := last; i >= first; i-- {
		n[p.rules[i]]++
		at[p.rules[i]] = i
	}
	var parts []string
	add := func(r rule, what string) {
		if n[r] > 0 {
			parts = append(parts, what)
		}
	}
	add(success, p.passedDigest(first, last))
	add(progress, count(n[progress], "line of progress", "lines of progress")+p.sample(at[progress]))
	add(setup, "the runner's own lines")
	add(repeat, count(n[repeat], "time", "times")+" the line above"+p.span(repeat, first, last))
	add(seen, "lines "+p.places(first, last)+" again"+p.span(seen, first, last))
	add(alike, count(n[alike], "line", "lines")+" like the one above"+p.span(alike, first, last))
	add(form, count(n[form], "line", "lines")+" of forms seen above"+p.span(form, first, last))
	add(frame, count(n[frame], "library frame", "library frames"))
	return strings.Join(parts, "; ")
}

// places lists the lines that stand in the place of the seen ones.
func (p *pass) places(first, last int) string {
	var parts []string
	for i := first; i <= last; i++ {
		if p.rules[i] != seen {
			continue
		}
		from := int(p.from[i])
		to := from
		for i+1 <= last && p.rules[i+1] == seen && int(p.from[i+1]) == to+1 {
			i++
			to++
		}
		if len(parts) == maxPlaces {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, strconv.Itoa(from+1)+"-"+strconv.Itoa(to+1))
	}
	return strings.Join(parts, ", ")
}

// maxPlaces bounds a digest's list.
const maxPlaces = 4

// sample quotes the first line of progress.
func (p *pass) sample(i int) string {
	l := strings.TrimSpace(p.body[i])
	if len(l) > 40 {
		l = strings.ToValidUTF8(l[:40], "")
	}
	return ": " + l
}

// span says from when to when the lines of a rule were written.
func (p *pass) span(r rule, first, last int) string {
	from, to := "", ""
	for i := first; i <= last; i++ {
		if p.rules[i] != r || len(p.body[i]) == len(p.plain[i]) {
			continue
		}
		if c := clockIn(p.plain[i]); c != "" {
			if from == "" {
				from = c
			}
			to = c
		}
	}
	switch {
	case from == "":
		return ""
	case from == to:
		return ", " + from
	}
	return ", " + from + " to " + to
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
