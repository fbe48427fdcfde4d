package prune

import (
	"path"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"winnow/internal/prune/detect"
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

// hits counts a search's hits by file; of lines around hits it says what
// stands in them.
func (d *digester) hits() string {
	if d.kind == readTool || !d.sample(func(l string) bool { return hitFile(l) != "" }) {
		return ""
	}
	var t, context tally
	for _, l := range d.lines {
		f := hitFile(l)
		switch {
		case f == "":
			continue
		case l[len(f)] == ':':
			t.add(f)
		case d.kind == grepTool:
			context.add(f)
		}
	}
	switch {
	case d.few(t.total + context.total):
		return ""
	case t.total == 0:
		return d.around(context.order)
	case len(t.order) == 1:
		return count(t.total, "hit", "hits") + " in " + baseName(t.order[0])
	}
	var short tally
	for _, f := range t.order {
		short.addN(baseName(f), t.counts[f])
	}
	head := count(t.total, "hit", "hits") + " in " + count(len(t.order), "file", "files") + ": "
	return list(head, short.most(), d.size)
}

// around describes lines around hits: their file, and what they define or say.
func (d *digester) around(files []string) string {
	in := *d
	in.lines = make([]string, 0, len(d.lines))
	for _, l := range d.lines {
		if _, rest, ok := detect.Hit(l); ok && strings.TrimSpace(rest) != "" {
			in.lines = append(in.lines, rest)
		}
	}
	head := count(len(d.lines), "line", "lines") + " of " + baseName(files[0])
	if len(files) > 1 {
		head = count(len(d.lines), "line", "lines") + " of " + count(len(files), "file", "files")
	}
	in.size = max(d.size-len(head)-2, 16)
	if f := detect.Extension(files[0]); f != detect.None && len(in.lines) > 0 {
		return head + ", " + in.symbols(f)
	}
	return head
}

// baseName is path.Base for the paths of either kind of system.
func baseName(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }

// tests counts passed tests and names the first ones.
func (d *digester) tests() string {
	if !d.sample(func(l string) bool { return dots(l) > 0 || testLine(l) }) {
		return ""
	}
	var names []string
	passed, n, dotted := 0, 0, 0
	for _, l := range d.lines {
		if k := dots(l); k > 0 {
			dotted += k
			n++
			continue
		}
		name, ok := passedTest(l)
		if ok {
			passed++
			names = append(names, name)
		}
		if ok || testLine(l) {
			n++
		}
	}
	switch {
	case d.few(n):
		return ""
	case passed > 0:
		return list(count(passed, "passed test: ", "passed tests: "), names, d.size)
	case dotted > 0:
		return count(dotted, "test (a dot)", "tests (dots)")
	}
	return count(n, "line of a test run", "lines of a test run")
}

// dots counts the dots of a progress line, ".....s... [ 12%]"; 0 for another line.
func dots(l string) int {
	n := strings.Count(l, ".")
	if n < 2 || strings.Trim(l, ".sSxX[]% 0123456789") != "" {
		return 0
	}
	return n
}

// testLine reports whether a line belongs to the report of a test that has not
// failed: one that passed, or began.
func testLine(l string) bool {
	t := strings.TrimLeft(l, " \t")
	for _, s := range []string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME ", "[ RUN "} {
		if strings.HasPrefix(t, s) {
			return true
		}
	}
	_, ok := passedTest(l)
	return ok
}

// passedTest returns the name on a line that reports a passed test.
func passedTest(l string) (name string, ok bool) {
	t := strings.TrimLeft(l, " \t")
	for _, s := range []string{"✓", "✔", "√", "--- PASS: ", "PASS ", "PASSED ", "ok ", "ok\t", "[       OK ]", "[ OK ]", "[PASS]"} {
		if name, ok = strings.CutPrefix(t, s); ok {
			return testName(name), true
		}
	}
	for _, s := range []string{" ... ok", " PASSED"} {
		i := strings.LastIndex(t, s)
		if i <= 0 {
			continue
		}
		if rest := strings.TrimLeft(t[i+len(s):], " "); rest == "" || rest[0] == '[' || rest[0] == '(' {
			return testName(strings.TrimPrefix(t[:i], "test ")), true
		}
	}
	return "", false
}

// testName takes numbers before and times after off a test's name.
func testName(s string) string {
	s = strings.TrimLeft(s, " \t-0123456789")
	if i := strings.LastIndex(s, " ("); i > 0 {
		s = s[:i]
	}
	if i := strings.IndexByte(s, '\t'); i > 0 {
		s = s[:i]
	}
	if s = strings.TrimSpace(s); !strings.Contains(s, " ") {
		s = path.Base(s)
	}
	return s
}

// hitFile returns the file of a search's hit, "" for another line.
func hitFile(l string) string {
	f, _, ok := detect.Hit(l[:min(len(l), maxHit)])
	if !ok || !strings.ContainsAny(f, "./") || strings.Contains(f, " ") {
		return ""
	}
	return f
}

// maxHit is how far into a line its place is looked for.
const maxHit = 300

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

// log counts the records of a log by level and says from when to when.
func (d *digester) log() string {
	if !d.sample(func(l string) bool { return level(l) != "" || clock(l) >= 0 }) {
		return ""
	}
	var t tally
	first, last, times := "", "", 0
	for _, l := range d.lines {
		if at := level(l); at != "" {
			t.add(at)
		}
		if i := clock(l); i >= 0 {
			last = l[i : i+clockLen]
			if times++; times == 1 {
				first = last
			}
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
		return quote(count(len(d.lines), "record", "records")+", "+span+", ", d.tail(), d.size)
	}
	return ""
}

// maxPrefix is how far into a line a level or a time may stand.
const maxPrefix = 100

// clockLen is the length of "12:34:56".
const clockLen = 8

// clock returns where a time of day stands in a line, -1 for nowhere.
func clock(l string) int {
	end := min(len(l), maxPrefix)
	for i := 2; i+6 <= end; i++ {
		if l[i] == ':' && l[i+3] == ':' && number2(l[i-2:]) && number2(l[i+1:]) && number2(l[i+4:]) {
			return i - 2
		}
	}
	return -1
}

func number2(s string) bool { return s[0] >= '0' && s[0] <= '9' && s[1] >= '0' && s[1] <= '9' }

var levels = map[string]string{
	"trace": "TRACE", "debug": "DEBUG", "info": "INFO", "notice": "NOTICE", "warn": "WARN", "warning": "WARN",
	"err": "ERROR", "error": "ERROR", "fatal": "FATAL", "critical": "CRITICAL",
}

// level returns the level that a log's line names: in capitals, in brackets,
// or after "level=".
func level(l string) string {
	end := min(len(l), maxPrefix)
	for i := 0; i < end; {
		if letters[l[i]] == 0 {
			i++
			continue
		}
		start := i
		for i < end && wordByte[l[i]] {
			i++
		}
		if i-start > 8 || i-start < 3 {
			continue
		}
		name := levels[lower(l[start:i])]
		if name == "" {
			continue
		}
		if l[start] <= 'Z' && l[start+1] <= 'Z' || start > 0 && (l[start-1] == '[' || l[start-1] == '=') {
			return name
		}
	}
	return ""
}

// tail returns the first line's words after its time.
func (d *digester) tail() string {
	l := d.lines[0]
	if i := clock(l); i >= 0 {
		l = strings.TrimLeft(l[i+clockLen:], ".,0123456789Z+:] \t")
	}
	return l
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
		l, _, _ = strings.Cut(strings.TrimLeft(l, " \t"), " -> ")
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
