package rows

import "strings"

// Query is what a task names: identifiers, numbers, words, and places in a list
// ("row 137").
type Query struct {
	terms  map[string]weight
	first  [256]bool // bytes that a term begins with, to skip the rest fast
	places map[int]bool
}

// weight says how many rows a term may be found in and still tell them apart.
type weight uint8

const (
	word weight = iota
	sure        // an identifier or a number
)

const (
	longestTerm = 64
	maxTerms    = 512
)

// ParseQuery reads a task's text.
func ParseQuery(s string) Query {
	q := Query{terms: map[string]weight{}, places: map[int]bool{}}
	var buf [longestTerm]byte
	last := ""
	eachRun(s, inName, func(run string) {
		run = strings.Trim(run, "-./:@")
		if low, ok := lower(&buf, run); ok && special(run) {
			q.add(string(low), sure)
		}
		eachRun(run, inWord, func(w string) {
			low, ok := lower(&buf, w)
			if !ok {
				last = ""
				return
			}
			switch n, isNumber := number(low); {
			case isNumber:
				if place[last] {
					q.places[n], q.places[n-1] = true, true
				}
				q.add(string(low), sure)
			case special(w):
				q.add(string(low), sure)
			case len(low) >= 3 && !stop[string(low)]:
				q.add(string(low), word)
			}
			last = string(low)
		})
	})
	return q
}

// Empty reports whether the query names nothing.
func (q Query) Empty() bool { return len(q.terms) == 0 }

func (q *Query) add(t string, w weight) {
	if old, ok := q.terms[t]; t == "" || !ok && len(q.terms) >= maxTerms || old > w {
		return
	}
	q.terms[t] = w
	q.first[t[0]] = true
}

var place = map[string]bool{"row": true, "item": true, "index": true, "element": true, "entry": true, "line": true, "record": true, "number": true, "no": true}

func number(s []byte) (int, bool) {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 1<<28 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, len(s) > 0
}

// special reports whether a run can hardly be anything but a name: it has a
// joint, a hump, or letters and digits.
func special(s string) bool {
	if len(s) < 3 {
		return false
	}
	letters, digits := false, false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digits = true
		case c >= 'A' && c <= 'Z':
			if i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
				return true
			}
			letters = true
		case c >= 'a' && c <= 'z':
			letters = true
		case i > 0 && i < len(s)-1 && strings.IndexByte("_-./:@", c) >= 0:
			return true
		}
	}
	return letters && digits
}

var inWord, inName [256]bool

func init() {
	for i := range 256 {
		c := byte(i)
		inWord[i] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
		inName[i] = inWord[i] || strings.IndexByte("-./:@", c) >= 0
	}
}

// eachRun calls f with each longest run of bytes of a class.
func eachRun(s string, class [256]bool, f func(run string)) {
	for i := 0; i < len(s); i++ {
		if !class[s[i]] {
			continue
		}
		start := i
		for i < len(s) && class[s[i]] {
			i++
		}
		f(s[start:i])
	}
}

func lower(buf *[longestTerm]byte, s string) ([]byte, bool) {
	if s == "" || len(s) > len(buf) {
		return nil, false
	}
	for i := range len(s) {
		buf[i] = fold[s[i]]
	}
	return buf[:len(s)], true
}

var fold = func() (t [256]byte) {
	for i := range t {
		t[i] = byte(i)
		if i >= 'A' && i <= 'Z' {
			t[i] += 'a' - 'A'
		}
	}
	return t
}()

// stop are words of requests that name no row.
var stop = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`about add after again all also and another any are array back because been before being below but
		call can change changes check code command could create current data did does done each entries entry error errors every exactly fail failed
		field fields file files find first for from full get give given had has have her here him his how into issue item items its json just keep key
		know last let like line lines list look made make many more most much must name need needed new next none not note now number object off one only
		open other our out output over please project put read really record records result results return right row rows run same see set she should
		show since some something start still such sure table take task tell test tests text than that the their them then there these they thing things
		this those through too true false null type under until update use used user using value values very via want was way well were what when where
		whether which while who why will with within without work would write yes you your`) {
		m[w] = true
	}
	return m
}()
