// Package blob puts a short stub in place of bytes that nobody reads: a binary
// file that was printed, long runs of base64. Text in any language, box drawing
// and minified code are no such thing, and neither is what only holds a NUL.
package blob

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"winnow/internal/compress"
	"winnow/internal/text"
)

// Stub writes stubs. The whole original is one key.
type Stub struct{}

var _ compress.Sampler = Stub{}

// Name names the form in a decision's chain.
func (Stub) Name() string { return "blob" }

// Sample stubs the text if it is binary, else the runs of base64 in it.
func (Stub) Sample(in compress.Input, tag string) (string, bool) {
	if tag == "" || strings.Contains(in.Text, tag) {
		return "", false
	}
	form := ""
	if what, ok := Binary(in.Text); ok {
		form = fmt.Sprintf("[%s, %d bytes that are no text: %s]", what, len(in.Text), tag)
	} else if runs := base64Runs(in.Text); len(runs) > 0 {
		form = stubRuns(in.Text, runs, tag)
	}
	if form == "" || len(form) >= len(in.Text) || text.Chars(form) >= text.Chars(in.Text) {
		return "", false
	}
	return form, true
}

// badShare is the share of a text's bytes, one in so many, that must be no text
// before a NUL in it or a file's magic makes it binary.
const badShare = 50

// Binary says what kind of bytes s is; ok is false for text: UTF-8 and what may
// be UTF-16 or an old encoding.
func Binary(s string) (what string, ok bool) {
	nul := strings.IndexByte(s, 0) >= 0
	what = magic(s)
	if !nul && what == "" || strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") {
		return "", false
	}
	bad := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' && c != 0 && (c < '\a' || c > '\r') && c != 0x1b {
				bad++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError {
			bad++
		}
		i += n
	}
	if bad == 0 || bad*badShare < len(s) {
		return "", false
	}
	if what == "" {
		what = "binary"
	}
	return what, true
}

// magics are how files begin.
var magics = []struct{ head, name string }{
	{"\x89PNG", "PNG image"}, {"\xff\xd8\xff", "JPEG image"}, {"GIF8", "GIF image"}, {"%PDF-", "PDF document"}, {"PK\x03\x04", "ZIP archive"},
	{"\x1f\x8b", "gzip data"}, {"\x7fELF", "ELF binary"}, {"\xcf\xfa\xed\xfe", "Mach-O binary"}, {"\xca\xfe\xba\xbe", "Java class"}, {"MZ", "PE binary"},
	{"SQLite format 3\x00", "SQLite database"}, {"\x00asm", "WebAssembly"}, {"\x28\xb5\x2f\xfd", "zstd data"}, {"\xfd7zXZ", "xz data"}, {"BZh", "bzip2 data"},
	{"wOF2", "font"}, {"wOFF", "font"}, {"OggS", "Ogg media"}, {"ID3", "MP3 audio"}, {"RIFF", "RIFF media"},
}

func magic(s string) string {
	for _, m := range magics {
		if strings.HasPrefix(s, m.head) {
			return m.name
		}
	}
	return ""
}
