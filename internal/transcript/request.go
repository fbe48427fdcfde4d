package transcript

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// notAsked begin texts with role user that nobody typed as a request: echoes of
// slash and "!" commands and their output, reports, summaries, notices.
var notAsked = []string{
	"<command-name>", "<command-message>", "<command-args>", "<command-contents>",
	"<local-command-", "<bash-", "<task-notification", "<user-memory-input>",
	"[Request interrupted", "[Image: source:", "Stop hook feedback:", "Caveat:",
	"This session is being continued from a previous conversation",
}

const (
	forkOpen  = "<fork-boilerplate>"
	forkClose = "</fork-boilerplate>"
)

// clean takes away what is not the person's own from a text with role user and
// reports whether a request is left.
func clean(s string) (string, bool) {
	s = strings.TrimSpace(withoutInserted(s))
	if strings.HasPrefix(s, forkOpen) {
		// The fork's directive, where it has one, follows its boilerplate.
		i := strings.LastIndex(s, forkClose)
		if i < 0 {
			return "", false
		}
		s = strings.TrimSpace(s[i+len(forkClose):])
	}
	for _, p := range notAsked {
		if strings.HasPrefix(s, p) {
			return "", false
		}
	}
	return valid(s), s != ""
}

// inserted are the blocks that a client puts into or before what a person
// wrote: its own reminders, what an editor shows, what a hook printed.
var inserted = []string{
	"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "user-prompt-submit-hook",
}

// withoutInserted removes those blocks. One that is cut off ends the text.
func withoutInserted(s string) string {
	for _, name := range inserted {
		open, end := "<"+name+">", "</"+name+">"
		if !strings.Contains(s, open) {
			continue
		}
		var b strings.Builder
		for {
			before, rest, found := strings.Cut(s, open)
			b.WriteString(before)
			if !found {
				break
			}
			_, s, _ = strings.Cut(rest, end)
		}
		s = b.String()
	}
	return s
}

// maxBare is the most words and bytes that bare words can have.
const (
	maxBare      = 6
	maxBareBytes = 80
)

// bareWords are words that answer or urge on but name no subject.
var bareWords = words(`
	yes y yeah yep yup ya aye ok okay k kk sure fine right correct exactly good great perfect cool nice
	alright lgtm agreed confirmed approved absolutely definitely
	no n nope nah not thanks thank thx you cheers
	continue continues proceed go on ahead keep going carry resume next again retry try start begin more
	do it that this them all both either so just then now please pls and the a
	first second third fourth last one option number choice
	approve accept confirm sounds looks works for me is
	ja nein weiter mach bitte gut genau oui non continuez vas-y sí si sigue continúa adelante sim não
	да нет давай продолжай дальше はい 続けて 続けてください お願いします いいえ 继续 好 好的 是 是的 可以 不 네 계속`)

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}

// choiceRE is a pick from a list: 2, 2), #2, b.
var choiceRE = regexp.MustCompile(`^#?(?:\d{1,2}|[a-e])$`)

// bare reports whether the text says only "go on", whatever its words: it has
// no meaning without the request before it.
func bare(s string) bool {
	if len(s) > maxBareBytes {
		return false
	}
	fields := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return unicode.IsSpace(r) || r != '#' && r != '-' && r != '\'' && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	})
	if len(fields) > maxBare {
		return false
	}
	for _, w := range fields {
		w = strings.Trim(w, "-'")
		if w != "" && !bareWords[w] && !choiceRE.MatchString(w) && utf8.ValidString(w) {
			return false
		}
	}
	return true // also what is no word at all: "?", "👍"
}
