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
	return exceptionEnd(lines, j, prefix)
}

// maxMessage bounds the lines of an exception's message.
const maxMessage = 12

// exceptionEnd returns the line after the exception at line j and what its
// message goes on with: up to a blank line, or a new record of a log.
func exceptionEnd(lines []string, j int, prefix string) int {
	for end := j + 1; end < len(lines); end++ {
		rest, ok := strings.CutPrefix(lines[end], prefix)
		if !ok || strings.TrimSpace(rest) == "" || end-j > maxMessage || clock(rest) >= 0 {
			return end
		}
	}
	return len(lines)
}

// goTrace finds a panic or fatal error of the Go runtime, and each goroutine.
func goTrace(lines []string, _ []hint, i int) (int, int) {
	t := trimIndent(lines[i])
	switch {
	case strings.HasPrefix(t, "goroutine ") && strings.HasSuffix(strings.TrimRight(t, " "), ":"):
		j := i + 1
		for j < len(lines) && !blank(lines[j]) {
			j++
		}
		return i, j
	case strings.HasPrefix(t, "panic: "), strings.HasPrefix(t, "fatal error: "), strings.HasPrefix(t, "runtime: "):
		for j := i + 1; j < min(i+16, len(lines)); j++ {
			if strings.HasPrefix(trimIndent(lines[j]), "goroutine ") {
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
