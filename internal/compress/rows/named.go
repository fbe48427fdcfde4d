package rows

import "strings"

// matches calls f with each term found in a row. escapes says that a backslash
// and the byte behind it are no part of a word.
func (q *Query) matches(s string, escapes bool, f func(t string)) {
	for i := 0; i < len(s); {
		if escapes && s[i] == '\\' {
			i += 2
			continue
		}
		if !inName[s[i]] {
			i++
			continue
		}
		end := i
		for end < len(s) && inName[s[end]] {
			end++
		}
		q.run(s[i:end], f)
		i = end
	}
}

// run looks a name up, and each word in it.
func (q *Query) run(s string, f func(t string)) {
	joints := false
	for i := 0; i < len(s); {
		if !inWord[s[i]] {
			joints = true
			i++
			continue
		}
		end := i
		for end < len(s) && inWord[s[end]] {
			end++
		}
		if end < len(s) || i > 0 {
			joints = true
		}
		q.look(s[i:end], f)
		i = end
	}
	if joints {
		q.look(strings.Trim(s, "-./:@"), f)
	}
}

func (q *Query) look(s string, f func(t string)) {
	if s == "" || len(s) > longestTerm || !q.first[fold[s[0]]] {
		return
	}
	var buf [longestTerm]byte
	if low, _ := lower(&buf, s); low != nil {
		if _, ok := q.terms[string(low)]; ok {
			f(string(low))
		}
	}
}

// Named returns the rows that the task names: those of each term that few rows
// hold, and the places it counts out.
func (q Query) Named(n int, row func(i int) string, escapes bool) []int {
	var out []int
	for p := range q.places {
		if p >= 0 && p < n {
			out = append(out, p)
		}
	}
	if q.Empty() {
		return out
	}
	found := map[string][]int{}
	for i := range n {
		q.matches(row(i), escapes, func(t string) {
			rows := found[t]
			if k := len(rows); k > q.limit(t, n) || k > 0 && rows[k-1] == i {
				return
			}
			found[t] = append(rows, i)
		})
	}
	for t, rows := range found {
		if len(rows) <= q.limit(t, n) {
			out = append(out, rows...)
		}
	}
	return out
}

// limit is how many rows a term may stand in.
func (q *Query) limit(t string, n int) int {
	if q.terms[t] == sure {
		return max(16, n/8)
	}
	return max(8, n/20)
}

// Names reports whether s holds an identifier of the query; plain words and
// numbers do not count, since in prose they are nearly always found.
func (q Query) Names(s string, escapes bool) bool {
	found := false
	q.matches(s, escapes, func(t string) {
		_, digits := number([]byte(t))
		found = found || q.terms[t] == sure && !digits
	})
	return found
}
