// Package marker owns the one form a gap has in a pruned text:
//
//	<<ccr:HASH N_lines_offloaded>> lines A-B: DIGEST
//
// HASH is the key of the hidden bytes: the first 24 hex digits of the SHA-256
// of exactly the bytes from the start of the first hidden line to the end of
// the last one, with the "\n" between them and without the "\n" after the last.
// Putting those bytes where the marker line stands gives the original back.
//
// It knows nothing of stores: whether a key is live is the caller's question.
package marker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

// KeyLen is the length of a key in hex digits (12 bytes of SHA-256).
const KeyLen = 24

// Open begins every marker; a cheap test before [Find].
const Open = "<<ccr:"

// Key names hidden bytes.
type Key string

// KeyOf returns the key of s: a hash of the bytes, nothing else.
func KeyOf(s string) Key {
	sum := sha256.Sum256([]byte(s))
	return Key(hex.EncodeToString(sum[:KeyLen/2]))
}

// Tag returns the constant head of a marker for n hidden lines.
func Tag(k Key, n int) string { return fmt.Sprintf("<<ccr:%s %d_lines_offloaded>>", k, n) }

var (
	tagRE = regexp.MustCompile(`<<ccr:([0-9a-f]{24}) (\d+)_lines_offloaded>>`)
	keyRE = regexp.MustCompile(`^[0-9a-f]{24}$`)
	anyRE = regexp.MustCompile(`<<ccr:([0-9a-fA-F]{24})`)
)

// Find returns the keys of all well-formed markers in s, in order, repeats included.
func Find(s string) []Key {
	if !strings.Contains(s, Open) {
		return nil
	}
	var keys []Key
	for _, m := range tagRE.FindAllStringSubmatch(s, -1) {
		keys = append(keys, Key(m[1]))
	}
	return keys
}

// Parse reads a key from whatever a marker ever printed: the key alone, the
// whole marker, in any case, inside quotes or backticks. It reports whether s
// held one.
func Parse(s string) (Key, bool) {
	if m := anyRE.FindStringSubmatch(s); m != nil {
		return Key(strings.ToLower(m[1])), true
	}
	s = strings.TrimPrefix(strings.ToLower(strings.Trim(strings.TrimSpace(s), "\"'`<>")), "hash=")
	return Key(s), keyRE.MatchString(s)
}
