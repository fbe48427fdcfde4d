package prune

import (
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"winnow/internal/prune/detect"
)

// tally counts names and remembers the order of their first appearance.
type tally struct {
	order  []string
	counts map[string]int
	total  int
}

func (t *tally) add(name string) {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	if t.counts[name] == 0 {
		t.order = append(t.order, name)
	}
	t.counts[name]++
	t.total++
}

// most lists the names, the most frequent first, with their counts.
func (t *tally) most() []string {
	names := append([]string(nil), t.order...)
	sort.SliceStable(names, func(i, j int) bool { return t.counts[names[i]] > t.counts[names[j]] })
	for i, n := range names {
		names[i] = n + " " + strconv.Itoa(t.counts[n])
	}
	return names
}

// hits counts a search's hits by file.
func (d *digester) hits() string {
	if d.kind == readTool {
		return ""
	}
	var t tally
	for _, l := range d.lines {
		if f, _, ok := detect.Hit(l); ok && (strings.ContainsAny(f, "./") && !strings.Contains(f, " ")) {
			t.add(f)
		}
	}
	if d.few(t.total) || len(t.order) == 1 && t.total < 2 {
		return ""
	}
	short := tally{}
	for _, f := range t.order {
		for range t.counts[f] {
			short.add(path.Base(f))
		}
	}
	head := count(t.total, "hit", "hits") + " in " + count(len(t.order), "file", "files") + ": "
	return list(head, short.most(), d.size)
}

var passedRE = regexp.MustCompile(`^\s*(?:✓|✔|√|ok \d+|ok\s|PASS\b|PASSED\b|--- PASS:?|=== (?:RUN|PAUSE|CONT)\b|test .* \.\.\. ok$|\[\s*(?:OK|PASS|PASSED|RUN)\s*\])\s*(.*)|^(.*?)\s+(?:PASSED|\.\.\. ok|ok|PASS)\s*(?:\[.*\])?$`)

// tests counts passed tests and names the first and the last.
func (d *digester) tests() string {
	var names []string
	dots, n := 0, 0
	seen := map[string]bool{}
	for _, l := range d.lines {
		if strings.Trim(l, ".sSxX[]% 0123456789") == "" && strings.Contains(l, "..") {
			dots += strings.Count(l, ".")
			n++
			continue
		}
		if m := passedRE.FindStringSubmatch(l); m != nil {
			n++
			name := strings.TrimSpace(m[1] + m[2])
			name = strings.TrimSuffix(strings.TrimPrefix(name, "- "), " ... ok")
			if i := strings.LastIndex(name, " ("); i > 0 {
				name = name[:i]
			}
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	switch {
	case d.few(n):
		return ""
	case dots > 0 && len(names) == 0:
		return count(dots, "passed test (a dot)", "passed tests (dots)")
	case len(names) == 1:
		return join("passed test ", names[0], d.size)
	}
	return list(count(len(names), "passed test: ", "passed tests: "), names, d.size)
}

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
	if headers == 0 && (plus+minus == 0 || plus+minus < len(d.lines)) {
		return ""
	}
	head := "diff, +" + strconv.Itoa(plus) + " -" + strconv.Itoa(minus)
	if len(files) == 0 {
		return head
	}
	return list(head+" in "+count(len(files), "file: ", "files: "), files, d.size)
}

var (
	levelRE = regexp.MustCompile(`\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|trace|debug|info|notice|warn(?:ing)?)\b`)
	clockRE = regexp.MustCompile(`\b\d\d:\d\d:\d\d`)
)

// log counts the records of a log by level and says from when to when.
func (d *digester) log() string {
	var t tally
	first, last, times := "", "", 0
	for _, l := range d.lines {
		l = l[:min(len(l), 120)]
		if at := levelRE.FindString(l); at != "" {
			t.add(strings.ToUpper(at))
		}
		if at := clockRE.FindString(l); at != "" {
			if first == "" {
				first = at
			}
			last = at
			times++
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
		return join(count(len(d.lines), "record", "records")+", "+span+`, "`, d.tail(), d.size-1) + `"`
	}
	return ""
}

// tail returns the first line's words after its time.
func (d *digester) tail() string {
	l := d.lines[0]
	if at := clockRE.FindStringIndex(l); at != nil {
		l = strings.TrimLeft(l[at[1]:], ".,0123456789Z+:] \t")
	}
	return l
}

// listing counts a listing's paths by folder.
func (d *digester) listing() string {
	var t tally
	var names []string
	for _, l := range d.lines {
		p := pathOf(l)
		if p == "" {
			continue
		}
		dir, base := path.Split(strings.TrimSuffix(p, "/"))
		names = append(names, base)
		if dir == "" {
			dir = "./"
		}
		t.add(dir)
	}
	if d.few(t.total) {
		return ""
	}
	head := count(t.total, "path", "paths") + ": "
	if len(t.order) == 1 || len(t.order)*2 > t.total {
		return list(head, names, d.size)
	}
	return list(head, t.most(), d.size)
}

// pathOf returns the path that a line of ls, find, du, tree or git status
// consists of, or ends in after columns of numbers and flags.
func pathOf(l string) string {
	f := strings.Fields(l)
	if len(f) == 0 {
		return ""
	}
	p := f[len(f)-1]
	switch {
	case len(f) == 1:
	case len(f) == 2 && (len(f[0]) <= 2 || strings.Trim(f[0], "0123456789.KMGTB") == ""):
	case len(f) >= 8 && len(f[0]) >= 10 && strings.Trim(f[0][:10], "-bcdlprwxsStT") == "":
		p = f[8-min(1, 9-len(f)+max(0, len(f)-9))]
	case strings.HasPrefix(strings.TrimLeft(l, "│ "), "├── "), strings.HasPrefix(strings.TrimLeft(l, "│ "), "└── "):
	default:
		return ""
	}
	if strings.ContainsAny(p, `"'<>|=;(){}*,`) || strings.HasSuffix(p, ":") || !strings.ContainsAny(p, "./_-") && len(f) == 1 {
		return ""
	}
	return p
}

// sections lists the headings of a document.
func (d *digester) sections() string {
	var names []string
	for _, l := range d.lines {
		if l[0] != '#' {
			continue
		}
		rest := strings.TrimLeft(l, "#")
		if len(l)-len(rest) <= 6 && strings.HasPrefix(rest, " ") && !strings.HasPrefix(rest, " !") {
			names = append(names, strings.TrimSpace(rest))
		}
	}
	if len(names) == 0 || len(names)*3 > len(d.lines)*2 {
		return ""
	}
	return list("sections ", names, d.size)
}
