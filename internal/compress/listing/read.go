package listing

import (
	"path"
	"strings"

	"winnow/internal/text"
)

// An entry is what a line lists, its path with "/" between the parts; "" for a
// line that lists nothing. A folder's own heading (ls -R) is no entry.
type entry struct {
	path string
}

// maxDepth and maxName bound what a tree's line is taken for: each path is put
// together anew.
const (
	maxDepth = 64
	maxName  = 256
)

// read finds the entries; n counts them. It gives up (n is 0) where a fifth of
// the lines is something else.
func read(d text.Doc) (entries []entry, n int) {
	entries = make([]entry, d.Len())
	folder, other := "", 0
	var stack []string // of a tree
	for i := range d.Len() {
		l := strings.TrimRight(text.Plain(d.Line(i)), " \r")
		if l == "" || strings.HasPrefix(l, "total ") {
			continue
		}
		if h, ok := heading(l); ok {
			folder = h
			continue
		}
		name, depth := branch(l)
		switch {
		case depth > maxDepth || len(name) > maxName:
			other++
			continue
		case depth > 0:
			stack = append(stack[:min(len(stack), depth-1)], name)
			name = path.Join(stack...)
		default:
			name = column(l)
			if name == "" || name == "." || name == ".." {
				if name == "" {
					other++
				}
				continue
			}
			if folder != "" {
				name = folder + "/" + name
			}
		}
		entries[i].path = name
		n++
	}
	if other*4 > n {
		return entries, 0
	}
	return entries, n
}

// heading reads "./a/b:", the folder of ls -R.
func heading(l string) (string, bool) {
	h, ok := strings.CutSuffix(l, ":")
	return h, ok && h != "" && !strings.Contains(h, " ") && (strings.Contains(h, "/") || h == ".")
}

// branch reads a line of tree: the name and how deep it stands, 0 for another line.
func branch(l string) (name string, depth int) {
	t := l
	for {
		switch {
		case strings.HasPrefix(t, "│"):
			t = t[len("│"):]
			for range 3 { // blanks, or the ones that do not break
				if strings.HasPrefix(t, "\u00a0") {
					t = t[len("\u00a0"):]
				} else {
					t = strings.TrimPrefix(t, " ")
				}
			}
			depth++
		case strings.HasPrefix(t, "    "):
			t = t[4:]
			depth++
		case strings.HasPrefix(t, "├── "), strings.HasPrefix(t, "└── "):
			return t[len("├── "):], depth + 1
		default:
			return "", 0
		}
	}
}

// column returns the path in a line: all of it, or behind the columns of ls -l, du and git status.
func column(l string) string {
	f := strings.Fields(l)
	switch {
	case len(f) > 8 && len(f[0]) >= 10 && strings.Trim(f[0][:10], "-bcdlprwxsStT") == "":
		rest := l
		for range 8 {
			rest = strings.TrimLeft(rest, " ")
			i := strings.IndexByte(rest, ' ')
			if i < 0 {
				return ""
			}
			rest = rest[i:]
		}
		name, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " -> ")
		return name
	case len(f) == 2 && (strings.Trim(f[0], "0123456789.KMGTB") == "" || len(f[0]) <= 2 && strings.Trim(f[0], "MADRCUT?!") == ""):
		return f[1]
	case len(f) == 1 && !strings.ContainsAny(l, "\"'<>|=;(){},`") && !strings.HasSuffix(l, ":"):
		return strings.TrimPrefix(l, "./")
	}
	return ""
}
