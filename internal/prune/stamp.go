package prune

import "strings"

// unstamp takes off what a log collector put before the lines (a time, the job
// and step of a CI run, a container's name), for matching only: a stack trace
// that came through it is one all the same. A time is known by its form; what
// looks like a container's name must stand before most lines.
func unstamp(lines []string) {
	step, n, stamped := max(1, len(lines)/sampleSize), 0, 0
	for i := 0; i < len(lines); i += step {
		if lines[i] == "" {
			continue
		}
		n++
		if timed(lines[i]) > 0 || container(lines[i]) > 0 {
			stamped++
		}
	}
	containers := n >= 4 && stamped*3 >= n*2
	for i, l := range lines {
		if k := timed(l); k > 0 {
			lines[i] = l[k:]
		} else if containers {
			lines[i] = l[container(l):]
		}
	}
}

// timed returns the length of up to two fields ended by tabs and a time like
// "2026-02-19T20:01:45.512Z ", 0 where there is none.
func timed(l string) int {
	at := 0
	for range 3 {
		if n := isoTime(l[at:]); n > 0 {
			at += n
			if at < len(l) && l[at] == ' ' {
				at++
			}
			return at
		}
		i := strings.IndexByte(l[at:min(len(l), at+maxPrefix)], '\t')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return 0
}

// isoTime returns the length of the time that s begins with, a byte-order mark
// (CI logs have one at the head of a step) included.
func isoTime(s string) int {
	rest := strings.TrimPrefix(s, "\ufeff")
	if len(rest) < 20 || rest[4] != '-' || rest[7] != '-' || rest[10] != 'T' && rest[10] != ' ' || clock(rest[11:19]) != 0 ||
		!number2(rest) || !number2(rest[2:]) || !number2(rest[5:]) || !number2(rest[8:]) {
		return 0
	}
	i := 19
	for i < len(rest) && (rest[i] >= '0' && rest[i] <= '9' || strings.IndexByte(".,Z+-:", rest[i]) >= 0) {
		i++
	}
	return len(s) - len(rest) + i
}

// container returns the length of "web-1  | ", as docker compose writes it.
func container(l string) int {
	i := 0
	for i < len(l) && (wordByte[l[i]] || l[i] == '-' || l[i] == '.') {
		i++
	}
	if i == 0 || letters[l[0]] == 0 {
		return 0
	}
	for i < len(l) && l[i] == ' ' {
		i++
	}
	if !strings.HasPrefix(l[i:], "| ") {
		return 0
	}
	return i + 2
}
