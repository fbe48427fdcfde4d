package lexical

import (
	"strings"
	"unicode/utf8"
)

// isWord reports whether a byte belongs to a word: letters, digits, "_" and
// every byte of a character outside ASCII. Paths, dots and dashes separate.
var isWord = func() (t [256]bool) {
	for c := range t {
		b := byte(c)
		t[c] = b == '_' || b >= utf8.RuneSelf || isDigit(b) || isLower(b) || isUpper(b)
	}
	return t
}()

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
func isLower(b byte) bool { return 'a' <= b && b <= 'z' }
func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

// nextWord returns the bounds of the first word of s at or after i.
func nextWord(s string, i int) (start, end int) {
	for i < len(s) && !isWord[s[i]] {
		i++
	}
	start = i
	for i < len(s) && isWord[s[i]] {
		i++
	}
	return start, i
}

// longest is the length from which a word is taken for data (base64, hashes
// in a row) and left whole.
const longest = 64

// terms calls yield with each term of a word: the word in lower case and, when
// it is made of several, its parts by "_", by case and by digits, each without
// its plural s.
func terms(word string, yield func(string)) {
	yield(fold(word))
	if len(word) > longest {
		return
	}
	start, parts := 0, 0
	for i := 1; i <= len(word); i++ {
		if i < len(word) && !boundary(word, i) {
			continue
		}
		if p := strings.Trim(word[start:i], "_"); p != "" && len(p) < len(word) {
			yield(fold(p))
			parts++
		}
		start = i
	}
}

// boundary reports whether a part of word begins at i: after "_", where a
// letter follows a digit or the reverse, at a hump, and before the last capital
// of an acronym (HTTPServer: HTTP, Server).
func boundary(word string, i int) bool {
	a, b := word[i-1], word[i]
	switch {
	case a == '_' || b == '_':
		return true
	case isDigit(a) != isDigit(b):
		return true
	case isUpper(b):
		return isLower(a) || (isUpper(a) && i+1 < len(word) && isLower(word[i+1]))
	}
	return false
}

// fold brings the spellings of one term together.
func fold(s string) string {
	s = strings.ToLower(s)
	if len(s) > 3 && s[len(s)-1] == 's' && s[len(s)-2] != 's' {
		return s[:len(s)-1]
	}
	return s
}

// stop holds folded words that say nothing about a task.
var stop = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(stopWords) {
		m[fold(w)] = true
	}
	return m
}()

const stopWords = `a about after again all also am an and any are as at back be because been before being both
but by can could did do does doing done down each either else even every few for from further get gets go got
had has have having he her here him his how i if in into is it its itself just know let like ll look make may me
might more most much must my need no nor not now of off ok on once one only or other our out over own per please
re s same see she should so some still such sure t than thanks that the their them then there these they thing
this those through to too under until up us use used using ve very via want was we were what when where which
while who why will with would yes yet you your d m
bash cat cd echo grep head sed tail ls find rg xargs dev null home users usr tmp var
first next okay great good check checking start begin now let's i'll try trying`
