package rows

import (
	"math"
	"strings"
	"unicode/utf8"
)

// minAffix is the shortest beginning or end that is worth stating apart.
const minAffix = 6

// affix finds what all strings of a column begin and end with, cut where a word
// ends, so that the rest still reads as something.
func (f *Folder) affix(cells []string) Fold {
	var pre, suf string
	shortest, count := math.MaxInt, 0
	for i, s := range cells {
		if f.JSON && s == "" {
			continue
		}
		inner, isString := f.text(s)
		if !isString {
			return Fold{}
		}
		if count++; count == 1 {
			pre, suf = inner, inner
		}
		pre, suf = common(pre, inner), commonEnd(suf, inner)
		f.Work += len(pre) + len(suf) + 2
		shortest = min(shortest, len(inner))
		if i >= 1 && len(pre) < minAffix && len(suf) < minAffix {
			return Fold{}
		}
	}
	if count < 3 {
		return Fold{}
	}
	pre = wordPrefix(pre)
	suf = wordSuffix(suf[len(suf)-min(len(suf), shortest-len(pre)):])
	if len(pre) < minAffix {
		pre = ""
	}
	if len(suf) < minAffix || f.escaped(cells, len(suf)) {
		suf = ""
	}
	if pre == "" && suf == "" || (len(pre)+len(suf))*(count-1) < 12 {
		return Fold{}
	}
	return Fold{Kind: Affix, Pre: pre, Suf: suf}
}

// escaped reports whether a suffix of n bytes would begin inside an escape.
func (f *Folder) escaped(cells []string, n int) bool {
	for _, s := range cells {
		if inner, _ := f.text(s); len(inner) > n && inner[len(inner)-n-1] == '\\' {
			return true
		}
	}
	return false
}

func common(a, b string) string {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return a[:i]
		}
	}
	return a[:n]
}

func commonEnd(a, b string) string {
	n := min(len(a), len(b))
	for i := range n {
		if a[len(a)-1-i] != b[len(b)-1-i] {
			return a[len(a)-i:]
		}
	}
	return a[len(a)-n:]
}

const joints = "/-:. _@#=|"

// wordPrefix cuts s behind its last joint, and before any escape.
func wordPrefix(s string) string {
	if i := strings.IndexByte(s, '\\'); i >= 0 {
		s = s[:i]
	}
	return s[:strings.LastIndexAny(s, joints)+1]
}

// wordSuffix cuts s at its first joint; escapes and half characters never stand in it.
func wordSuffix(s string) string {
	if i := strings.LastIndexByte(s, '\\'); i >= 0 {
		s = s[min(len(s), i+6):]
	}
	i := strings.IndexAny(s, joints)
	if i < 0 || !utf8.RuneStart(s[i]) {
		return ""
	}
	return s[i:]
}
