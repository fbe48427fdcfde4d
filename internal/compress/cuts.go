package compress

import (
	"strings"
	"unicode/utf8"
)

// maxDigest bounds what a cut says of itself, in bytes.
const maxDigest = 120

// CutsOf makes cuts of the marked lines: one for each run of marks, with what
// digest says of lines first to last. Blank lines between two marked ones go with
// them; runs of fewer than least lines are not worth a marker.
func CutsOf(hide []bool, blank func(i int) bool, least int, digest func(first, last int) string) []Cut {
	var cuts []Cut
	for i := 0; i < len(hide); i++ {
		if !hide[i] {
			continue
		}
		last := i
		for j := i + 1; j < len(hide) && (hide[j] || blank(j)); j++ {
			if hide[j] {
				last = j
			}
		}
		if last-i+1 >= least {
			cuts = append(cuts, Cut{First: i, Last: last, Digest: oneLine(digest(i, last))})
		}
		i = last
	}
	return cuts
}

func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
	if len(s) <= maxDigest {
		return s
	}
	end := maxDigest
	for end > maxDigest-utf8.UTFMax && !utf8.RuneStart(s[end]) { // no half character
		end--
	}
	return strings.TrimRight(s[:end], " ,;")
}
