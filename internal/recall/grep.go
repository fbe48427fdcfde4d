package recall

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// grep lists the lines of the window that match.
func (w window) grep(pattern string, max int) (page, note string, err error) {
	if len(pattern) > 1000 {
		return "", "", errors.New("the pattern is longer than 1,000 characters: ask for a shorter one, or for lines without a pattern")
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", "", fmt.Errorf("the pattern is not a valid RE2 expression (%v): escape ( ) [ ] . * + ? with a backslash to find them as they stand, look-around and back-references do not exist; or leave the pattern out", clipErr(err))
	}
	var b strings.Builder
	hits, room, next, cut := 0, max, -1, -1
	for i := w.from; i <= w.to; i++ {
		line := w.doc.Line(i)
		if i == w.from {
			line = line[w.off:]
		}
		if !matches(re, line) {
			continue
		}
		hits++
		if next >= 0 {
			continue
		}
		row := strconv.Itoa(w.number(i)) + ": " + line
		if b.Len() > 0 {
			row = "\n" + row
		}
		if n := prefix(row, room); n < len(row) {
			if b.Len() > 0 {
				next = i
				continue
			}
			row, cut = row[:n], i
		}
		b.WriteString(row)
		room -= utf8.RuneCountInString(row)
	}
	return b.String(), w.tally(hits, next, cut), nil
}

func (w window) tally(hits, next, cut int) string {
	note := fmt.Sprintf("%d of %d lines match", hits, w.to-w.from+1)
	if hits == 0 {
		return note + fmt.Sprintf("; without the pattern you get all of %s", w.bounds())
	}
	if cut >= 0 {
		note += fmt.Sprintf("; line %d is too long and shown in part, lines %d without a pattern gives all of it", w.number(cut), w.number(cut))
	}
	if next >= 0 {
		note += fmt.Sprintf("; next: lines %d-%d with the same pattern", w.number(next), w.number(w.to))
	}
	return note
}

// dressRE is what may stand before or around the text that a pattern is meant
// for: colour codes, a Read's margin, a carriage return.
var dressRE = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]|^[ ]*\d+(?:\t|→)|\r$`)

// matches reports whether the line matches as it is or as it is seen.
func matches(re *regexp.Regexp, line string) bool {
	if re.MatchString(line) {
		return true
	}
	plain := dressRE.ReplaceAllString(line, "")
	return len(plain) != len(line) && re.MatchString(plain)
}

func clipErr(err error) string {
	return clip(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}
