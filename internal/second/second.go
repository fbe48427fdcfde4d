// Package second puts a text to a language model as a question, and reads the
// answer as scores for package prune: the second judge, which reads.
//
// Only line numbers come back. A reply can hide lines that were asked about and
// nothing else: it adds no text and no key, and what prune protects stays. A
// reply that is not understood in full counts for nothing.
//
// It is pure: whoever has a model asks it, here nobody is asked.
package second

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"winnow/internal/prune"
	"winnow/internal/text"
)

// Rules are the fixed part of each question.
//
//go:embed rules.txt
var Rules string

// Bounds of a question.
const (
	// MaxBytes bounds rules and prompt together.
	MaxBytes = 60_000
	// maxArgs bounds the call's arguments, in bytes.
	maxArgs = 2000
	// TimeoutMS is what an answer may take.
	TimeoutMS = 4000
	// A reply is a list of ranges: few tokens for each, and never many.
	leastTokens, mostTokens = 200, 1000
	// ReplyTokens is what a reply has, as a rule.
	ReplyTokens = 60
)

// widths are how many characters of a line are shown: the first at which all lines
// fit into [MaxBytes], else the last.
var widths = []int{400, 200, 120}

// Block is a part of a request's rules; Cache marks what is the same each time.
type Block struct {
	Text  string `json:"text"`
	Cache bool   `json:"cache,omitempty"`
}

// Request is what Claude Code's $.model.complete takes.
type Request struct {
	Model     string  `json:"model"`
	System    []Block `json:"system"`
	Prompt    string  `json:"prompt"`
	MaxTokens int     `json:"maxTokens"`
	TimeoutMS int     `json:"timeoutMs"`
}

// Bytes is the size of what is sent.
func (r Request) Bytes() int {
	n := len(r.Prompt)
	for _, b := range r.System {
		n += len(b.Text)
	}
	return n
}

// Question is a request about the first Asked lines of a text.
type Question struct {
	Request Request
	Asked   int
}

// Ask makes the question about d. Lines that do not fit are not asked about.
func Ask(model string, q prune.Query, d text.Doc) Question {
	head := heading(q, d.Len())
	room := MaxBytes - len(Rules) - len(head)
	var lines string
	asked := 0
	for _, w := range widths {
		if lines, asked = numbered(d, w, room); asked == d.Len() {
			break
		}
	}
	return Question{Asked: asked, Request: Request{
		Model: model, System: []Block{{Text: Rules, Cache: true}}, Prompt: head + lines,
		MaxTokens: min(mostTokens, leastTokens+2*asked), TimeoutMS: TimeoutMS,
	}}
}

// heading is all that stands before the lines. Its parts are JSON strings, so that
// none of them can pass for another or for a numbered line.
func heading(q prune.Query, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "task: %s\n", quoted(head(q.Task.Request, prune.MaxRequest)))
	fmt.Fprintf(&b, "agent said last: %s\n", quoted(tail(q.Task.Intent, prune.MaxIntent)))
	fmt.Fprintf(&b, "tool: %s\n", quoted(head(q.Tool.Name, 200)))
	fmt.Fprintf(&b, "arguments: %s\n", quoted(head(string(q.Tool.Input), maxArgs)))
	fmt.Fprintf(&b, "output, %d lines:\n", lines)
	return b.String()
}

func quoted(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil { // a string always can be
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// numbered writes as many lines as fit into room, each with its number.
func numbered(d text.Doc, width, room int) (string, int) {
	var b strings.Builder
	for i := range d.Len() {
		line := strconv.Itoa(i) + "|" + shown(d.Line(i), width) + "\n"
		if b.Len()+len(line) > room {
			return b.String(), i
		}
		b.WriteString(line)
	}
	return b.String(), d.Len()
}

// shown is a line as the model sees it: one line, whatever it holds, and at most
// some width characters.
func shown(line string, width int) string {
	if len(line) > 16*width { // no need to look through megabytes
		line = line[:8*width] + line[len(line)-8*width:]
	}
	s := strings.Map(printable, strings.ToValidUTF8(text.Plain(line), "\uFFFD"))
	s = strings.TrimRight(s, " ")
	n := utf8.RuneCountInString(s)
	if n <= width {
		return s
	}
	first, last := width*2/3, width/3
	return head(s, first) + " [...] " + tail(s, last)
}

// printable keeps a line one line: what might end it, or move a cursor, is a blank.
func printable(r rune) rune {
	if r == '\t' {
		return r
	}
	if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 {
		return ' '
	}
	return r
}

// head and tail cut a text to n characters.
func head(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

func tail(s string, n int) string {
	for i := len(s); i > 0; n-- {
		if n == 0 {
			return s[i:]
		}
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s
}
