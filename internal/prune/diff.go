package prune

import "strings"

// maxChange is the length of a run of changed lines up to which all of it
// stays; of a longer one (a new file, say) the ends do and the judge decides.
const maxChange = 40

// diff marks the changed lines of unified diffs and the headers that place
// them; neighbours on both sides stay by the general rule.
func diff(c []Cause, lines []string) {
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "@@ -") {
			continue
		}
		old, new, ok := hunkSize(lines[i])
		if !ok {
			continue
		}
		c[i] |= Changed
		fileHeader(c, lines, i-1)
		i = hunk(c, lines, i+1, old, new)
	}
}

// hunk marks the changed lines of the hunk whose body begins at line i and
// returns its last line.
func hunk(c []Cause, lines []string, i, old, new int) int {
	start := -1
	flush := func(end int) {
		if start < 0 {
			return
		}
		for j := start; j < end; j++ {
			if end-start <= maxChange || j < start+neighbours || j >= end-neighbours {
				c[j] |= Changed
			}
		}
		start = -1
	}
	for ; i < len(lines) && (old > 0 || new > 0); i++ {
		sign := byte(' ')
		if lines[i] != "" {
			sign = lines[i][0]
		}
		switch sign {
		case '+':
			new--
		case '-':
			old--
		case ' ':
			old--
			new--
		case '\\':
		default: // cut short
			flush(i)
			return i - 1
		}
		if sign == '+' || sign == '-' {
			if start < 0 {
				start = i
			}
		} else {
			flush(i)
		}
	}
	flush(i)
	return i - 1
}

// fileHeader marks the lines above a hunk that name its file.
func fileHeader(c []Cause, lines []string, i int) {
	for ; i >= 0; i-- {
		l := lines[i]
		switch {
		case strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "index "),
			strings.HasPrefix(l, "new file"), strings.HasPrefix(l, "deleted file"), strings.HasPrefix(l, "rename "),
			strings.HasPrefix(l, "similarity "), strings.HasPrefix(l, "old mode"), strings.HasPrefix(l, "new mode"):
			c[i] |= Changed
			continue
		case strings.HasPrefix(l, "diff "):
			c[i] |= Changed
		}
		return
	}
}

// hunkSize reads "@@ -1,52 +1,52 @@"; a count that is left out is one.
func hunkSize(l string) (old, new int, ok bool) {
	f := strings.Fields(l)
	if len(f) < 4 || f[3] != "@@" || f[2][0] != '+' {
		return 0, 0, false
	}
	return hunkCount(f[1]), hunkCount(f[2]), true
}

func hunkCount(s string) int {
	_, n, ok := strings.Cut(s, ",")
	if !ok {
		return 1
	}
	count := 0
	for i := range len(n) {
		if n[i] < '0' || n[i] > '9' || count > 1<<20 {
			return 0
		}
		count = count*10 + int(n[i]-'0')
	}
	return count
}
