package prune

import "strings"

// isNotice tells a notice that somebody has cut something from a sentence that
// speaks of cutting: it has a number or a bracket, or begins or ends the line.
// In source code it is taken more strictly.
func isNotice(line string, source bool) bool {
	line = strings.TrimSpace(line)
	if len(line) > maxNotice {
		return noticeWithin(line)
	}
	for i := range len(line) {
		switch c := line[i]; {
		case c >= '0' && c <= '9', c == '[', c == '(', c == '<', c == '.' && strings.HasPrefix(line[i:], "..."):
			return true
		}
	}
	if strings.Contains(line, ellipsis) {
		return true
	}
	for _, head := range []string{"Output", "Results", "Showing", "--More--"} {
		if strings.HasPrefix(line, head) {
			return true
		}
	}
	if source {
		return false
	}
	end := strings.ToLower(strings.TrimRight(line, ".!"))
	return strings.HasSuffix(end, "truncated") || strings.HasSuffix(end, "omitted") || strings.HasSuffix(end, "elided") || end == "snip"
}

const (
	maxNotice = 400
	ellipsis  = "…"
)

// noticeWithin finds a notice inside a long line: an opening sign, and with it
// a number and a word of ours, both near.
func noticeWithin(line string) bool {
	const before, after = 60, 40
	for at := 0; at < len(line); {
		i := nextNotice(line, at)
		if i < 0 {
			return false
		}
		from := max(0, i-before)
		back := line[from:i]
		if k := max(strings.LastIndexAny(back, "[(<"), strings.LastIndex(back, "..."), strings.LastIndex(back, ellipsis)); k >= 0 {
			part := line[from+k : min(len(line), i+after)]
			if strings.ContainsAny(part, "0123456789") && !strings.ContainsAny(line[from+k:i], `"{}=;`) {
				return true
			}
		}
		at = i + after
	}
	return false
}

// nextNotice returns where from at on a word of [hintNotice] stands, -1 for nowhere.
func nextNotice(s string, at int) int {
	for i := at; i+1 < len(s); i++ {
		g := pairs[int(letters[s[i]])*27+int(letters[s[i+1]])]
		if g == 0 {
			continue
		}
		for k := range groups[g] {
			if w := &groups[g][k]; w.hint == hintNotice && has(s, i, w) {
				return i
			}
		}
	}
	return -1
}

// rest reports whether a line counts what is not shown without a word that says
// so: "… +42 lines", "... 13 rows", "... and 500 more", "and 12 others", "Page 1 of 7".
func rest(line string) bool {
	t := trimIndent(line)
	if t == "" || len(t) > 200 || !restBegins[t[0]] {
		return false
	}
	dots, open := false, false
	for done := false; !done; {
		switch {
		case strings.HasPrefix(t, "..."):
			t, dots = t[3:], true
		case strings.HasPrefix(t, ellipsis):
			t, dots = t[len(ellipsis):], true
		case t != "" && (t[0] == '[' || t[0] == '(' || t[0] == '<' || t[0] == '+'):
			t, open = t[1:], true
		case t != "" && t[0] == ' ':
			t = t[1:]
		case strings.HasPrefix(t, "and ") || strings.HasPrefix(t, "And "):
			t, open = t[4:], true
		default:
			done = true
		}
	}
	if len(t) > 5 && strings.EqualFold(t[:5], "page ") {
		page := t[5:]
		n := skipDigits(page, 0)
		return n > 0 && strings.HasPrefix(page[n:], " of ") && len(page) > n+4 && digitByte(page[n+4])
	}
	n := skipDigits(t, 0)
	if n == 0 || n == len(t) || t[n] != ' ' || !dots && !open {
		return false
	}
	word := t[n+1:]
	if i := strings.IndexAny(word, " ,.:;)]>("); i >= 0 {
		word = word[:i]
	}
	var buf [maxWord]byte
	unit := string(lowerInto(&buf, word))
	return unit == "more" || unit == "others" || unit == "other" || dots && restUnits[unit]
}

// restBegins are the bytes with which such a line begins: "...", "…", brackets,
// "+", "and", "page".
var restBegins = byteSet(".\xe2[(<+aApP")

func byteSet(s string) (set [256]bool) {
	for i := range len(s) {
		set[s[i]] = true
	}
	return set
}

var restUnits = wordSet(`lines line rows row items entries characters chars tokens bytes pages results files matches records messages`)
