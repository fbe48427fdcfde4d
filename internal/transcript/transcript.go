// Package transcript rebuilds what a loop of a session is at: its task and its
// earlier calls, from rows that the mod saw or from the session's file. The
// rules for what counts as a request are the same for both.
//
// It reads Claude Code's files and never writes them. It trusts nothing in
// them: broken lines are skipped, a file that does not know the present call
// and has been still for long is another session's, and in doubt there is no
// task, which means no pruning.
package transcript

import (
	"strings"
	"unicode/utf8"

	"winnow/internal/api"
	"winnow/internal/prune"
)

// Request returns the newest real request among rows (oldest first) and
// whether there is one. A bare "yes" or "continue" is joined with the request
// it answers to; alone it is none.
func Request(rows []api.Row) (string, bool) {
	r := newest(rows)
	return r.text(0), r.done()
}

// TaskFrom makes a task of what the mod saw. Without a real request its
// Request is empty.
func TaskFrom(rows []api.Row, assistant string) prune.Task {
	r := newest(rows)
	return r.task(assistant)
}

// newest reads rows from the end until a request is complete.
func newest(rows []api.Row) request {
	var r request
	for i := len(rows) - 1; i >= 0 && !r.done(); i-- {
		if rowCounts(rows[i]) {
			r.add(rows[i].Text)
		}
	}
	return r
}

// rowCounts reports whether a row may hold a request, by where it came from.
func rowCounts(r api.Row) bool {
	switch r.Door {
	case "prompt", "messages":
		return r.Origin != "task-notification" && r.Origin != "command"
	case "delivery":
		return r.Origin == "composer" || r.Origin == "unclassified" || r.Origin == "coordinator"
	}
	return false
}

// request collects texts, newest first, until it has a task.
type request struct {
	// body is the newest substantive request, latest the bare words after it.
	body, latest string
}

// add offers the next older text, which may be no request at all.
func (r *request) add(text string) {
	text, ok := clean(text)
	switch {
	case !ok || r.body != "":
	case !bare(text):
		r.body = text
	case r.latest == "":
		r.latest = text
	}
}

// done reports whether there is a substantive request.
func (r *request) done() bool { return r.body != "" }

// begun reports whether any request was seen, bare or not.
func (r *request) begun() bool { return r.body != "" || r.latest != "" }

// text joins the parts; max bounds it in characters, 0 does not. The body is
// what is cut, at its end: the ask stands at the head, and the latest words
// change it.
func (r *request) text(max int) string {
	if r.body == "" {
		return ""
	}
	tail := ""
	if r.latest != "" {
		tail = "\n\n" + r.latest
	}
	if max > 0 {
		return head(r.body, max-utf8.RuneCountInString(tail)) + tail
	}
	return r.body + tail
}

func (r *request) task(assistant string) prune.Task {
	return prune.Task{
		Request: r.text(prune.MaxRequest),
		Intent:  tail(strings.TrimSpace(valid(withoutInserted(assistant))), prune.MaxIntent),
	}
}

// head returns the first n characters of s.
func head(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// tail returns the last n characters of s.
func tail(s string, n int) string {
	i := len(s)
	for ; i > 0 && n > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
