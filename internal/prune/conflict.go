package prune

import "strings"

// conflicts marks unresolved merges, which no kind of text may hide: the
// marker lines, and what stands between them up to [maxBlock] lines.
func conflicts(c []Cause, lines []string, v *view) {
	open := -1
	for i, l := range lines {
		switch conflictSign(l, v.kind == grepTool) {
		case '<':
			open = i
		case '>':
			for j := open; open >= 0 && i-open <= maxBlock && j < i; j++ {
				c[j] |= Trace
			}
			open = -1
		case '=', '|':
			if open < 0 { // a heading's rule, a table
				continue
			}
		default:
			continue
		}
		c[i] |= Trace
	}
}

// conflictSign returns the sign of a marker line, 0 for any other. In a diff of
// a merge a sign or two stand before it, in a search's hits the place.
func conflictSign(l string, hits bool) byte {
	if hits {
		if i := strings.Index(l, "<<<<<<< "); i > 0 && l[i-1] == ':' {
			return '<'
		}
		if i := strings.Index(l, ">>>>>>> "); i > 0 && l[i-1] == ':' {
			return '>'
		}
	}
	i := 0
	for i < len(l) && i < 2 && (l[i] == '+' || l[i] == '-' || l[i] == ' ') {
		i++
	}
	if len(l)-i < 7 {
		return 0
	}
	sign := l[i]
	switch sign {
	case '<', '>', '|':
		if l[i+1] != sign || len(l)-i < 8 || l[i+7] != ' ' {
			return 0
		}
	case '=':
		if strings.TrimRight(l[i:], " ") != "=======" {
			return 0
		}
	default:
		return 0
	}
	if strings.Count(l[i:i+7], string(sign)) != 7 {
		return 0
	}
	return sign
}
