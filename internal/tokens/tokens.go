// Package tokens counts tokens: by a heuristic that needs nothing, or exactly
// with a vocabulary that is inside the binary, so that no network is needed.
package tokens

import (
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

// Counter counts the tokens of a text.
type Counter func(string) int

// Estimate is a quarter of the characters, rounded up: what most tools of this
// field report, so that figures can be compared.
func Estimate(s string) int { return (utf8.RuneCountInString(s) + 3) / 4 }

// vocabularies are the exact counters by name. No public vocabulary is Claude's
// own; these are near enough to compare two texts by.
var vocabularies = map[string]tokenizer.Encoding{
	"o200k": tokenizer.O200kBase, "cl100k": tokenizer.Cl100kBase,
}

// Names lists what [Named] knows.
func Names() []string { return []string{"estimate", "o200k", "cl100k"} }

// Named returns a counter: "" and "estimate" are [Estimate], the others count
// exactly. The vocabulary is read at the first count, not here.
func Named(name string) (Counter, error) {
	if name == "" || name == "estimate" {
		return Estimate, nil
	}
	enc, ok := vocabularies[name]
	if !ok {
		return nil, fmt.Errorf("token counter %q: not one of %v", name, Names())
	}
	load := sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(enc) })
	return func(s string) int {
		c, err := load()
		if err != nil {
			return Estimate(s)
		}
		return exact(c, s)
	}, nil
}

// maxWord is the longest run without a blank that is merged whole: merging takes
// quadratic time, and a minified file is one such run.
const maxWord = 4 << 10

// exact counts s piece by piece, cut inside endless words only.
func exact(c tokenizer.Codec, s string) int {
	n, start, word := 0, 0, 0
	for i := range len(s) {
		if s[i] <= ' ' {
			word = i + 1
			continue
		}
		if i-word >= maxWord && utf8.RuneStart(s[i]) {
			n += count(c, s[start:i])
			start, word = i, i
		}
	}
	return n + count(c, s[start:])
}

func count(c tokenizer.Codec, s string) int {
	n, err := c.Count(s)
	if err != nil {
		return Estimate(s)
	}
	return n
}
