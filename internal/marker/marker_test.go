package marker

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestKeyOf(t *testing.T) {
	sum := sha256.Sum256([]byte("a\nb"))
	want := Key(hex.EncodeToString(sum[:])[:KeyLen])
	if got := KeyOf("a\nb"); got != want {
		t.Errorf("KeyOf = %s, want %s", got, want)
	}
}

func TestLine(t *testing.T) {
	k := KeyOf("x")
	for _, tc := range []struct{ name, digest, hint, want string }{
		{"bare", "", "", " lines 3-7"},
		{"digest", "func a", "", " lines 3-7: func a"},
		{"hint", "func a", "[how]", " lines 3-7: func a [how]"},
		{"digest of several lines", "a\n\tb\x1b[0m", "", " lines 3-7: a b [0m"},
		{"a marker inside", "x " + Tag(k, 1), "", " lines 3-7: x < ccr:" + string(k) + " 1_lines_offloaded>>"},
		{"invalid bytes", "a\xffb", "", " lines 3-7: a b"},
		{"too long", strings.Repeat("ä", 200), "", " lines 3-7: " + strings.Repeat("ä", MaxDigest)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Line(k, 5, 3, 7, tc.digest, tc.hint)
			if want := "<<ccr:" + string(k) + " 5_lines_offloaded>>" + tc.want; got != want {
				t.Errorf("Line = %q, want %q", got, want)
			}
			if diff := cmp.Diff([]Key{k}, Find(got)); diff != "" {
				t.Errorf("Find (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFind(t *testing.T) {
	a, b := KeyOf("a"), KeyOf("b")
	for _, tc := range []struct {
		name, s string
		want    []Key
	}{
		{"none", "text", nil},
		{"two on two lines", Tag(a, 1) + "\n" + Tag(b, 2) + " lines 1-2", []Key{a, b}},
		{"upper case is not ours", "<<ccr:" + strings.ToUpper(string(a)) + " 1_lines_offloaded>>", nil},
		{"short", "<<ccr:abc 1_lines_offloaded>>", nil},
		{"no count", "<<ccr:" + string(a) + ">>", nil},
	} {
		if diff := cmp.Diff(tc.want, Find(tc.s)); diff != "" {
			t.Errorf("%s: Find (-want +got):\n%s", tc.name, diff)
		}
	}
}

func TestParse(t *testing.T) {
	k := KeyOf("a")
	for _, s := range []string{string(k), strings.ToUpper(string(k)), "`" + string(k) + "`", ` "` + string(k) + `" `, Tag(k, 3), Tag(k, 3) + " lines 1-3: x", strings.Replace(Tag(k, 3), string(k), strings.ToUpper(string(k)), 1), "<<ccr:" + string(k) + ">>", "hash=" + string(k)} {
		if got, ok := Parse(s); !ok || got != k {
			t.Errorf("Parse(%q) = %s, %v, want %s", s, got, ok, k)
		}
	}
	for _, s := range []string{"", string(k[:23]), string(k) + "0", "x" + string(k[1:]), "../" + string(k)} {
		if got, ok := Parse(s); ok {
			t.Errorf("Parse(%q) = %s, true, want none", s, got)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a", "<<<<ccr:x", "a\nb", "\xff\xfe", "<\x00<ccr:", "<<\u2028<ccr:"} {
		f.Add(s, 20)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = max(n%300, 0)
		got := Clean(s, n)
		if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\x1b") || strings.Contains(got, Open) {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		if utf8.RuneCountInString(got) > n {
			t.Errorf("Clean(%q, %d) has %d characters", s, n, utf8.RuneCountInString(got))
		}
		if again := Clean(got, n); again != got {
			t.Errorf("Clean is not stable: %q, then %q", got, again)
		}
	})
}
