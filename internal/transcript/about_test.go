package transcript

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAboutOf(t *testing.T) {
	at := func(s string) time.Time { t, _ := time.Parse(time.RFC3339, s); return t }
	for _, c := range []struct {
		name, file string
		want       About
	}{
		{"empty", "", About{}},
		{"the newest entry counts", `{"sessionId":"s","version":"2.1.1","timestamp":"2026-11-30T09:00:00Z"}
{"sessionId":"s","version":"2.1.332","timestamp":"2026-11-30T10:00:00Z"}
`, About{"s", "2.1.332", at("2026-11-30T10:00:00Z")}},
		{"the last ones do not say it", `{"sessionId":"s","version":"2.1.332","timestamp":"2026-11-30T10:00:00Z"}
{"type":"mode","sessionId":"s"}
torn {"version":"1.0.0`, About{"s", "2.1.332", at("2026-11-30T10:00:00Z")}},
		{"a version that a tool printed", `{"sessionId":"s","message":{"content":"{\"version\":\"9.9.9\"}"},"toolUseResult":{"version":"9.9.9"}}`, About{Session: "s"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "s.jsonl")
			if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := AboutOf(t.Context(), path); err != nil || got != c.want {
				t.Errorf("AboutOf = %+v, %v, want %+v", got, err, c.want)
			}
		})
	}
	if _, err := AboutOf(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("AboutOf of no file: no error")
	}
}
