package prune

import (
	"path"
	"strconv"
	"strings"
	"unicode"
)

// diff names the files of a diff and counts its changed lines.
func (d *digester) diff() string {
	plus, minus, headers := 0, 0, 0
	var files []string
	for _, l := range d.lines {
		switch {
		case strings.HasPrefix(l, "diff --git "):
			headers++
			f := strings.Fields(l)
			files = append(files, path.Base(f[len(f)-1]))
		case strings.HasPrefix(l, "@@ -"):
			headers++
		case strings.HasPrefix(l, "+"):
			plus++
		case strings.HasPrefix(l, "-"):
			minus++
		}
	}
	if headers == 0 && (!d.inDiff || plus+minus < len(d.lines)) {
		return ""
	}
	head := "diff, +" + strconv.Itoa(plus) + " -" + strconv.Itoa(minus)
	if len(files) == 0 {
		for _, l := range d.lines {
			if l[0] != '@' && strings.ContainsFunc(l, unicode.IsLetter) {
				return join(head+": ", strings.TrimSpace(strings.TrimLeft(l, "+-")), d.size)
			}
		}
		return head
	}
	return list(head+" in "+count(len(files), "file: ", "files: "), files, d.size)
}

// commits counts the commits of a log and gives their subjects.
func (d *digester) commits() string {
	n, want := 0, false
	var subjects []string
	for _, l := range d.lines {
		switch {
		case isCommit(l):
			n++
			want = true
		case want && strings.HasPrefix(l, "    "):
			subjects = append(subjects, strings.TrimSpace(l))
			want = false
		}
	}
	if n == 0 {
		return ""
	}
	return list(count(n, "commit: ", "commits: "), subjects, d.size)
}
