package prune

import "strings"

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
	t := trimIndent(lines[j])
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
	t := trimIndent(line)
	if t != "" && t[0] == '#' {
		return hashFrame(t)
	}
	if t == line || t == "" {
		return false
	}
	if t[0] == '(' { // Elixir's: "(shop 0.1.0) lib/tax.ex:7: Shop.rate/1"
		_, rest, ok := strings.Cut(t, ") ")
		return ok && pathEnd(rest) > 0 && place(head(rest))
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
