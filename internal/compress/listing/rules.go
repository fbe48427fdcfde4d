package listing

import (
	"path"
	"sort"
	"strconv"
	"strings"

	"winnow/internal/compress"
)

// folders are written by tools: nobody lists them to read what is in them.
var folders = map[string]bool{}

func init() {
	for _, f := range strings.Fields(`node_modules .git vendor dist build target __pycache__ .venv venv site-packages .next .nuxt .cache .turbo
		coverage .gradle .idea .vscode .pytest_cache .mypy_cache .ruff_cache .tox .eggs obj bower_components .terraform .svn .hg
		.dart_tool Pods DerivedData .parcel-cache .yarn .pnpm-store out`) {
		folders[f] = true
	}
}

// keptInside is how many entries below such a folder stay, to show what it is.
const keptInside = 1

// vendored marks what lies below a folder that a tool wrote, unless the call asked for it by name.
func vendored(entries []entry, in compress.Input, mark func(i int)) {
	asked := map[string]bool{}
	for f := range folders {
		if strings.Contains(in.Command, f) {
			asked[f] = true
		}
	}
	n, last := 0, ""
	for i, e := range entries {
		root := ""
		for at := 0; e.path != ""; {
			j := strings.IndexByte(e.path[at:], '/')
			if j < 0 {
				break
			}
			if part := e.path[at : at+j]; folders[part] && !asked[part] {
				root = e.path[:at+j]
				break
			}
			at += j + 1
		}
		if root == "" {
			continue
		}
		if root != last {
			n, last = 0, root
		}
		if n++; n > keptInside {
			mark(i)
		}
	}
}

// A series is files in one folder whose names differ in digits only. Of a long one the
// first and the last few stay.
const (
	longSeries = 8
	seriesEnds = 2
)

func series(entries []entry, mark func(i int)) {
	var run []int
	form := ""
	flush := func() {
		if len(run) >= longSeries {
			for _, i := range run[seriesEnds : len(run)-seriesEnds] {
				mark(i)
			}
		}
		run = run[:0]
	}
	for i, e := range entries {
		if e.path == "" {
			continue
		}
		f := level(e.path)
		if f != form {
			flush()
			form = f
		}
		run = append(run, i)
	}
	flush()
}

// level puts one 0 for each run of digits, and for each word of a hash's form.
func level(p string) string {
	dir, base := path.Split(p)
	var b strings.Builder
	b.WriteString(dir)
	for i := 0; i < len(base); {
		j := i
		hex, digits := true, false
		for j < len(base) && wordByte(base[j]) {
			hex = hex && hexByte(base[j])
			digits = digits || base[j] <= '9'
			j++
		}
		switch {
		case j == i:
			b.WriteByte(base[i])
			i++
			continue
		case hex && digits:
			b.WriteByte('0')
		default:
			number := false
			for _, c := range []byte(base[i:j]) {
				if c >= '0' && c <= '9' {
					if !number {
						b.WriteByte('0')
					}
					number = true
					continue
				}
				number = false
				b.WriteByte(c)
			}
		}
		i = j
	}
	return b.String()
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func hexByte(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// digest counts entries by extension, the most frequent first.
func digest(entries []entry) string {
	n := 0
	exts := map[string]int{}
	for _, e := range entries {
		if e.path == "" {
			continue
		}
		n++
		ext := path.Ext(strings.TrimSuffix(e.path, "/"))
		if ext == "" {
			ext = "other"
		}
		exts[ext]++
	}
	var names []string
	for ext := range exts {
		names = append(names, ext)
	}
	sort.Slice(names, func(i, j int) bool {
		if exts[names[i]] != exts[names[j]] {
			return exts[names[i]] > exts[names[j]]
		}
		return names[i] < names[j]
	})
	s := strconv.Itoa(n) + " entries below " + shared(entries) + ":"
	for i, ext := range names {
		if i == 4 {
			s += " …"
			break
		}
		s += " " + strconv.Itoa(exts[ext]) + " " + ext
	}
	return s
}

// shared is the longest folder that all entries lie below.
func shared(entries []entry) string {
	common := ""
	for _, e := range entries {
		if e.path == "" {
			continue
		}
		dir := path.Dir(e.path)
		if common == "" {
			common = dir
		}
		for common != "." && common != "/" && dir != common && !strings.HasPrefix(dir, common+"/") {
			common = path.Dir(common)
		}
	}
	return common
}
