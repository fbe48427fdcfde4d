package logs

import "slices"

// A silence in a log is news: nothing was written for much longer than usual.
// The lines around it stay, whatever they say.
const (
	silence    = 10 // seconds, at least
	timesUsual = 20 // of the usual pause between two lines
	maxGaps    = 4  // more than these, and one in fifty lines: pauses are usual
	oneIn      = 50
)

// gaps marks the lines on both sides of a silence.
func (p *pass) gaps() {
	var at, pauses []int
	last, lastAt := -1, 0
	for i := range p.body {
		if len(p.body[i]) == len(p.plain[i]) {
			continue
		}
		now := secondsOf(clockIn(p.plain[i]))
		if now < 0 {
			continue
		}
		if last >= 0 {
			pause := now - last
			if pause < -day/2 { // past midnight
				pause += day
			}
			at, pauses = append(at, lastAt, i), append(pauses, pause)
		}
		last, lastAt = now, i
	}
	if len(pauses) < minLines {
		return
	}
	sorted := slices.Sorted(slices.Values(pauses))
	least := max(silence, timesUsual*sorted[len(sorted)/2])
	var around []int
	for k, pause := range pauses {
		if pause >= least {
			around = append(around, at[2*k], at[2*k+1])
		}
	}
	if len(around)/2 > max(maxGaps, len(pauses)/oneIn) {
		return
	}
	for _, i := range around {
		p.rules[i] = stays
	}
}

const day = 24 * 60 * 60

// secondsOf reads "20:01:45", -1 for anything else.
func secondsOf(clock string) int {
	if len(clock) != 8 {
		return -1
	}
	two := func(i int) int { return int(clock[i]-'0')*10 + int(clock[i+1]-'0') }
	return two(0)*3600 + two(3)*60 + two(6)
}
