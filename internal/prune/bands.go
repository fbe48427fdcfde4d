package prune

import "strings"

// bands sorts the lines of a judged text: kept from keep on, kept as uncertain
// from drop on, and kept where there is no judgement (too short an answer, or
// no number). found reports whether any line reached drop.
func bands(n int, s Scores, o Options) (keep []bool, uncertain int, found bool) {
	keep = make([]bool, n)
	for i := range keep {
		if i >= len(s.Line) {
			keep[i] = true
			continue
		}
		switch p := s.Line[i]; {
		case p >= o.Keep:
			keep[i], found = true, true
		case p >= o.Drop:
			keep[i], found = true, true
			uncertain++
		case p != p: // NaN
			keep[i] = true
		}
	}
	return keep, uncertain, found
}

// neighbours is how many lines on each side of a kept line stay with it.
const neighbours = 2

// settle adds to the judge's lines what the rules protect, the neighbours of
// both, and the heading above each kept line.
func settle(judged []bool, protected []Cause, v *view) []bool {
	keep := make([]bool, len(judged))
	until := -1
	for i := range judged { // forward: the line itself and those after it
		if judged[i] || protected[i]&near != 0 {
			until = i + neighbours
		}
		keep[i] = i <= until || protected[i] != 0
	}
	until = len(judged)
	for i := len(judged) - 1; i >= 0; i-- { // backward: those before it
		if judged[i] || protected[i]&near != 0 {
			until = i - neighbours
		}
		if i >= until {
			keep[i] = true
		}
	}
	if v.kind != readTool {
		headings(keep, v)
	}
	return keep
}

// headings keeps the heading above each kept line, and the line below that
// heading (a table's column names): a row without them could be taken for one
// of another table.
func headings(keep []bool, v *view) {
	last := -1
	for i := range keep {
		if isHeading(v.doc.Line(i)) {
			last = i
		}
		if keep[i] && last >= 0 {
			keep[last] = true
			if last+1 < len(keep) {
				keep[last+1] = true
			}
			last = -1
		}
	}
}

// isHeading reports whether a line names what follows it: a Markdown heading,
// the file of head -n and tail -n, the folder of ls -R, a hunk of a diff, a commit.
func isHeading(line string) bool {
	if len(line) < 4 {
		return false
	}
	switch line[0] {
	case '#':
		rest := strings.TrimLeft(line, "#")
		return len(line)-len(rest) <= 6 && strings.HasPrefix(rest, " ")
	case '=':
		return strings.HasPrefix(line, "==> ") && strings.HasSuffix(line, " <==")
	case '.', '/': // ls -R
		return line[len(line)-1] == ':' && strings.IndexByte(line, ' ') < 0 && strings.Contains(line, "/")
	case 'c':
		return isCommit(line)
	case '@':
		return strings.HasPrefix(line, "@@ ")
	case 'd':
		return strings.HasPrefix(line, "diff --git ")
	}
	return false
}

// isCommit reports whether a line is the head of a commit in git's log.
func isCommit(line string) bool {
	rest, ok := strings.CutPrefix(line, "commit ")
	return ok && len(rest) >= 40 && strings.Trim(rest[:40], "0123456789abcdef") == ""
}
