package window

import (
	"bytes"
	"encoding/json"
	"strings"

	"winnow/internal/model/tokenizer"
	"winnow/internal/prune"
	"winnow/internal/text"
)

// Parts is the number of parts of a query that are read apart: the request, the
// agent's intent and the call.
const Parts = 3

// Bounds of a part. A request says at its head what is wanted, an intent at its
// end what comes next.
const (
	requestRunes = 1500
	intentRunes  = 600
	callRunes    = 500
	partTokens   = 250
)

// Query returns the parts of q, each as [CLS] tokens [SEP].
func Query(t *tokenizer.Tokenizer, q prune.Query) [Parts][]int64 {
	texts := [Parts]string{text.Head(q.Task.Request, requestRunes), tail(q.Task.Intent, intentRunes), call(q.Tool)}
	var out [Parts][]int64
	var ids []int32
	for i, s := range texts {
		ids = t.Append(ids[:0], s, partTokens)
		out[i] = make([]int64, 0, len(ids)+2)
		out[i] = append(out[i], int64(t.CLS()))
		for _, id := range ids {
			out[i] = append(out[i], int64(id))
		}
		out[i] = append(out[i], int64(t.SEP()))
	}
	return out
}

// call is the tool's name and its arguments, "name: value", in their order.
func call(t prune.Tool) string {
	var b strings.Builder
	b.WriteString(t.Name)
	dec := json.NewDecoder(bytes.NewReader(t.Input))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return text.Head(b.String()+" "+string(t.Input), len(t.Name)+1+callRunes)
	}
	b.WriteByte(' ')
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			break
		}
		var s string
		if json.Unmarshal(value, &s) != nil {
			s = string(value)
		}
		b.WriteString(name.(string) + ": " + s + " ")
	}
	return text.Head(b.String(), len(t.Name)+1+callRunes)
}

// tail returns the last n characters of s.
func tail(s string, n int) string {
	r := []rune(s)
	return string(r[max(0, len(r)-n):])
}
