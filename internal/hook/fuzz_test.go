package hook

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// FuzzRewrite: whatever decodes can be rewritten with its own texts to the same
// bytes, and with others to valid JSON that holds just those.
func FuzzRewrite(f *testing.F) {
	for _, glob := range []string{"testdata/hooks/*PostToolUse*.json", "testdata/bugs/*"} {
		files, err := filepath.Glob(glob)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range files {
			rel, err := filepath.Rel("testdata", name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(payload(f, rel), "shorter\n\"<&>\"")
		}
	}
	f.Fuzz(func(t *testing.T, body []byte, neu string) {
		e, err := Decode(bytes.NewReader(body))
		if err != nil {
			return
		}
		leaves, err := e.Leaves()
		if err != nil {
			return
		}
		unchanged(t, e, leaves)
		texts := make([]*string, len(leaves))
		for i := range texts {
			texts[i] = &neu
		}
		out, err := e.Rewrite(texts, leaves[0].StartLine+3)
		if err != nil {
			if utf8.ValidString(neu) && utf8.RuneCountInString(neu) <= maxBash {
				t.Fatalf("Rewrite: %v", err)
			}
			return
		}
		if !json.Valid(out) {
			t.Fatalf("Rewrite gave broken JSON: %q", out)
		}
		if pointer(neu) {
			return // would not be a text any more
		}
		again := *e
		again.ToolResponse = out
		got, err := again.Leaves()
		if err != nil || len(got) != len(leaves) {
			t.Fatalf("Leaves of the rewritten = %d, %v, want %d", len(got), err, len(leaves))
		}
		for _, l := range got {
			if l.Text != neu {
				t.Errorf("Text = %q, want %q", l.Text, neu)
			}
		}
	})
}
