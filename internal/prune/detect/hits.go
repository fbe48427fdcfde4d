package detect

import "strings"

// Hit splits a search hit, "path:12:text" or "path-12-text" (a context line),
// or "12:text" when one file was searched. ok is false for any other line.
func Hit(line string) (file string, rest string, ok bool) {
	for i := 0; i+2 < len(line); i++ {
		sep := line[i]
		if sep != ':' && sep != '-' {
			continue
		}
		j := i + 1
		for j < len(line) && digit(line[j]) {
			j++
		}
		if j > i+1 && j < len(line) && line[j] == sep {
			return line[:i], line[j+1:], i > 0
		}
	}
	return "", "", false
}

// Hits reports which lines are hits in source files, judged by the name of
// each hit's file and by what all hits of its family look like. nil: none.
// file is the one searched, where it was one.
func Hits(lines []string, file string) []bool {
	code := make([]bool, len(lines))
	families := make([]Family, len(lines))
	var total, hits [Style + 1]int
	single := Extension(file)
	for i, l := range lines {
		f, rest, ok := Hit(l)
		fam := Extension(f)
		if !ok {
			if single == None {
				continue
			}
			fam, rest = single, Unnumbered(l)
		}
		if rest = strings.TrimSpace(rest); fam == None || rest == "" {
			continue
		}
		families[i] = fam
		total[fam]++
		if isCode(fam, rest) && !looksLogged(rest) {
			hits[fam]++
		}
	}
	any := false
	for i, fam := range families {
		if fam != None && hits[fam]*5 >= total[fam] {
			code[i], any = true, true
		}
	}
	if !any {
		return nil
	}
	return code
}

// Unnumbered takes the number off "12:text" and "12-text".
func Unnumbered(l string) string {
	i := 0
	for i < len(l) && digit(l[i]) {
		i++
	}
	if i > 0 && i < len(l) && (l[i] == ':' || l[i] == '-') {
		return l[i+1:]
	}
	return l
}
