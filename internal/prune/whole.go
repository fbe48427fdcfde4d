package prune

import (
	"path"
	"regexp"
	"strings"
)

// Work on a whole needs the whole: a review of what is left after pruning
// would be a review of another file.
var (
	wholeVerb = regexp.MustCompile(`(?i)\b(?:(?:(?:code[ -])?review|audit|port|convert|refactor|re-?format|proof-?read|copy-?edit)(?:s|ed|ing)?|clean up|tidy up|(?:re-?writ|translat|transpil|migrat|restructur|moderni[sz]|summari[sz]|paraphras|transcrib)(?:e|es|ed|ing|ten))\b`)
	readVerb  = regexp.MustCompile(`(?i)\b(?:read|go through|look (?:through|over|at)|analy[sz]e|check|explain|document|describe|study|inspect|print|show|copy)\b`)
	wholeWord = regexp.MustCompile(`(?i)^[^.!?\n]{0,80}?\b(?:whole|entire|entirety|full(?:y)?|complete(?:ly)?|in full|all of|every line|line[- ]by[- ]line|end[- ]to[- ]end|top to bottom|from scratch)\b`)
	wordRE    = regexp.MustCompile(`[\p{L}\p{N}_./'-]+`)
)

// nouns that mean a file when work on it is asked for.
var wholeNouns = map[string]bool{
	"file": true, "files": true, "module": true, "modules": true, "script": true, "scripts": true, "class": true,
	"codebase": true, "code": true, "document": true, "doc": true, "docs": true, "package": true, "component": true,
	"components": true, "source": true, "program": true, "library": true, "notebook": true, "readme": true,
	"implementation": true, "page": true, "pages": true, "it": true, "article": true, "post": true, "plan": true, "spec": true,
}

// A preposition ends the object of the verb: "review the failing test in file
// x" is about a test.
var prepositions = map[string]bool{
	"in": true, "of": true, "for": true, "from": true, "to": true, "with": true, "at": true, "on": true, "by": true,
	"and": true, "or": true, "that": true, "which": true, "where": true, "so": true, "as": true, "if": true, "but": true,
	"function": true, "method": true, "test": true, "tests": true, "line": true, "lines": true, "section": true, "changes": true,
	"change": true, "diff": true, "pr": true, "comment": true, "comments": true, "error": true, "bug": true, "part": true,
}

// asksForWhole reports whether the request asks for work on the whole of what
// is read. It is asked for files only.
func asksForWhole(request, file string) bool {
	for _, at := range wholeVerb.FindAllStringIndex(request, 32) {
		rest := request[at[1]:]
		if wholeWord.MatchString(rest) || wholeObject(rest, file) {
			return true
		}
	}
	for _, at := range readVerb.FindAllStringIndex(request, 32) {
		if rest := request[at[1]:]; wholeWord.MatchString(rest) && wholeObject(rest, file) {
			return true
		}
	}
	return false
}

// maxObject is how many words after a verb may be its object.
const maxObject = 6

// wholeObject reports whether the words after a verb name a file, or this one.
func wholeObject(rest, file string) bool {
	if i := strings.IndexAny(rest, "!?\n;"); i >= 0 {
		rest = rest[:i]
	}
	for n, w := range wordRE.FindAllString(rest, maxObject) {
		w = strings.TrimRight(w, ".'-")
		lower := strings.ToLower(w)
		if file != "" && strings.Contains(w, ".") && samePath(w, file) {
			return true
		}
		if wholeNouns[lower] && (lower != "it" || n == 0) {
			return true
		}
		if prepositions[lower] && !(n == 0 && lower == "of") { // "a review of x"
			return false
		}
		if file != "" && n > 0 && strings.EqualFold(w, stem(file)) {
			return true
		}
	}
	return false
}

func stem(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}
