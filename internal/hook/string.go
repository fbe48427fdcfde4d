package hook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// unquote decodes a JSON string.
func unquote(raw []byte) (string, error) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "", fmt.Errorf("decode string: %v: %w", err, ErrShape)
	}
	return s, nil
}

// quote encodes s as a JSON string, "<" and "&" as they are.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("hook: a string did not encode: " + err.Error()) // cannot happen
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// loneSurrogate reports whether valid JSON holds a \ud83d without its partner.
// Go would read U+FFFD for it, and the bytes could not be given back.
func loneSurrogate(b []byte) bool {
	if !bytes.Contains(b, []byte(`\ud`)) && !bytes.Contains(b, []byte(`\uD`)) {
		return false
	}
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' {
			continue
		}
		switch u := escape(b[i:]); {
		case u >= 0xDC00 && u <= 0xDFFF:
			return true
		case u >= 0xD800 && u <= 0xDBFF:
			if low := escape(b[i+6:]); low < 0xDC00 || low > 0xDFFF {
				return true
			}
			i += 11
		default:
			i++
		}
	}
	return false
}

// escape returns the code unit of the \uXXXX that b begins with, else -1.
func escape(b []byte) int64 {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	u, err := strconv.ParseInt(string(b[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return u
}
