package prune

import (
	"strings"
)

// log counts the records of a log by level and says from when to when.
func (d *digester) log() string {
	if !d.sample(func(l string) bool { return level(l) != "" || clock(l) >= 0 }) {
		return ""
	}
	var t tally
	first, last, times := "", "", 0
	for _, l := range d.lines {
		if at := level(l); at != "" {
			t.add(at)
		}
		if i := clock(l); i >= 0 {
			last = l[i : i+clockLen]
			if times++; times == 1 {
				first = last
			}
		}
	}
	span := ""
	if !d.few(times) {
		span = first + " to " + last
	}
	switch {
	case !d.few(t.total):
		s := list("", t.most(), d.size)
		if span != "" {
			s += ", " + span
		}
		return s
	case span != "":
		return quote(count(len(d.lines), "record", "records")+", "+span+", ", d.tail(), d.size)
	}
	return ""
}

// maxPrefix is how far into a line a level or a time may stand.
const maxPrefix = 100

// clockLen is the length of "12:34:56".
const clockLen = 8

// clock returns where a time of day stands in a line, -1 for nowhere.
func clock(l string) int {
	end := min(len(l), maxPrefix)
	for i := 2; i+6 <= end; i++ {
		if l[i] == ':' && l[i+3] == ':' && number2(l[i-2:]) && number2(l[i+1:]) && number2(l[i+4:]) {
			return i - 2
		}
	}
	return -1
}

func number2(s string) bool { return s[0] >= '0' && s[0] <= '9' && s[1] >= '0' && s[1] <= '9' }

var levels = map[string]string{
	"trace": "TRACE", "debug": "DEBUG", "info": "INFO", "notice": "NOTICE", "warn": "WARN", "warning": "WARN",
	"err": "ERROR", "error": "ERROR", "fatal": "FATAL", "critical": "CRITICAL",
}

// level returns the level that a log's line names: in capitals, in brackets,
// or after "level=".
func level(l string) string {
	var buf [maxWord]byte
	end := min(len(l), maxPrefix)
	for i := 0; i < end; {
		if letters[l[i]] == 0 {
			i++
			continue
		}
		start := i
		for i < end && wordByte[l[i]] {
			i++
		}
		if i-start > 8 || i-start < 3 {
			continue
		}
		name := levels[string(lowerInto(&buf, l[start:i]))]
		if name == "" {
			continue
		}
		if l[start] <= 'Z' && l[start+1] <= 'Z' || start > 0 && (l[start-1] == '[' || l[start-1] == '=') {
			return name
		}
	}
	return ""
}

// tail returns the first line's words after its time.
func (d *digester) tail() string {
	l := d.lines[0]
	if i := clock(l); i >= 0 {
		l = strings.TrimLeft(l[i+clockLen:], ".,0123456789Z+:] \t")
	}
	return l
}
