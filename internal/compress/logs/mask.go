package logs

import "strings"

// maskOf hashes a line with what does not matter left out: ids, hex, ports,
// times of day, counters of progress. Numbers that carry results (counts,
// durations, percentages, values) stay in, so that "0 failed" and "3 failed" are
// two forms. A number is a result unless its place says otherwise.
func maskOf(l string) (form uint64, result bool) {
	m := masker{h: fnvStart, exact: results(l)}
	for i := 0; i < len(l); {
		c := l[i]
		if !wordByte(c) {
			m.byte(c)
			i++
			continue
		}
		end := i + 1
		digits := digit(c)
		for end < len(l) && wordByte(l[end]) {
			digits = digits || digit(l[end])
			end++
		}
		if !digits {
			m.literal(l[i:end])
			m.last = l[i:end]
			i = end
			continue
		}
		i = m.number(l, i, end)
	}
	return m.h, m.exact
}

const (
	fnvStart = 14695981039346656037
	fnvPrime = 1099511628211
)

// masker hashes one line; last is the last word without digits.
type masker struct {
	h     uint64
	last  string
	exact bool // the line is a summary
}

func (m *masker) byte(c byte) { m.h = (m.h ^ uint64(c)) * fnvPrime }

func (m *masker) literal(s string) {
	for i := range len(s) {
		m.byte(s[i])
	}
}

// gone stands for what was left out: no byte that a text could hold there.
func (m *masker) gone() { m.h = (m.h ^ 0x1ff) * fnvPrime }

// number hashes the word l[i:end], which holds a digit, and returns where to go
// on: behind a longer form (a time, an address, "3/10") that begins with it.
func (m *masker) number(l string, i, end int) int {
	w := l[i:end]
	if n := clockTime(l[i:]); n > 0 && allDigits(w) {
		m.gone()
		return i + n
	}
	if shape(l[i:], "0000-00-00") {
		m.gone()
		return i + 10
	}
	if n := m.duration(l, i); n > 0 {
		return i + n
	}
	if n := dotted(l[i:]); n > 0 { // an address or a version
		m.gone()
		return i + n
	}
	if !allDigits(w) {
		m.mixed(w)
		return end
	}
	if n := fraction(l, i, end); n > 0 {
		m.gone()
		return n
	}
	if m.id(l, i, end) {
		m.gone()
		return end
	}
	m.literal(w)
	return end
}

// duration hashes "12.3ms" by its unit and the number of its digits: what took ten
// times as long is another form. In a summary every digit stays, see [results].
func (m *masker) duration(l string, i int) int {
	if m.exact {
		return 0
	}
	j := i
	for j < len(l) && digit(l[j]) {
		j++
	}
	whole := j - i
	if j+1 < len(l) && l[j] == '.' && digit(l[j+1]) {
		for j++; j < len(l) && digit(l[j]); j++ {
		}
	}
	end := j
	for end < len(l) && letter(l[end]) || strings.HasPrefix(l[end:], "µ") {
		if end++; end < len(l) && l[end-1] == 0xc2 {
			end++
		}
	}
	if end == j || !timeUnits[l[j:end]] || end < len(l) && wordByte(l[end]) {
		return 0
	}
	m.gone()
	m.byte(byte(whole))
	m.literal(l[j:end])
	return end - i
}

var timeUnits = set("ns us µs ms s")

// results reports whether a line counts how something went: then no digit of it
// may be lost.
func results(l string) bool {
	for i := 0; i < len(l); {
		if !letter(l[i]) {
			i++
			continue
		}
		j := i
		for j < len(l) && letter(l[j]) {
			j++
		}
		if j-i >= 4 && j-i <= 9 && resultWords.has(l[i:j]) {
			return true
		}
		i = j
	}
	return false
}

var resultWords = set("passed failed failures failure errors error warnings warning skipped tests test total ok suites examples assertions finished done elapsed coverage")

// mixed hashes a word of letters and digits: a hash or a number in hex is left
// out, "12ms" is a duration, of "worker3" the digits are left out.
func (m *masker) mixed(w string) {
	switch {
	case isHex(w):
		m.gone()
		return
	case digit(w[0]) && units.has(strings.TrimLeft(w, "0123456789")):
		m.literal(w)
		return
	}
	for i := 0; i < len(w); i++ {
		if digit(w[i]) {
			m.gone()
			for i+1 < len(w) && digit(w[i+1]) {
				i++
			}
			continue
		}
		m.byte(w[i])
	}
}

// id reports whether the number l[i:end] names something rather than measures it.
func (m *masker) id(l string, i, end int) bool {
	next := byte(0)
	if end < len(l) {
		next = l[end]
	}
	if next == '%' || next == '.' && end+1 < len(l) && digit(l[end+1]) {
		return false
	}
	if i == 0 {
		return false
	}
	switch prev := l[i-1]; prev {
	case '#', '@':
		return true
	case '-', '_':
		return i > 1 && letter(l[i-2])
	case '[':
		return next == ']'
	case '.':
		return false
	case ':':
		return i > 1 && l[i-2] != ' ' && strings.IndexByte(wordBefore(l, i-1), '.') > 0
	case '=', ' ':
		return idWords.has(m.last) && strings.HasSuffix(l[:i-1], m.last)
	}
	return false
}

func wordBefore(l string, end int) string {
	i := end
	for i > 0 && (wordByte(l[i-1]) || l[i-1] == '.') {
		i--
	}
	return l[i:end]
}

// fraction returns the end of "3/10" in brackets, a counter of progress.
func fraction(l string, i, end int) int {
	if i == 0 || l[i-1] != '[' && l[i-1] != '(' && l[i-1] != ' ' || end >= len(l) || l[end] != '/' {
		return 0
	}
	j := end + 1
	for j < len(l) && digit(l[j]) {
		j++
	}
	if j == end+1 || j == len(l) || l[j] != ']' && l[j] != ')' {
		return 0
	}
	return j
}

// dotted returns the length of three or more numbers with dots between them.
func dotted(s string) int {
	dots, i := 0, 0
	for i < len(s) {
		start := i
		for i < len(s) && digit(s[i]) {
			i++
		}
		if i == start {
			return 0
		}
		if i+1 >= len(s) || s[i] != '.' || !digit(s[i+1]) {
			break
		}
		dots++
		i++
	}
	if dots < 2 {
		return 0
	}
	return i
}

func isHex(w string) bool {
	if len(w) > 2 && w[0] == '0' && (w[1] == 'x' || w[1] == 'X') {
		return true
	}
	if len(w) < 7 {
		return false
	}
	for i := range len(w) {
		if c := w[i]; !digit(c) && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

func allDigits(w string) bool {
	for i := range len(w) {
		if !digit(w[i]) {
			return false
		}
	}
	return true
}

func wordByte(c byte) bool { return letter(c) || digit(c) || c == '_' || c >= 0x80 }

var units = set("ns us µs ms s sec secs m min mins h d b kb mb gb tb kib mib gib k x")

// idWords stand before a number that names something.
var idWords = set(`id pid tid port line seq offset request req trace span session page chunk worker thread shard partition
	index idx batch step iteration attempt job process node row msg message build object fd uid gid`)

// words is a set of words in small letters.
type words map[string]bool

func set(s string) words {
	m := words{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// has reports whether w is in the set, in any case.
func (m words) has(w string) bool {
	var buf [16]byte
	if len(w) > len(buf) {
		return false
	}
	for i := range len(w) {
		c := w[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return m[string(buf[:len(w)])]
}
