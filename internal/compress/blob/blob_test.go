package blob

import (
	"encoding/base64"
	"math/rand"
	"strings"
	"testing"

	"winnow/internal/compress"
)

func random(n int) string {
	r := rand.New(rand.NewSource(1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Intn(256))
	}
	return string(b)
}

func wrap(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		b.WriteString(s[:n] + "\n")
		s = s[n:]
	}
	return b.String() + s + "\n"
}

func TestSample(t *testing.T) {
	encoded := base64.StdEncoding.EncodeToString([]byte(random(6000)))
	for _, tc := range []struct{ name, in, want string }{
		{"an image", "\x89PNG\r\n\x1a\n" + random(4000), "[PNG image, 4008 bytes that are no text: TAG]"},
		{"bytes", "x\x00" + random(4000), "[binary, 4002 bytes that are no text: TAG]"},
		{"base64 in a text", `{"icon":"data:image/png;base64,` + encoded + `"}` + "\n", `{"icon":"data:image/png;base64,` + encoded[:shown] + `…[7968 characters of base64]"}` + "\n[7968 characters of base64 left out: TAG]"},
		{"base64 in lines", "head\n\n" + wrap(encoded, 76) + "\nfoot\n", "head\n\n" + encoded[:shown] + "…[8073 characters of base64]\n\nfoot\n[8073 characters of base64 left out: TAG]"},
	} {
		if got, ok := (Stub{}).Sample(compress.Input{Text: tc.in}, "TAG"); !ok || got != tc.want {
			t.Errorf("%s: Sample = %q, %v, want %q", tc.name, got, ok, tc.want)
		}
	}
}

// What is text stays text, whatever it looks like to a careless eye.
func TestText(t *testing.T) {
	for name, in := range map[string]string{
		"box drawing":    strings.Repeat("┌──────┐\n│ lint │\n└──────┘\n", 90),
		"Japanese":       strings.Repeat("注文の価格が間違っています。\n", 90),
		"Cyrillic":       strings.Repeat("Заказ не найден\n", 90),
		"emoji":          strings.Repeat("✅ ok 🚀\n", 90),
		"Latin-1":        strings.Repeat("Gr\xfc\xdfe aus K\xf6ln\n", 90),
		"UTF-16":         "\xff\xfe" + strings.Repeat("a\x00b\x00\n\x00", 200),
		"find -print0":   strings.Repeat("./src/a.go\x00", 200),
		"terminal":       strings.Repeat("\x1b[31mred\x1b[0m\b\a\n", 90),
		"a minified one": strings.Repeat(`!function(e,t){var n=e[0];return t(n)||{a:1,b:[2,3]}}(window,function(e){return e.q});`, 60),
		"hex":            strings.Repeat("0f3a99bc77d1e2f3", 200),
		"a long path":    strings.Repeat("src/main/java/com/example/shop/order/", 60),
		"a long word":    strings.Repeat("Aa", 2000),
		"a key":          "-----BEGIN CERTIFICATE-----\n" + wrap(base64.StdEncoding.EncodeToString([]byte(random(1200))), 64) + "-----END CERTIFICATE-----\n",
		"a magic word":   strings.Repeat("MZ and PK are letters\n", 60),
		"empty":          "",
	} {
		if got, ok := (Stub{}).Sample(compress.Input{Text: in}, "TAG"); ok {
			t.Errorf("%s: stubbed as %.200q", name, got)
		}
	}
}

func FuzzSample(f *testing.F) {
	f.Add("\x89PNG" + random(200))
	f.Add(base64.StdEncoding.EncodeToString([]byte(random(900))))
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := Stub{}.Sample(compress.Input{Text: s}, "TAG")
		if ok && (len(got) >= len(s) || strings.Count(got, "TAG") != 1) {
			t.Errorf("Sample(%q) = %q", s, got)
		}
	})
}
