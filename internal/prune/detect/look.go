package detect

import (
	"path"
	"strings"

	"winnow/internal/text"
)

// look is a sample of a text's lines: its head, windows spread over the rest,
// and its end, so that the cost does not grow with the text.
type look struct {
	// raw lines are plain (no escapes, no carriage return), lines also trimmed;
	// both without blank lines, index by index.
	raw, lines []string
	signs      []sign
	// json counts lines that are JSON values, judged by the whole line.
	json int
	// blank counts blank lines of the sample.
	blank int
	// numbered says that nl, cat -n or the like put a number before each line,
	// which is looked through.
	numbered bool
	// cut reports that the text has lines that are not in the sample.
	cut bool
}

const (
	headLines   = 96
	windowLines = 10
	windows     = 8
	// maxValue is the longest line that is parsed to see whether it is JSON.
	maxValue = 16 << 10
	// maxLine is how much of a line is looked at.
	maxLine = 400
)

func sample(s string, h Hint) *look {
	l := &look{numbered: marginOf(s, h)}
	at := l.take(s, 0, len(s), headLines)
	if at >= len(s) {
		return l
	}
	l.cut = true
	head, rest := at, len(s)-at
	for w := 1; w <= windows; w++ {
		from := head + rest/(windows+1)*w
		if from < at {
			continue
		}
		if i := strings.IndexByte(s[from:], '\n'); i >= 0 {
			from += i + 1
		} else {
			break
		}
		at = l.take(s, from, len(s), windowLines)
	}
	if tail := tailStart(s, windowLines); tail > at {
		l.take(s, tail, len(s), windowLines)
	}
	return l
}

// take adds at most n lines of s[from:to] and returns where it stopped.
func (l *look) take(s string, from, to, n int) int {
	for ; n > 0 && from < to; n-- {
		end := strings.IndexByte(s[from:to], '\n')
		next := from + end + 1
		if end < 0 {
			end, next = to-from, to
		}
		l.add(s[from : from+end])
		from = next
	}
	return from
}

// marginOf reports whether the first lines carry rising numbers before a tab, set
// to the right as nl and cat -n do it, or because they did it.
func marginOf(s string, h Hint) bool {
	asked := runs(h.Command, "nl") || strings.Contains(h.Command, "cat -n") || strings.Contains(h.Command, "| nl")
	last, seen := 0, 0
	for line := range strings.Lines(s) {
		n, ok := numberOf(line)
		if !ok && seen == 0 && strings.TrimSpace(line) == "" {
			continue
		}
		if !ok || seen > 0 && n != last+1 || seen == 0 && line[0] != ' ' && !asked {
			return false
		}
		if last, seen = n, seen+1; seen == 3 {
			return true
		}
	}
	return false
}

// numberOf reads "   12\t".
func numberOf(line string) (n int, ok bool) {
	i := len(line) - len(strings.TrimLeft(line, " "))
	end := digits(line, i)
	if end == i || end-i > 8 || end >= len(line) || line[end] != '\t' {
		return 0, false
	}
	for ; i < end; i++ {
		n = n*10 + int(line[i]-'0')
	}
	return n, true
}

func (l *look) add(line string) {
	if l.numbered {
		if _, ok := numberOf(line); ok {
			line = line[strings.IndexByte(line, '\t')+1:]
		}
	}
	if v := strings.TrimSpace(line); bracketed(v) && (len(v) > maxValue || validJSON(v)) {
		l.json++
	}
	if len(line) > maxLine {
		line = line[:maxLine]
	}
	line = strings.TrimRight(text.Plain(line), "\r")
	if i := strings.LastIndexByte(line, '\r'); i >= 0 { // progress: what stays on the screen
		line = line[i+1:]
	}
	t := strings.TrimSpace(line)
	if t == "" {
		l.blank++
		return
	}
	l.raw = append(l.raw, line)
	l.lines = append(l.lines, t)
	l.signs = append(l.signs, signsOf(t))
}

// tailStart finds where the last n lines begin.
func tailStart(s string, n int) int {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		at = max(strings.LastIndexByte(s[:at], '\n'), 0)
	}
	return at
}

// count returns how many sampled lines show one of the signs, of which part.
func (l *look) count(any sign) int {
	n := 0
	for _, s := range l.signs {
		if s&any != 0 {
			n++
		}
	}
	return n
}

func (l *look) of(any sign) float64 { return float64(l.count(any)) / float64(max(len(l.lines), 1)) }

// share returns which part of the sampled lines is of a kind.
func (l *look) share(is func(string) bool) float64 {
	if len(l.lines) == 0 {
		return 0
	}
	n := 0
	for _, t := range l.lines {
		if is(t) {
			n++
		}
	}
	return float64(n) / float64(len(l.lines))
}

// file names what was read: the hint's file, or what a plain cat, head, tail or
// sed of one file names.
func (l *look) file(h Hint) string {
	if h.File != "" || strings.TrimSpace(h.Command) == "" || strings.ContainsAny(h.Command, "|&;<>`$\n") {
		return h.File
	}
	words := strings.Fields(h.Command)
	switch words[0] {
	case "cat", "head", "tail", "sed", "nl", "bat", "less", "type":
		if last := strings.Trim(words[len(words)-1], `"'`); path.Ext(last) != "" && len(words) > 1 {
			return last
		}
	}
	return ""
}

// runs reports whether a command's first word, or one after "&&", ";" or "|",
// is among names.
func runs(command string, names ...string) bool {
	start := true
	for w := range strings.FieldsSeq(command) {
		if start && w != "sudo" && !strings.Contains(w, "=") {
			for _, n := range names {
				if path.Base(w) == n {
					return true
				}
			}
			start = false
		}
		if strings.HasSuffix(w, ";") || w == "&&" || w == "||" {
			start = true
		}
	}
	return false
}
