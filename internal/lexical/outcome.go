package lexical

import (
	"math"
	"strings"
)

// outcome is what a text shows of how a run ended.
type outcome struct {
	failed, passed  int
	counts          int // summaries that count a failure
	clean           bool
	traceback, exit bool
	compile, errors int
	lastErr, lines  int // line of the last error; lines seen
	wrapped         bool
	tail, content   bool
	errShare        float32
}

var compileMarks = []string{
	": error:", "error[E", "error TS", "error CS", "BUILD FAILED", "BUILD FAILURE", "npm ERR!", "SyntaxError", "cannot find module",
	"undefined: ", "Process completed with exit code", "make: ***", "##[error]", "could not compile",
}

// add takes in one line, free of escape sequences.
func (o *outcome) add(k kind, s string) {
	o.lines++
	if k&kindFailed != 0 && k&kindStatus != 0 {
		o.failed++
	}
	if k&kindPassed != 0 {
		o.passed++
	}
	if k&kindSummary != 0 {
		o.summary(k, s)
	}
	if k&kindFrame != 0 {
		o.traceback = true
	}
	if k&(kindError|kindFailed) == 0 {
		return
	}
	o.errors++
	o.lastErr = o.lines
	t := strings.TrimSpace(s)
	if failedExit(t) {
		o.exit = true
		o.wrapped = o.wrapped || o.lines == 1
	}
	if strings.HasPrefix(t, "<tool_use_error>") || strings.HasPrefix(t, "Error: ") && o.lines == 1 {
		o.wrapped = true
	}
	for _, m := range compileMarks {
		if strings.Contains(s, m) {
			o.compile++
			return
		}
	}
}

func (o *outcome) summary(k kind, s string) {
	switch {
	case k&kindFailed != 0:
		o.counts++
	case strings.Contains(s, " passed"), strings.Contains(s, " 0 fail"), strings.Contains(s, " 0 error"),
		strings.HasPrefix(s, "0 fail"), strings.HasPrefix(s, "0 error"):
		o.clean = true
	}
}

// failedExit reports whether a line states an exit code other than 0.
func failedExit(s string) bool {
	for _, head := range []string{"Exit code ", "exit status ", "exit code: ", "exited with code "} {
		i := strings.Index(s, head)
		if i < 0 {
			continue
		}
		code := s[i+len(head):]
		if code != "" && isDigit(code[0]) && code[0] != '0' {
			return true
		}
	}
	return false
}

// finish draws what needs the whole text.
func (o *outcome) finish(t *Table) {
	// A file's content and search hits speak of failures; they do not report one.
	o.content = t.tool == toolRead || t.tool == toolSearch
	o.tail = o.errors > 0 && o.lines-o.lastErr < 10
	// Verdicts, all of them good, are as clean as a count of zero.
	o.clean = o.counts == 0 && o.failed == 0 && (o.clean || o.passed > 0)
	o.errShare = share(int32(o.errors), int32(t.full))
}

func (o *outcome) features() []float32 {
	return []float32{
		sat(float32(o.failed), 1), sat(float32(o.counts), 0.5), flag(o.traceback), flag(o.exit),
		sat(float32(o.compile), 1), o.errShare, flag(o.tail),
		sat(float32(o.passed), 2), flag(o.clean), flag(o.content), flag(o.wrapped),
	}
}

// failure returns P(the text reports a failure) by the weights of featuresJSON.
func failure(features []float32) float64 {
	x := known.FailureBias
	for i, f := range features {
		x += known.Doc[i].Weight * float64(f)
	}
	return 1 / (1 + math.Exp(-x))
}
