package compress

import (
	"strings"

	"winnow/internal/text"
)

// Names are the words of a task that tell some lines of a text from the rest.
// A line that holds one of them is what the task asks for, and stays.
type Names struct{ words map[string]bool }

// minName is the length from which a word can name something.
const minName = 4

// NamesOf reads the words of in.Query and keeps those that few lines of the
// text hold: what stands in every third line tells nothing apart.
func NamesOf(in Input, d text.Doc) Names {
	n := Names{map[string]bool{}}
	eachWord(in.Query, func(w string) bool {
		if low := string(lower(nil, w)); len(w) >= minName && !common[low] {
			n.words[low] = true
		}
		return true
	})
	if len(n.words) == 0 {
		return n
	}
	lines := map[string]int{}
	for i := range d.Len() {
		n.each(d.Line(i), func(w string) bool {
			lines[w]++
			return true
		})
	}
	for w, k := range lines {
		if k > max(3, d.Len()/8) {
			delete(n.words, w)
		}
	}
	return n
}

// In reports whether a line holds one of the names.
func (n Names) In(line string) bool {
	found := false
	n.each(line, func(string) bool {
		found = true
		return false
	})
	return found
}

// each calls f with the names in a line until it returns false.
func (n Names) each(line string, f func(w string) bool) {
	if len(n.words) == 0 {
		return
	}
	var buf [64]byte
	eachWord(line, func(w string) bool {
		if len(w) < minName || len(w) > len(buf) {
			return true
		}
		if low := lower(buf[:0], w); n.words[string(low)] {
			return f(string(low))
		}
		return true
	})
}

// lower appends w with small letters; only ASCII has them here, as a request
// writes a word of another script as the text does, or not at all.
func lower(b []byte, w string) []byte {
	for i := range len(w) {
		c := w[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return b
}

// eachWord calls f with each run of letters, digits, "_" and non-ASCII bytes.
func eachWord(s string, f func(w string) bool) {
	for i := 0; i < len(s); {
		if !wordByte(s[i]) {
			i++
			continue
		}
		start := i
		for i < len(s) && wordByte(s[i]) {
			i++
		}
		if !f(s[start:i]) {
			return
		}
	}
}

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

// common are words of requests that name nothing.
var common = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`about after again also another away back been before being below between both build
		call change changes check clean code command complete could create current does doing done down each error even
		every everything exactly fail failed failing failure file files find first fixed following from full further give
		given have here into issue just keep know last like line lines list look make makes many more most much must need
		needed needs next none note now number only open other output over pass passed passing path please project read ready really
		result results right running same should show since some something start still such sure take task test tests
		than that their them then there these they thing things this those through under until update used user uses using very want well were
		what when where whether which while will with within without work working would write your`) {
		m[w] = true
	}
	return m
}()
