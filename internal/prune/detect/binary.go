package detect

import (
	"strings"
	"unicode/utf8"
)

// magics begin files that are no text.
var magics = []string{
	"\x89PNG\r\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "%PDF-1", "PK\x03\x04", "\x1f\x8b\x08", "\x7fELF", "BZh9",
	"\xfd7zXZ\x00", "(\xb5/\xfd", "\xca\xfe\xba\xbe", "\xcf\xfa\xed\xfe", "MZ\x90\x00", "wOFF", "wOF2", "SQLite format 3\x00", "RIFF", "\x00asm",
}

// bytesOf tells real binary from text in whatever script: a known beginning, or
// control bytes and broken UTF-8 in every tenth place, control bytes among them. A
// text in another encoding (Shift JIS, GBK, KOI8-R: all broken UTF-8, no control
// byte) is not binary: nobody may replace it by a stub.
func bytesOf(s string) Guess {
	for _, m := range magics {
		if strings.HasPrefix(s, m) && !plainText(s) {
			return Guess{Kind: Binary, Confidence: 1}
		}
	}
	if strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") { // UTF-16
		return Guess{}
	}
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return Guess{}
	}
	if all, control := odd(s); len(s) > 0 && all*10 >= len(s) && control*100 >= len(s) {
		return Guess{Kind: Binary, Confidence: 0.9}
	}
	return Guess{}
}

func plainText(s string) bool {
	s = s[:min(len(s), 4096)]
	for i := range len(s) {
		if s[i] == 0 {
			return false
		}
	}
	all, _ := odd(s)
	return all == 0
}

// odd counts bytes that no text holds: control bytes, and such beyond ASCII that
// are no UTF-8, unless letters of an old encoding stand around them. A NUL that
// ends a name or begins the next (find -print0) is a separator.
func odd(s string) (n, control int) {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\x1b' && c != '\f' && c != '\b' {
				n++
				if c != 0 || !(i > 0 && printed(s[i-1]) && (i+1 == len(s) || printed(s[i+1]))) {
					control++
				}
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			if !(i > 0 && letter(s[i-1]) && i+1 < len(s) && letter(s[i+1])) {
				n++
			}
		}
		i += size
	}
	return n, control
}

// printed reports whether c is ASCII that shows, or a line's end.
func printed(c byte) bool { return c >= ' ' && c < 0x7f || c == '\n' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
