package second

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrReply reports a reply that is not understood in full. Errors that wrap it
// never quote the reply.
var ErrReply = errors.New("reply not understood")

// maxReply bounds a reply, in bytes: [mostTokens] are much shorter.
const maxReply = 16 << 10

// Run is a run of lines, 0-based and inclusive.
type Run struct{ First, Last int }

// Verdict is what a reply says; lines in neither list are kept.
type Verdict struct {
	Hide, Unsure []Run
	// Asked is how many lines were asked about.
	Asked int
}

// Parse reads a reply about the first asked lines of a text: one JSON object
// {"hide":"3-7,12","unsure":"20-25"}, with a fence or words around it. Anything
// that could be meant in two ways is refused: another key, a key twice, a value
// that is no string, a second object that says something else, a range that is
// reversed, overlaps another one or leaves the lines that were asked about.
func Parse(reply string, asked int) (Verdict, error) {
	if len(reply) > maxReply {
		return Verdict{}, fmt.Errorf("%w: %d bytes", ErrReply, len(reply))
	}
	said, err := object(reply)
	if err != nil {
		return Verdict{}, err
	}
	v := Verdict{Asked: asked}
	taken := make([]bool, max(asked, 0))
	if v.Hide, err = runs(said["hide"], taken); err != nil {
		return Verdict{}, err
	}
	if v.Unsure, err = runs(said["unsure"], taken); err != nil {
		return Verdict{}, err
	}
	return v, nil
}

// object finds the one object in a reply. A brace without a key behind it belongs
// to the words around.
func object(reply string) (map[string]string, error) {
	var found map[string]string
	for i := 0; i < len(reply); i++ {
		if reply[i] != '{' || !strings.HasPrefix(strings.TrimLeft(reply[i+1:], " \t\r\n"), `"`) {
			continue
		}
		said, n, err := flat(reply[i:])
		switch {
		case err != nil:
			return nil, err
		case found != nil && (found["hide"] != said["hide"] || found["unsure"] != said["unsure"]):
			return nil, fmt.Errorf("%w: two answers", ErrReply)
		}
		found = said
		i += n - 1
	}
	if found == nil {
		return nil, fmt.Errorf("%w: no answer in it", ErrReply)
	}
	return found, nil
}

// flat reads the object at the start of s and says how long it is.
func flat(s string) (said map[string]string, n int, err error) {
	dec := json.NewDecoder(strings.NewReader(s))
	if _, err := dec.Token(); err != nil {
		return nil, 0, fmt.Errorf("%w: no object", ErrReply)
	}
	said = map[string]string{}
	for dec.More() {
		key, err := word(dec)
		if err != nil {
			return nil, 0, err
		}
		if _, twice := said[key]; twice || key != "hide" && key != "unsure" {
			return nil, 0, fmt.Errorf("%w: another key, or one twice", ErrReply)
		}
		if said[key], err = word(dec); err != nil {
			return nil, 0, err
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil, 0, fmt.Errorf("%w: it does not end", ErrReply)
	}
	if _, ok := said["hide"]; !ok {
		return nil, 0, fmt.Errorf("%w: nothing said of what to hide", ErrReply)
	}
	return said, int(dec.InputOffset()), nil
}

func word(dec *json.Decoder) (string, error) {
	t, err := dec.Token()
	s, ok := t.(string)
	if err != nil || !ok {
		return "", fmt.Errorf("%w: not text by text", ErrReply)
	}
	return s, nil
}

// runs reads ranges and marks their lines as taken.
func runs(s string, taken []bool) ([]Run, error) {
	var out []Run
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(s, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, okA := number(first)
		b, okB := number(last)
		if !okA || !okB || b < a || b >= len(taken) {
			return nil, fmt.Errorf("%w: a range that is none, or outside of the lines", ErrReply)
		}
		for i := a; i <= b; i++ {
			if taken[i] {
				return nil, fmt.Errorf("%w: a line twice", ErrReply)
			}
			taken[i] = true
		}
		out = append(out, Run{a, b})
	}
	return out, nil
}

// number reads digits and nothing else, so no sign and no other script's.
func number(s string) (int, bool) {
	s = strings.Trim(s, " ")
	if s == "" || len(s) > 7 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
