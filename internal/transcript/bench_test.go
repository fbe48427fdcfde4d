package transcript

import (
	"strings"
	"testing"
	"time"
)

// BenchmarkRead is the way back to a request behind tool traffic.
func BenchmarkRead(b *testing.B) {
	out := result("t", strings.Repeat("ok  \twinnow/internal/text\t0.01s \"quoted\"\n", 700))
	for name, n := range map[string]int{"kb=30": 1, "kb=1000": 30, "kb=20000": 600} {
		b.Run(name, func(b *testing.B) {
			path := file(b, prompt("find the leak"), strings.Repeat(out+uses("t", "Bash", `{"command":"go test"}`), n), uses("now", "Bash", `{}`))
			b.ReportAllocs()
			for b.Loop() {
				st, err := Read(b.Context(), path, Options{ToolUseID: "now", Budget: time.Minute})
				if err != nil || !st.Found {
					b.Fatalf("Read = %+v, %v", st, err)
				}
			}
		})
	}
}

// BenchmarkUncleared asks for results behind a lot of others, as a fold does.
func BenchmarkUncleared(b *testing.B) {
	out := result("t", strings.Repeat("ok  \twinnow/internal/text\t0.01s \"quoted\"\n", 700))
	for name, n := range map[string]int{"kb=30": 1, "kb=400": 12, "kb=5000": 150} {
		b.Run(name, func(b *testing.B) {
			path := file(b, prompt("find the leak"), uses("t1", "Bash", `{}`), result("t1", "x"), strings.Repeat(out+uses("t", "Bash", `{"command":"go test"}`), n), uses("now", "Bash", `{}`))
			b.ReportAllocs()
			for b.Loop() {
				got, err := Uncleared(b.Context(), path, Options{ToolUseID: "now"}, []string{"t1"}, nil)
				if err != nil || !got["t1"] {
					b.Fatalf("Uncleared = %v, %v", got, err)
				}
			}
		})
	}
}
