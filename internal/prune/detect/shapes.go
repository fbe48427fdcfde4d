package detect

import (
	"path"
	"strings"
)

// diffs want a file header or a hunk, and most lines to belong to one.
func diffs(l *look, h Hint) Guess {
	heads, hunks, body, inside := 0, 0, 0, false
	for i, r := range l.raw {
		switch {
		case strings.HasPrefix(r, "diff --git "), strings.HasPrefix(r, "Index: "), strings.HasPrefix(r, "--- ") && i+1 < len(l.raw) && strings.HasPrefix(l.raw[i+1], "+++ "):
			heads, inside = heads+1, true
			body++
		case strings.HasPrefix(r, "@@ -"), strings.HasPrefix(r, "@@@ -"):
			hunks, inside = hunks+1, true
			body++
		case inside && strings.IndexByte("+- \\", r[0]) >= 0, inside && diffHeader(r):
			body++
		}
	}
	if heads == 0 && hunks == 0 || hunks == 0 && !runs(h.Command, "git", "diff") {
		return Guess{}
	}
	share := float64(body) / float64(len(l.raw))
	if l.cut && (diffHeader(l.raw[0]) || strings.HasPrefix(l.raw[0], "diff --git ") || share > 0.35) { // windows begin inside hunks
		share = max(share, 0.7)
	}
	if share < 0.5 {
		return Guess{}
	}
	return Guess{Kind: Diff, Confidence: min(0.6+share*0.39, 0.99)}
}

func diffHeader(r string) bool {
	for _, s := range []string{"index ", "new file", "deleted file", "similarity ", "rename ", "old mode", "new mode", "Binary files", "commit ", "Author:", "Date:"} {
		if strings.HasPrefix(r, s) {
			return true
		}
	}
	return false
}

func searchHits(l *look, h Hint) Guess {
	asked := h.Tool == "Grep" || h.Tool == "grep" || h.Tool == "rg" || runs(h.Command, "grep", "rg", "ag", "ack", "egrep", "fgrep") || strings.Contains(h.Command, "git grep")
	if asked {
		if share := max(l.of(sNumbered), l.of(sNamed|sHit)); share >= 0.6 && l.of(sLogged) < 0.3 {
			return Guess{Kind: Search, Confidence: min(0.5+share*0.4, 0.9)}
		}
	}
	hits := l.of(sHit)
	if hits == 0 {
		return Guess{}
	}
	if l.of(sReported) > hits/3 || l.of(sLogged) > 0.3 {
		return Guess{}
	}
	switch {
	case hits >= 0.6, asked && hits >= 0.3:
		return Guess{Kind: Search, Confidence: min(0.55+hits*0.4, 0.98)}
	}
	return Guess{}
}

// traces want frames on half of the lines and a sign that they are a stack's.
func traces(l *look, _ Hint) Guess {
	sure, frames := l.of(sStack), l.of(sFrame)
	if sure < 0.2 || frames < 0.4 && sure < 0.35 {
		return Guess{}
	}
	return Guess{Kind: Trace, Confidence: min(0.5+max(frames, sure)/2, 0.95)}
}

func markup(l *look, h Hint) Guess {
	first := strings.ToLower(l.lines[0])
	tags := l.of(sTag)
	lang := "html"
	if strings.HasPrefix(first, "<?xml") || strings.HasPrefix(first, "<svg") {
		lang = "xml"
	}
	switch ext := strings.ToLower(path.Ext(h.File)); {
	case strings.HasPrefix(first, "<!doctype"), strings.HasPrefix(first, "<html"), strings.HasPrefix(first, "<?xml"), strings.HasPrefix(first, "<svg"):
		return Guess{HTML, lang, 0.97, false}
	case (ext == ".html" || ext == ".htm" || ext == ".xml" || ext == ".svg" || ext == ".xhtml") && tags > 0.2:
		return Guess{HTML, lang, 0.95, false}
	case tags >= 0.5 && len(l.lines) >= 3 && h.File == "":
		return Guess{HTML, lang, 0.45 + tags/2.5, false}
	}
	return Guess{}
}

// listings are paths line by line: find, ls, tree, git's lists of names.
func listings(l *look, h Hint) Guess {
	long, tree, paths := l.of(sLs), l.of(sTree), l.of(sPath)
	asked := h.Tool == "Glob" || h.Tool == "LS" || runs(h.Command, "find", "ls", "fd", "tree")
	best := max(long, tree, paths)
	if best < 0.7 && !(asked && long+tree+paths >= 0.5) || len(l.lines) < 3 {
		return Guess{}
	}
	return Guess{Kind: Listing, Confidence: min(0.55+best*0.4, 0.97)}
}
