package prune

import "strings"

// pythonTrace finds "Traceback (most recent call last):" with its frames, the
// exception, and every further traceback chained to it. A prefix (a log's, a
// test runner's "E  ", the rails of an exception group) may stand before it.
func pythonTrace(lines []string, h []hint, i int) (int, int) {
	if h[i]&hintTrace == 0 {
		return i, i
	}
	at := strings.Index(lines[i], "Traceback (most recent call last)")
	if at < 0 {
		return i, i
	}
	if strings.HasPrefix(strings.TrimLeft(lines[i], " "), "+ Exception Group") {
		j := i + 1
		for j < len(lines) && rails(lines[j]) {
			j++
		}
		return i, j
	}
	prefix := lines[i][:at]
	if strings.Trim(prefix, " |E\t>") != "" { // a log's prefix is not repeated
		prefix = ""
	}
	j := pythonFrames(lines, i+1, prefix)
	for k := j; k < min(j+3, len(lines)); k++ { // the bridge of a chain, after a blank line
		if t := lines[k]; strings.Contains(t, "During handling of the above") || strings.Contains(t, "was the direct cause of") {
			return i, k + 1
		}
	}
	return i, j
}

func rails(line string) bool {
	t := strings.TrimLeft(line, " ")
	return t != "" && (t[0] == '|' || t[0] == '+')
}

// pythonFrames returns the line after the exception that ends the frames.
func pythonFrames(lines []string, j int, prefix string) int {
	for ; j < len(lines); j++ {
		rest, ok := strings.CutPrefix(lines[j], prefix)
		if !ok || rest == "" {
			return j
		}
		if rest[0] != ' ' && rest[0] != '\t' {
			break
		}
	}
	// The exception, and what its message goes on with: indented, or up to a blank line.
	for end := j + 1; end < len(lines); end++ {
		rest, ok := strings.CutPrefix(lines[end], prefix)
		if !ok || strings.TrimSpace(rest) == "" || end-j > 12 {
			return end
		}
		if rest[0] != ' ' && rest[0] != '\t' {
			return end
		}
	}
	return len(lines)
}

// goTrace finds a panic or fatal error of the Go runtime, and each goroutine.
func goTrace(lines []string, _ []hint, i int) (int, int) {
	t := strings.TrimLeft(lines[i], " \t")
	switch {
	case strings.HasPrefix(t, "goroutine ") && strings.HasSuffix(strings.TrimRight(t, " "), ":"):
		j := i + 1
		for j < len(lines) && !blank(lines[j]) {
			j++
		}
		return i, j
	case strings.HasPrefix(t, "panic: "), strings.HasPrefix(t, "fatal error: "), strings.HasPrefix(t, "runtime: "):
		for j := i + 1; j < min(i+16, len(lines)); j++ {
			if strings.HasPrefix(strings.TrimLeft(lines[j], " \t"), "goroutine ") {
				return i, j // the goroutine is a block of its own
			}
		}
	}
	return i, i
}

// rustTrace finds a panic's message and a backtrace.
func rustTrace(lines []string, _ []hint, i int) (int, int) {
	t := strings.TrimLeft(lines[i], " ")
	switch {
	case strings.HasPrefix(t, "thread '") && strings.Contains(t, "panicked at"):
		j := i + 1
		for j < min(i+40, len(lines)) && !blank(lines[j]) && !strings.HasPrefix(lines[j], "stack backtrace:") {
			j++
		}
		return i, j
	case strings.HasPrefix(t, "stack backtrace:"):
		j := i + 1
		for j < len(lines) && (rustFrame(lines[j]) || strings.HasPrefix(lines[j], "note: ")) {
			j++
		}
		return i, j
	}
	return i, i
}

func rustFrame(line string) bool {
	t := strings.TrimLeft(line, " ")
	if t == line || t == "" {
		return false
	}
	n, rest, ok := strings.Cut(t, ":")
	return strings.HasPrefix(t, "at ") || ok && rest != "" && strings.Trim(n, "0123456789") == ""
}

// dataRace finds a report of Go's race detector or of a sanitizer.
func dataRace(lines []string, _ []hint, i int) (int, int) {
	if !strings.Contains(lines[i], "WARNING: DATA RACE") && !strings.Contains(lines[i], "Sanitizer: ") {
		return i, i
	}
	j := i + 1
	for j < min(i+maxBlock, len(lines)) && !strings.HasPrefix(lines[j], "=====") {
		j++
	}
	return i, min(j+1, len(lines))
}

// frames finds a run of stack frames as Java, JavaScript, .NET and their kin
// print them ("    at x(y)", "... 3 more", "Caused by:"), with the message above.
func frames(lines []string, _ []hint, i int) (int, int) {
	if !frame(lines[i]) || i > 0 && frame(lines[i-1]) {
		return i, i
	}
	from := i
	for from > 0 && i-from < 6 && !blank(lines[from-1]) {
		from--
	}
	j := i + 1
	for j < len(lines) {
		if frame(lines[j]) {
			j++
			continue
		}
		next := bridge(lines, j)
		if next == j {
			break
		}
		j = next
	}
	if strings.HasSuffix(lines[j-1], "{") { // the error's own fields
		for k := j; k < min(j+10, len(lines)); k++ {
			if strings.HasPrefix(strings.TrimLeft(lines[k], " "), "}") {
				return from, k + 1
			}
		}
	}
	return from, j
}

// bridge returns the line of the next frame when lines from j on lead there:
// a cause with its message, the end of an inner trace.
func bridge(lines []string, j int) int {
	t := strings.TrimLeft(lines[j], " \t")
	switch {
	case strings.HasPrefix(t, "--- End of"):
		return j + 1
	case strings.HasPrefix(t, "Caused by:"), strings.HasPrefix(t, "Suppressed:"), strings.HasPrefix(t, "[cause]:"), strings.HasPrefix(t, "---> "):
		for k := j + 1; k < min(j+12, len(lines)); k++ {
			if frame(lines[k]) {
				return k
			}
		}
		return j + 1
	}
	return j
}

// frame reports whether an indented line is a stack frame: "at " with a place
// that no sentence has.
func frame(line string) bool {
	t := strings.TrimLeft(line, " \t")
	if t != "" && t[0] == '#' {
		return hashFrame(t)
	}
	if t == line || t == "" {
		return false
	}
	rest, ok := strings.CutPrefix(t, "at ")
	if !ok {
		if rest, ok = strings.CutPrefix(t, "❯ "); !ok {
			return strings.HasPrefix(t, "... ") && strings.HasSuffix(strings.TrimRight(t, " "), " more")
		}
	}
	if place(rest) {
		return true
	}
	return strings.Contains(rest, "(") && strings.ContainsAny(head(rest), "./<:$")
}

// hashFrame reports whether a line is a frame as gdb, sanitizers and PHP print
// them: "#3 0x55d in f x.c:12", "#0 /app/x.php(3): f()", "#2 {main}".
func hashFrame(t string) bool {
	i := 1
	for i < len(t) && t[i] >= '0' && t[i] <= '9' {
		i++
	}
	if i == 1 || i == len(t) || t[i] != ' ' {
		return false
	}
	rest := strings.TrimLeft(t[i:], " ")
	return strings.HasPrefix(rest, "0x") || strings.HasPrefix(rest, "{main}") || strings.Contains(rest, "(") && strings.ContainsAny(rest, "/:")
}

// head returns the first word, up to a bracket.
func head(s string) string {
	if i := strings.IndexAny(s, " ("); i >= 0 {
		return s[:i]
	}
	return s
}

// place reports whether s holds ":12".
func place(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == ':' && s[i+1] >= '0' && s[i+1] <= '9' {
			return true
		}
	}
	return strings.Contains(s, ":line ")
}

// rubyTrace finds "x.rb:3:in `f': message (Error)" and the frames around it.
func rubyTrace(lines []string, _ []hint, i int) (int, int) {
	if !rubyFrame(lines[i]) || i > 0 && rubyFrame(lines[i-1]) {
		return i, i
	}
	j := i + 1
	for j < len(lines) && rubyFrame(lines[j]) {
		j++
	}
	return max(i-1, 0), j
}

func rubyFrame(line string) bool {
	i := strings.Index(line, ":in ")
	if i <= 0 || i+4 >= len(line) {
		return false
	}
	c := line[i+4]
	return line[i-1] >= '0' && line[i-1] <= '9' && (c == '`' || c == '\'' || c == '<')
}
