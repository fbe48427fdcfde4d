package lexical

import "strings"

// What the beginning of a line says of it.

// firstWords are what a word at the start of a line makes of it.
var firstWords = func() map[string]kind {
	m := map[string]kind{}
	for k, words := range map[kind]string{
		kindDefine:            "func def class type struct interface enum fn impl trait function module mod macro_rules namespace record",
		kindDefine | kindTest: "describe it test",
		kindBind:              "const var let val",
		kindImport:            "import use from using require include package",
		kindLeave:             "return raise throw yield",
		kindBranch:            "if for while switch case else elif try catch match except finally when loop",
		kindAssert:            "assert expect require",
		kindModifier:          "pub public private protected static export async abstract final override internal crate declare default",
	} {
		for _, w := range strings.Fields(words) {
			m[w] |= k
		}
	}
	return m
}()

// kindModifier marks words that may stand before the one that tells.
const kindModifier kind = 1 << 63

// startKind looks at the beginning of a trimmed line.
func startKind(s string) kind {
	switch {
	case strings.HasPrefix(s, "diff --git "), strings.HasPrefix(s, "@@ "), strings.HasPrefix(s, "index "):
		return kindDiffHead
	case strings.HasPrefix(s, "//"), strings.HasPrefix(s, "/*"), strings.HasPrefix(s, "*/"), strings.HasPrefix(s, "<!--"),
		strings.HasPrefix(s, `"""`), strings.HasPrefix(s, "-- "):
		return kindComment
	case len(s) > 1 && (s[0] == '-' || s[0] == '*' || s[0] == '+') && s[1] == ' ':
		if s[0] == '*' {
			return kindComment | kindItem
		}
		return kindItem
	case s[0] == '|':
		return kindRow
	case s[0] == '#':
		return hashKind(s)
	case isDigit(s[0]), s[0] == '[':
		return digitKind(s)
	}
	return wordKind(s)
}

func hashKind(s string) kind {
	if strings.HasPrefix(s, "#include") {
		return kindImport
	}
	if strings.HasPrefix(strings.TrimLeft(s, "#"), " ") {
		return kindComment | kindHeading
	}
	return kindComment
}

// digitKind tells dates, times and numbered items at the start of a line.
func digitKind(s string) kind {
	s = strings.TrimPrefix(s, "[")
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n == 0 || n+2 >= len(s) {
		return 0
	}
	switch {
	case (n == 2 || n == 4) && (s[n] == '-' || s[n] == ':' || s[n] == '/') && isDigit(s[n+1]) && isDigit(s[n+2]):
		return kindStamp
	case n < 3 && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ':
		return kindItem
	}
	return 0
}

// wordKind goes by the first words of a trimmed line.
func wordKind(s string) kind {
	for i := 0; ; {
		start, end := nextWord(s, i)
		// More than a blank, or ") ", before the next word: a call or a value.
		if start == end || start > i+2 {
			return 0
		}
		k := firstWords[s[start:end]]
		if k&kindModifier == 0 {
			if k&kindDefine != 0 {
				k |= testKind(s[end:])
			}
			if k == 0 && i == 0 {
				return keyKind(s[end:])
			}
			return k
		}
		if i = end; i < len(s) && s[i] == '(' { // pub(crate)
			i++
		}
	}
}

// testKind looks at the name that is defined.
func testKind(rest string) kind {
	if strings.HasPrefix(rest, " Test") || strings.HasPrefix(rest, " test_") {
		return kindTest
	}
	return 0
}

// keyKind looks at what follows a line's first word.
func keyKind(rest string) kind {
	i := 0
	for i < len(rest) && i < 60 && (isWord[rest[i]] || strings.IndexByte(`-./"' `, rest[i]) >= 0) {
		if rest[i] == ' ' && i+1 < len(rest) && isWord[rest[i+1]] {
			return 0 // a second word
		}
		i++
	}
	if i >= len(rest) {
		return 0
	}
	next := byte(0)
	if i+1 < len(rest) {
		next = rest[i+1]
	}
	switch {
	case rest[i] == ':' && next == '=':
		return kindBind
	case rest[i] == ':' && (next == ' ' || next == 0):
		return kindKey
	case rest[i] == '=' && next != '=' && next != '>':
		return kindKey
	}
	return 0
}
