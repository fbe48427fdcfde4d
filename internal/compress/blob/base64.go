package blob

import (
	"fmt"
	"strings"

	"winnow/internal/text"
)

// minRun is the length from which base64 is worth a stub, in bytes; shown is how
// much of its head stays.
const (
	minRun = 1024
	shown  = 32
)

// base64Runs finds long runs of base64, lines of it in a row among them. Keys and
// certificates between their PEM lines stay.
func base64Runs(s string) []text.Span {
	var runs []text.Span
	for i := 0; i < len(s); {
		if !alphabet[s[i]] {
			i++
			continue
		}
		end := i
		for end < len(s) && (alphabet[s[end]] || wrapped(s, i, end)) {
			end++
		}
		if end-i >= minRun && mixed(s[i:end]) && !strings.HasSuffix(strings.TrimRight(s[:i], "\r\n"), "-----") {
			runs = append(runs, text.Span{Start: i, End: end})
		}
		i = end
	}
	return runs
}

// minWrapped is the length of a line from which the next may go on with it.
const minWrapped = 60

// wrapped reports whether the line break at end is one that a base64 tool puts:
// the line from start, or the one that ends here, is long and all of the alphabet.
func wrapped(s string, start, end int) bool {
	if s[end] != '\n' || end+1 >= len(s) || !alphabet[s[end+1]] {
		return false
	}
	head := end
	for head > start && end-head < minWrapped && alphabet[s[head-1]] {
		head--
	}
	return end-head >= minWrapped
}

// mixed reports whether a run has capitals, small letters and digits in about the
// shares of encoded bytes; names, paths, hex and prose have not.
func mixed(s string) bool {
	var upper, lower, digits int
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		case c >= '0' && c <= '9':
			digits++
		}
	}
	n := len(s)
	return upper*100 >= n*15 && lower*100 >= n*15 && digits*100 >= n*4 && digits*100 <= n*40
}

// alphabet is of base64, the variant for addresses and the padding included.
var alphabet = func() (a [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") {
		a[c] = true
	}
	return a
}()

func stubRuns(s string, runs []text.Span, tag string) string {
	var b strings.Builder
	at, gone := 0, 0
	for _, r := range runs {
		b.WriteString(s[at : r.Start+shown])
		fmt.Fprintf(&b, "…[%d characters of base64]", r.Len()-shown)
		at = r.End
		gone += r.Len() - shown
	}
	b.WriteString(s[at:])
	if !strings.HasSuffix(s, "\n") {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "[%d characters of base64 left out: %s]", gone, tag)
	return b.String()
}
