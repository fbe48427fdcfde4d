package prune

import (
	"path"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

// tally counts names and remembers the order of their first appearance.
type tally struct {
	order  []string
	counts map[string]int
	total  int
}

func (t *tally) add(name string) { t.addN(name, 1) }

func (t *tally) addN(name string, n int) {
	if t.counts == nil {
		t.counts = map[string]int{}
	}
	if t.counts[name] == 0 {
		t.order = append(t.order, name)
	}
	t.counts[name] += n
	t.total += n
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

// listing counts a listing's paths by folder.
func (d *digester) listing() string {
	if !d.sample(func(l string) bool { return pathOf(l) != "" }) {
		return ""
	}
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
	if len(t.order) == 1 {
		return list(head, names, d.size)
	}
	return list(head, t.folders().most(), d.size)
}

// maxFolders is how many folders a listing is summed up in.
const maxFolders = 6

// folders joins folders below common ones until few are left.
func (t *tally) folders() *tally {
	deepest := 0
	for _, dir := range t.order {
		deepest = max(deepest, strings.Count(dir, "/"))
	}
	for depth := deepest; depth > 1 && len(t.order) > maxFolders; depth-- {
		up := new(tally)
		for _, dir := range t.order {
			up.addN(firstFolders(dir, depth-1), t.counts[dir])
		}
		if len(up.order) == 1 {
			break
		}
		t = up
	}
	return t
}

// firstFolders returns the part of a path up to its nth slash.
func firstFolders(dir string, n int) string {
	for i := range len(dir) {
		if dir[i] == '/' {
			if n--; n == 0 {
				return dir[:i+1]
			}
		}
	}
	return dir
}

// pathOf returns the path that a line of ls, find, du, tree or git status
// consists of, or ends in after columns of numbers and flags.
func pathOf(l string) string {
	f := strings.Fields(l)
	switch {
	case len(f) == 1 && strings.ContainsAny(l, "./_-"), len(f) == 2 && pathColumn(f[0]) && strings.ContainsAny(f[1], "./"):
		l = f[len(f)-1]
	case len(f) > 8 && len(f[0]) >= 10 && strings.Trim(f[0][:10], "-bcdlprwxsStT") == "":
		for range 8 { // mode, links, owner, group, size, month, day, time
			_, l = nextWord(l)
		}
		l, _, _ = strings.Cut(trimIndent(l), " -> ")
		return l
	default:
		t := strings.TrimLeft(l, "│ \u00a0")
		if name, ok := strings.CutPrefix(t, "├── "); ok {
			return name
		}
		name, _ := strings.CutPrefix(t, "└── ")
		if name == t {
			return ""
		}
		return name
	}
	if strings.ContainsAny(l, "\"'<>|=;(){}*,") || strings.HasSuffix(l, ":") || !strings.ContainsFunc(l, unicode.IsLetter) {
		return ""
	}
	return l
}

// pathColumn reports whether a word is what du or git status print before a path.
func pathColumn(w string) bool {
	return strings.Trim(w, "0123456789.KMGTB") == "" || len(w) <= 2 && strings.Trim(w, "MADRCUT?!") == ""
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
